import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** The cursor of a list, newest first: the page starts after the row with this time and id. */
export interface PageKey {
  readonly at: number;
  readonly id: string;
}

/**
 * SQL condition: the row comes after the cursor in a list that is newest first, so it is older. Without a cursor, the
 * page is the first one.
 */
export function isAfter(time: SQLiteColumn, id: SQLiteColumn, before: PageKey | undefined): SQL | undefined {
  return before && sql`(${time}, ${id}) < (${before.at}, ${before.id})`;
}
