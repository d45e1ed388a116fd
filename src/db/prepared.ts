import { getTableColumns, getTableName, type SQL } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { Database, Statement } from "./client.ts";

/** A value of a bound parameter. */
export type Value = string | number | null;

/** A row from the database: values by column name. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** A statement and the function that reads its rows. */
export interface Prepared<Row> {
  readonly statement: D1PreparedStatement;
  readonly read: (stored: StoredRow) => Row;
  /** Its rows. One round trip. */
  readonly all: () => Promise<Row[]>;
}

/** Pairs a statement with the function that reads its rows. */
export function preparedQuery<Row>(statement: D1PreparedStatement, read: Prepared<Row>["read"]): Prepared<Row> {
  return { statement, read, all: async () => (await statement.all<StoredRow>()).results.map(read) };
}

/** SQL texts that are built once per isolate. For a short request, building the text costs as much as running it. */
const texts = new Map<string, string>();

/** A statement of the query builder, with its parameters. */
type Built = Pick<Statement, "toSQL">;

/**
 * A statement whose SQL text is built once. `name` identifies the text, so different texts need different names.
 * `values` are the parameters in order. @throws when the text is built, if `values` are not the query builder's
 * parameters
 */
export function prepareOnce(db: Database, name: string, build: () => Built, values: readonly Value[]): D1PreparedStatement {
  const text = texts.get(name) ?? textOf(build(), name, values);
  texts.set(name, text);
  return db.$client.prepare(text).bind(...values);
}

function textOf(built: Built, name: string, values: readonly Value[]): string {
  const { sql, params } = built.toSQL();
  const differs = params.findIndex((param, index) => param !== values[index]);
  if (params.length !== values.length || differs !== -1)
    throw new Error(
      `the statement ${name} has other parameters than its text: ${values.length} of ${params.length}${differs === -1 ? "" : `, the ${differs + 1}. is another`}. The query builder sets columns in the order of the table`,
    );
  return sql;
}

const valueSchema = z.union([z.string(), z.number(), z.null()]);

/** The values of a row that are set, by column name, in column order, in the stored form. */
export function storedValues(table: SQLiteTable, row: Readonly<Record<string, unknown>>): (readonly [name: string, value: Value])[] {
  return Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    const value = row[name];
    if (value === undefined) return [];
    return [[name, value === null ? null : valueSchema.parse(column.mapToDriverValue(value))] as const];
  });
}

/** Inserts a row into a table without column defaults: a missing value is null. */
export function insertOnce<Table extends SQLiteTable>(db: Database, table: Table, row: Table["$inferInsert"]): D1PreparedStatement {
  const values = storedValues(table, row);
  const name = `insert ${getTableName(table)} ${values.map(([column]) => column).join()}`;
  return prepareOnce(
    db,
    name,
    () => db.insert(table).values(row),
    values.map(([, value]) => value),
  );
}

/** A write: a statement of the query builder, or one whose text was built once. */
export type Write = Statement | D1PreparedStatement;

/** Executes statements in one transaction and ignores their results. One round trip. */
export async function writeAll(db: Database, writes: readonly Write[]): Promise<void> {
  await db.$client.batch(
    writes.map((write) => {
      if ("bind" in write) return write;
      const { sql, params } = write.toSQL();
      return db.$client.prepare(sql).bind(...params);
    }),
  );
}

/** What a query selects: columns, and expressions that have a name. */
type Selected = Readonly<Record<string, SQLiteColumn | SQL.Aliased>>;

/** The reader for the rows of a selection, as the query builder maps them. For all columns of a table: `getTableColumns`. */
export function readerOf<Fields extends Selected>(selected: Fields): (stored: StoredRow) => SelectResultFields<Fields> {
  const fields = Object.entries(selected);
  return (stored) => {
    const row: Record<string, unknown> = {};
    for (const [name, field] of fields) {
      const value = stored["fieldAlias" in field ? field.fieldAlias : field.name] ?? null;
      row[name] = value === null || "fieldAlias" in field ? value : field.mapFromDriverValue(value);
    }
    // Each field has its value, of the type that the schema says.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return row as SelectResultFields<Fields>;
  };
}

/** The rows of two statements in one database. One round trip. */
export async function rowsOfBoth<One, Other>(db: Database, one: Prepared<One>, other: Prepared<Other>): Promise<[One[], Other[]]> {
  const [first, second] = await db.$client.batch<StoredRow>([one.statement, other.statement]);
  return [(first?.results ?? []).map(one.read), (second?.results ?? []).map(other.read)];
}
