import { env } from "cloudflare:workers";
import { getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as cell from "../../src/db/schema/cell.ts";
import * as directory from "../../src/db/schema/directory.ts";
import { cells } from "./cells.ts";

/** Tests read and write tables by these functions: after a rename they do not compile until they follow. */

type Columns<T extends SQLiteTable> = T["_"]["columns"];
type ColumnOf<T extends SQLiteTable> = Columns<T>[keyof Columns<T>]["_"]["name"] & string;
type Value = string | number | null;

/** A row as the database has it: names in snake case, booleans as 0 and 1. */
type Row<T extends SQLiteTable> = { [Name in ColumnOf<T>]: any };
type Some<T extends SQLiteTable> = { readonly [Name in ColumnOf<T>]?: Value | undefined };

interface Shown<T extends SQLiteTable> {
  /** All columns unless some are named. */
  readonly columns?: readonly ColumnOf<T>[];
  /** By the primary key unless a column is named. */
  readonly orderBy?: ColumnOf<T>;
}

function listOf(columns: object, operator: string, separator: string): string {
  const names = Object.keys(columns);
  return names.length === 0 ? "TRUE" : names.map((name) => `${name} ${operator} ?`).join(separator);
}

/** A table may be in more than one database. A test sees its rows wherever they are. */
function databasesOf(table: SQLiteTable): D1Database[] {
  const isIn = (tables: object) => Object.values(tables).includes(table);
  return [...(isIn(cell) ? cells : []), ...(isIn(directory) ? [env.DIRECTORY] : [])];
}

function prepared(db: D1Database, sql: string, ...parts: object[]): D1PreparedStatement {
  return db.prepare(`${sql} -- by the test`).bind(...parts.flatMap((part) => Object.values(part as Record<string, unknown>)));
}

/** The rows in which these columns have these values. */
export async function rowsOf<T extends SQLiteTable>(table: T, where: Some<T> = {}, { columns, orderBy }: Shown<T> = {}): Promise<Row<T>[]> {
  const shown = columns?.join() ?? "*";
  const sql = `SELECT ${shown} FROM ${getTableName(table)} WHERE ${listOf(where, "IS", " AND ")} ${orderBy === undefined ? "" : `ORDER BY ${orderBy}`}`;
  const found = await Promise.all(databasesOf(table).map((db) => prepared(db, sql, where).all<Row<T>>()));
  return found.flatMap(({ results }) => results);
}

/** The first such row; null where there is none. */
export async function rowOf<T extends SQLiteTable>(
  table: T,
  where: Some<T> = {},
  columns?: readonly ColumnOf<T>[],
): Promise<Row<T> | null> {
  return (await rowsOf(table, where, columns === undefined ? {} : { columns }))[0] ?? null;
}

/** One column of the first such row; null where there is none. */
export async function fieldOf<T extends SQLiteTable>(table: T, column: ColumnOf<T>, where: Some<T> = {}): Promise<any> {
  return (await rowOf(table, where))?.[column] ?? null;
}

export async function countOf<T extends SQLiteTable>(table: T, where: Some<T> = {}): Promise<number> {
  const sql = `SELECT count(*) AS count FROM ${getTableName(table)} WHERE ${listOf(where, "IS", " AND ")}`;
  const counts = await Promise.all(databasesOf(table).map((db) => prepared(db, sql, where).first<number>("count")));
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** Sets columns in all rows in which others have these values. Returns the number of rows. */
export async function updateRows<T extends SQLiteTable>(table: T, set: Some<T>, where: Some<T> = {}): Promise<number> {
  const sql = `UPDATE ${getTableName(table)} SET ${listOf(set, "=", ", ")} WHERE ${listOf(where, "IS", " AND ")}`;
  const done = await Promise.all(databasesOf(table).map((db) => prepared(db, sql, set, where).run()));
  return done.reduce((sum, { meta }) => sum + meta.changes, 0);
}

/** Inserts a row into the first database that has the table. */
export async function insertRow<T extends SQLiteTable>(table: T, row: Some<T>): Promise<void> {
  const [db] = databasesOf(table);
  if (db === undefined) throw new Error(`no database has ${getTableName(table)}`);
  const names = Object.keys(row);
  const sql = `INSERT INTO ${getTableName(table)} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
  await prepared(db, sql, row).run();
}

export async function deleteRows<T extends SQLiteTable>(table: T, where: Some<T> = {}): Promise<void> {
  const sql = `DELETE FROM ${getTableName(table)} WHERE ${listOf(where, "IS", " AND ")}`;
  for (const db of databasesOf(table)) await prepared(db, sql, where).run();
}

/** Empties tables, in this order. */
export async function emptyTables(...tables: readonly SQLiteTable[]): Promise<void> {
  for (const table of tables) await deleteRows(table);
}
