/** The parts of the benchmark, in their order. */
export const PARTS = [
  "worker",
  "connections",
  "scale",
  "deliveries",
  "burst",
  "redirects",
  "start",
  "distance",
  "capacity",
  "reports",
] as const;

export type Part = (typeof PARTS)[number];
