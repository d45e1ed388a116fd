import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Parts of an upsert whose two rows were seen at two moments, and may be written in the wrong order. */

/** The value that is to be written, not the stored one. */
export function incoming(column: SQLiteColumn): SQL {
  return sql.raw(`excluded.${column.name}`);
}

/** Whether the row that is to be written was seen later than the stored one, or at the same moment. */
export function isLater(stamp: SQLiteColumn): SQL {
  return sql`${incoming(stamp)} >= ${stamp}`;
}

/** The value that was seen last. */
export function lastSeen(column: SQLiteColumn, stamp: SQLiteColumn): SQL {
  return sql`CASE WHEN ${isLater(stamp)} THEN ${incoming(column)} ELSE ${column} END`;
}

/** The value that was seen last by somebody who saw one. */
export function lastKnown(column: SQLiteColumn, stamp: SQLiteColumn): SQL {
  const [mine, stored] = [incoming(column), column];
  return sql`CASE WHEN ${isLater(stamp)} THEN COALESCE(${mine}, ${stored}) ELSE COALESCE(${stored}, ${mine}) END`;
}

/** The value that was known first: it never changes. */
export function firstKnown(column: SQLiteColumn): SQL {
  return sql`COALESCE(${column}, ${incoming(column)})`;
}

/** The greater of the two, for the moment itself. */
export function greater(column: SQLiteColumn): SQL {
  return sql`MAX(${column}, ${incoming(column)})`;
}
