import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client.ts";

/** A value of a bound parameter. */
export type Value = string | number | null;

/** A row as the database gives it: values by the names of the columns. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** A statement with what reads its rows. */
export interface Prepared<Row> {
  readonly statement: D1PreparedStatement;
  readonly read: (stored: StoredRow) => Row;
  /** Its rows. One round trip. */
  readonly all: () => Promise<Row[]>;
}

/** A statement, and what reads its rows. */
export function reading<Row>(statement: D1PreparedStatement, read: Prepared<Row>["read"]): Prepared<Row> {
  return { statement, read, all: async () => (await statement.all<StoredRow>()).results.map(read) };
}

/**
 * The texts of statements that are built once in the life of an isolate. Where a request is little more than its
 * statement, to build it anew costs as much as to run it.
 */
const texts = new Map<string, string>();

/**
 * A statement whose text was built once. `name` stands for the text: it must differ wherever the text does. `values` are
 * those of the parameters, in their order.
 */
export function prepareOnce(
  db: Database,
  name: string,
  build: () => { toSQL(): { readonly sql: string } },
  values: readonly Value[],
): D1PreparedStatement {
  const text = texts.get(name) ?? build().toSQL().sql;
  texts.set(name, text);
  return db.$client.prepare(text).bind(...values);
}

/** What reads the rows of a table, with all its columns, as the query builder would. */
export function readerOf<Table extends SQLiteTable>(table: Table): (stored: StoredRow) => Table["$inferSelect"] {
  const columns = Object.entries(getTableColumns(table));
  return (stored) => {
    const row: Record<string, unknown> = {};
    for (const [name, column] of columns) {
      const value = stored[column.name] ?? null;
      row[name] = value === null ? null : column.mapFromDriverValue(value);
    }
    return row;
  };
}

/** The rows of two statements of one database. One round trip. */
export async function rowsOfBoth<One, Other>(db: Database, one: Prepared<One>, other: Prepared<Other>): Promise<[One[], Other[]]> {
  const [first, second] = await db.$client.batch<StoredRow>([one.statement, other.statement]);
  return [(first?.results ?? []).map(one.read), (second?.results ?? []).map(other.read)];
}
