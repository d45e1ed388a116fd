import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** SQL parts for an upsert of rows that were read at different times and may be written out of order. */

/** The incoming value of the upsert, not the stored one. */
export function excluded(column: SQLiteColumn): SQL {
  return sql.raw(`excluded.${column.name}`);
}

/** Whether the incoming row is as new as the stored row or newer. */
export function isIncomingNewer(stamp: SQLiteColumn): SQL {
  return sql`${excluded(stamp)} >= ${stamp}`;
}

/** The value of the newer row. */
export function newest(column: SQLiteColumn, stamp: SQLiteColumn): SQL {
  return sql`CASE WHEN ${isIncomingNewer(stamp)} THEN ${excluded(column)} ELSE ${column} END`;
}

/** The value of the newer row. If it is NULL, the value of the older row. */
export function newestNonNull(column: SQLiteColumn, stamp: SQLiteColumn): SQL {
  const [mine, stored] = [excluded(column), column];
  return sql`CASE WHEN ${isIncomingNewer(stamp)} THEN COALESCE(${mine}, ${stored}) ELSE COALESCE(${stored}, ${mine}) END`;
}

/** The first stored non-NULL value. It never changes after that. */
export function firstNonNull(column: SQLiteColumn): SQL {
  return sql`COALESCE(${column}, ${excluded(column)})`;
}

/** The greater of the two values, for the timestamp column itself. */
export function maxOf(column: SQLiteColumn): SQL {
  return sql`MAX(${column}, ${excluded(column)})`;
}
