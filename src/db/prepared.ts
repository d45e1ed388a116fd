import { getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import type { Database, Statement } from "./client.ts";

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
export function preparedQuery<Row>(statement: D1PreparedStatement, read: Prepared<Row>["read"]): Prepared<Row> {
  return { statement, read, all: async () => (await statement.all<StoredRow>()).results.map(read) };
}

/**
 * The texts of statements that are built once in the life of an isolate. Where a request is little more than its
 * statement, to build it anew costs as much as to run it.
 */
const texts = new Map<string, string>();

/** A statement of the query builder, and what it would bind. */
type Built = Pick<Statement, "toSQL">;

/**
 * A statement whose text was built once. `name` stands for the text: it must differ wherever the text does. `values` are
 * those of the parameters, in their order. @throws if they are not what the query builder binds, when the text is built
 */
export function prepareOnce(db: Database, name: string, build: () => Built, values: readonly Value[]): D1PreparedStatement {
  const text = texts.get(name) ?? textOf(build(), name, values);
  texts.set(name, text);
  return db.$client.prepare(text).bind(...values);
}

function textOf(built: Built, name: string, values: readonly Value[]): string {
  const { sql, params } = built.toSQL();
  if (params.length !== values.length || params.some((param, index) => param !== values[index]))
    throw new Error(`the statement ${name} has other parameters than its text`);
  return sql;
}

const valueSchema = z.union([z.string(), z.number(), z.null()]);

/** The values of a row that are not left out, by the names of their columns, in the order of the columns, as they are stored. */
export function storedValues(table: SQLiteTable, row: Readonly<Record<string, unknown>>): (readonly [name: string, value: Value])[] {
  return Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
    const value = row[name];
    if (value === undefined) return [];
    return [[name, value === null ? null : valueSchema.parse(column.mapToDriverValue(value))] as const];
  });
}

/** Inserts a row into a table whose columns have no defaults: what the row leaves out is null. */
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

/** A statement that writes: one of the query builder, or one whose text was built once. */
export type Write = Statement | D1PreparedStatement;

/** Executes statements in one transaction whose results nobody needs. One round trip. */
export async function writeAll(db: Database, writes: readonly Write[]): Promise<void> {
  await db.$client.batch(
    writes.map((write) => {
      if ("bind" in write) return write;
      const { sql, params } = write.toSQL();
      return db.$client.prepare(sql).bind(...params);
    }),
  );
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
