import { inArray } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Database, inList } from "./client.ts";

/** The ids that have no row in a table. One round trip and one parameter, for any number of ids. */
export async function missingIds(
  db: Database,
  table: SQLiteTable & { readonly id: SQLiteColumn },
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(inArray(table.id, inList(ids)))
    .all();
  return new Set(ids).difference(new Set(rows.map(({ id }) => String(id))));
}
