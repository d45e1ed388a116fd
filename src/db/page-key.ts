import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Where a page of a list begins, whose order is the newest first: after the row with this time and id. */
export interface PageKey {
  readonly at: number;
  readonly id: string;
}

/** SQL condition: a row comes after the key. Without one, the page is the first. */
export function isAfter(time: SQLiteColumn, id: SQLiteColumn, before: PageKey | undefined): SQL | undefined {
  return before && sql`(${time}, ${id}) < (${before.at}, ${before.id})`;
}
