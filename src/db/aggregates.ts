import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { DAY, earliestOf } from "../core/clock.ts";

/** SQL parts for daily counts. */

/** Columns of stored counts by which the rows that are counted are found. */
export type CountedBy<Name extends string> = Readonly<Record<Name, SQLiteColumn>>;

/** The start of the day (UTC) of a time. */
export const dayOf = (time: SQLiteColumn): SQL => sql`${time} - ${time} % ${DAY}`;

/** How many rows of a group fulfil a condition. */
export const countIf = (condition: SQL): SQL => sql`COUNT(*) FILTER (WHERE ${condition})`;

/** The sum of a column over those rows, without signs. */
export const sumIf = (condition: SQL, column: SQLiteColumn): SQL => sql`COALESCE(SUM(ABS(${column})) FILTER (WHERE ${condition}), 0)`;

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
