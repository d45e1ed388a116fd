import { and, asc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { type Database, runBatch, type Statement } from "./client.ts";
import { walks } from "./schema/retention.ts";

/** A walk through a table by the first column of its primary key, a text. */
interface Walk {
  readonly name: string;
  readonly table: SQLiteTable;
  readonly key: SQLiteColumn;
}

/** The result of one step. */
interface Step {
  readonly changed: number;
  readonly isAtEnd: boolean;
}

/** D1's result of a delete or update. */
const resultSchema = z.object({ meta: z.object({ changes: z.int() }) });

/** Rows per step. A step is two short round trips, so it blocks nothing. */
const ROWS_PER_STEP = 1_000;

/** The position of a walk; empty at the start of its table. One D1 round trip. */
export async function readPosition(db: Database, name: string): Promise<string> {
  return (await db.select({ position: walks.position }).from(walks).where(eq(walks.name, name)).get())?.position ?? "";
}

/** Stores the position of a walk. One D1 round trip. */
export async function writePosition(db: Database, name: string, position: string): Promise<void> {
  await runBatch(db, [setPosition(db, name, position)]);
}

/** The statement that stores the position. It joins the batch with the work of the step. */
export function setPosition(db: Database, name: string, position: string): Statement {
  return db
    .insert(walks)
    .values({ name, position })
    .onConflictDoUpdate({ target: walks.name, set: { position }, setWhere: sql`${walks.position} <> ${position}` });
}

/** SQL: whether a walk is still where it was read, so that no other run has done this step. */
export const isAt = (name: string, position: string): SQL =>
  sql`(SELECT ${walks.position} FROM ${walks} WHERE ${walks.name} = ${name}) = ${position}`;

/** The statement that takes a walk from one position to the next, unless another run has. It joins the batch with the work of the step. */
export function movePosition(db: Database, name: string, from: string, to: string): Statement {
  return db
    .update(walks)
    .set({ position: to })
    .where(and(eq(walks.name, name), eq(walks.position, from)));
}

/**
 * One step of a walk: applies `change` to the next rows, and stores the position. After the last row, the walk starts
 * again. So expired rows need no index, which would cost one row written for each row of the table. Returns the number
 * of changed rows, and whether the walk reached the end. Two D1 round trips.
 */
export async function walkRows(db: Database, { name, table, key }: Walk, change: (range: SQL | undefined) => Statement): Promise<Step> {
  const position = sql<string>`COALESCE((SELECT position FROM ${walks} WHERE ${walks.name} = ${name}), '')`;
  const [from, [last]] = await db.batch([
    db.select({ position: walks.position }).from(walks).where(eq(walks.name, name)),
    db
      .select({ key: sql<string>`${key}` })
      .from(table)
      .where(gt(key, position))
      .orderBy(asc(key))
      .limit(1)
      .offset(ROWS_PER_STEP - 1),
  ]);
  const start = from[0]?.position ?? "";
  const range = and(gt(key, start), last === undefined ? undefined : lte(key, last.key));
  const end = last?.key ?? "";
  const [changed] = await runBatch(db, [change(range), setPosition(db, name, end)]);
  return { changed: resultSchema.parse(changed).meta.changes, isAtEnd: last === undefined };
}
