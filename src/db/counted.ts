import { earliestOf } from "../core/clock.ts";

/** How many rows wait, and since when the oldest. */
export interface Counted {
  readonly count: number;
  /** In Unix milliseconds; null if there is none. */
  readonly oldest: number | null;
}

/** What is counted in several databases, as one. */
export const inAll = (databases: readonly Counted[]): Counted => ({
  count: databases.reduce((sum, here) => sum + here.count, 0),
  oldest: earliestOf(databases.map((here) => here.oldest)),
});
