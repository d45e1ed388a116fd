/** The defects that can be built into the product, to see that the auditor finds each (breaks.ts makes them). */
export const breakNames = [
  "lost delivery",
  "delivery to another partner",
  "wrong signature",
  "doubled link",
  "crossed partner",
  "wrong amount",
  "lost movement",
  "stuck record",
  "wrong target",
  "lost snapshot",
  "secret in the log",
  "undocumented answer",
] as const;

export type BreakName = (typeof breakNames)[number];
