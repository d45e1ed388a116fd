import { getTableColumns, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "./client.ts";

/**
 * Inserts rows by one statement. All rows are one JSON parameter, so their number does not count against D1's
 * limit of a hundred parameters per statement; each column needs one more. A missing or null
 * value becomes the column's default, or null.
 */
export function insertRows<Table extends SQLiteTable>(db: Database, table: Table, rows: readonly Table["$inferInsert"][]): Statement {
  const values = Object.entries(getTableColumns(table)).map(([property, column]) => {
    const value = sql`json_extract(value, ${`$.${property}`})`;
    return column.default === undefined ? value : sql`COALESCE(${value}, ${column.default})`;
  });
  return db.insert(table).select(sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${JSON.stringify(rows)})`);
}
