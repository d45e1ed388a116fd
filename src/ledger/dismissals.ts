import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "../db/client.ts";
import { dismissals } from "../db/schema/ledger.ts";

/**
 * A column with its table's name. In a query of one table the query builder leaves the name out, and both tables have
 * such columns.
 */
function full(column: SQLiteColumn): SQL {
  return sql`${column.table}.${sql.identifier(column.name)}`;
}

/** SQL condition: an operator has dismissed the row with this id; with `since`, at that time or later. */
export function isDismissed(id: SQLiteColumn, since?: SQLiteColumn): SQL {
  const isLater = since === undefined ? sql`TRUE` : sql`${full(dismissals.at)} >= ${full(since)}`;
  return sql`EXISTS (SELECT 1 FROM ${dismissals} WHERE ${full(dismissals.id)} = ${full(id)} AND ${isLater})`;
}

/** Dismisses a row and returns it, if `onlyIf` is true at that point of the batch. */
export function dismiss(db: Database, id: string, at: number, onlyIf: SQL) {
  return db
    .insert(dismissals)
    .select(sql`SELECT ${id}, ${at} WHERE ${onlyIf}`)
    .onConflictDoUpdate({ target: dismissals.id, set: { at } })
    .returning({ id: dismissals.id });
}
