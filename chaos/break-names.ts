/** The defects that can be built into the product (breaks.ts makes them), each with the promise that the auditor must find broken. */
export const breaks = {
  "lost delivery": "nothing is lost",
  "delivery to another partner": "nobody sees another's",
  "wrong signature": "every delivery is signed",
  "doubled link": "every object is made once",
  "crossed partner": "nobody sees another's",
  "wrong amount": "every amount is right",
  "lost movement": "nothing is lost",
  "stuck record": "no state is left behind",
  "wrong target": "a short link leads to its own checkout",
  "lost snapshot": "nothing is lost",
  "secret in the log": "no secret is in the log",
  "undocumented answer": "answers are as described",
} as const;

export type BreakName = keyof typeof breaks;

/** Whether a text is the name of a break. */
export function isBreak(text: string): text is BreakName {
  return Object.hasOwn(breaks, text);
}
