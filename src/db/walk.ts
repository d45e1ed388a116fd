import { and, asc, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { type Database, runBatch, type Statement } from "./client.ts";
import { walks } from "./schema/retention.ts";

/** A walk through a table, by the first column of its primary key, which is a text. */
interface Walk {
  readonly name: string;
  readonly table: SQLiteTable;
  readonly key: SQLiteColumn;
}

/** What a step has done. */
interface Step {
  readonly changed: number;
  readonly isAtEnd: boolean;
}

/** What D1 says of a statement that deletes or updates. */
const resultSchema = z.object({ meta: z.object({ changes: z.int() }) });

/** Rows that one step looks at. A step is two short round trips, so it holds up nothing. */
const ROWS_PER_STEP = 1_000;

/** Where a walk goes on; empty at the start of its table. One D1 round trip. */
export async function readPosition(db: Database, name: string): Promise<string> {
  return (await db.select({ position: walks.position }).from(walks).where(eq(walks.name, name)).get())?.position ?? "";
}

/** Remembers where a walk goes on. One D1 round trip. */
export async function writePosition(db: Database, name: string, position: string): Promise<void> {
  await runBatch(db, [setPosition(db, name, position)]);
}

/** The statement that remembers it. It goes into a batch with what was done until there. */
export function setPosition(db: Database, name: string, position: string): Statement {
  return db
    .insert(walks)
    .values({ name, position })
    .onConflictDoUpdate({ target: walks.name, set: { position }, setWhere: sql`${walks.position} <> ${position}` });
}

/**
 * One step of a walk: changes those of the next rows that `change` finds, and remembers where it ended. After the last
 * row, the walk begins anew. So what has expired needs no index, which would cost a row written for each row of the
 * table. Returns how many rows were changed, and whether the walk has reached its end. Two D1 round trips.
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
