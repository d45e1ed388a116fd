import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type * as z from "zod";
import type { CellCode } from "../core/cell-code.ts";
import type { Clock } from "../core/clock.ts";

/** A D1 database: the directory or a cell. A module uses this type if its tables exist in both. */
export type Database = ReturnType<typeof drizzle<Record<string, never>, D1Database>>;

/** The directory: partners, their keys and products, the location of their data, and data without an owner. */
export type Directory = Database & { readonly kind: "directory" };

/** A cell: the data of some partners. */
export type Cell = Database & { readonly kind: "cell" };

/** A cell, and its name. */
export interface NamedCell {
  readonly databaseName: CellCode;
  readonly db: Cell;
}

/** What most functions about rows of the directory need. */
export interface InDirectory {
  readonly directory: Directory;
  readonly clock: Clock;
}

/** A built statement, for a batch. */
export type Statement = BatchItem<"sqlite"> & { toSQL(): { readonly sql: string; readonly params: unknown[] } };

/** The query builder over the directory. Each awaited query or batch is one round trip. */
export function connectDirectory(d1: D1Database): Directory {
  return Object.assign(drizzle(d1), { kind: "directory" as const });
}

/** The query builder over a cell. */
export function connectCell(d1: D1Database): Cell {
  return Object.assign(drizzle(d1), { kind: "cell" as const });
}

/** A query that has not run. It can join a batch, or be awaited alone. */
export type Query<Row> = RunnableQuery<Row[], "sqlite"> & PromiseLike<Row[]>;

/** A list of values as one parameter, for `IN`: a statement allows 100 parameters, and a list may be longer. */
export function inList(values: readonly (string | number | null)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** Ids in one parameter, which may hold two million bytes. */
const MOST_IDS = 20_000;

/** SQL condition: a column has none of some ids, of which there may be any number. */
export function isNotAmong(column: SQLWrapper, ids: readonly string[]): SQL {
  const parts = Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, part) => ids.slice(part * MOST_IDS, (part + 1) * MOST_IDS));
  return sql.join([sql`TRUE`, ...parts.map((some) => sql`${column} NOT IN ${inList(some)}`)], sql` AND `);
}

/** Executes statements in one transaction. Returns the result of each. */
export async function runBatch(db: Database, statements: readonly Statement[]): Promise<readonly unknown[]> {
  const [first, ...rest] = statements;
  return first === undefined ? [] : db.batch([first, ...rest]);
}

/** The rows that the statements of a batch returned, whichever statement did. {@link rowsOfKind} reads them. */
export type ReturnedRows = readonly unknown[];

/** Of the rows that a batch returned, those of one kind. Each kind has column names that no other kind has. */
export function rowsOfKind<Row>(returned: ReturnedRows, kind: z.ZodType<Row>): Row[] {
  return returned.flatMap((row) => {
    const { success, data } = kind.safeParse(row);
    return success ? [data] : [];
  });
}

/**
 * The column of a constraint violation, as `table.column`. Null if `thrown` is another error. SQLite gives the column
 * only in the message, and the query builder may have wrapped the error.
 */
export function violatedColumn(thrown: unknown): string | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const match = /constraint failed: (\w+\.\w+)/.exec(error.message);
    if (match?.[1] !== undefined) return match[1];
  }
  return null;
}
