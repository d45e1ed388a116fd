import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** The cursor of a list, newest first: the page starts after the row with this time and id. */
export interface PageKey {
  readonly at: number;
  readonly id: string;
}

/**
 * SQL condition: the row is older than the cursor's row, so it follows it in a list that is newest first. Rows of one
 * time are ordered by id. Without a cursor, the page is the first one.
 */
export function isOlderThan(time: SQLiteColumn, id: SQLiteColumn, cursor: PageKey | undefined): SQL | undefined {
  return cursor && sql`(${time}, ${id}) < (${cursor.at}, ${cursor.id})`;
}
