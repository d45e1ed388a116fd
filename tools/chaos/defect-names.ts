/**
 * The defects that can be planted in the product (see planted-defects.ts), each with the promise that the auditor must
 * find broken.
 */
export const defects = {
  "lost delivery": "nothing is lost",
  "event behind the cursor": "nothing is lost",
  "delivery to another partner": "no partner sees another's",
  "wrong signature": "every delivery is signed",
  "doubled link": "every object is made once",
  "crossed partner": "no partner sees another's",
  "wrong amount": "every amount is right",
  "lost movement": "nothing is lost",
  "stuck record": "no state is left behind",
  "wrong target": "a short link leads to its own checkout",
  "lost snapshot": "nothing is lost",
  "secret in the log": "no secret is in the log",
  "undocumented answer": "answers are as described",
  "wrong order": "every amount is right",
  "wrong statement": "every statement adds up",
} as const;

export type DefectName = keyof typeof defects;

/** Whether a text is the name of a defect. */
export function isDefect(text: string): text is DefectName {
  return Object.hasOwn(defects, text);
}
