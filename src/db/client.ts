import { type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";

export type Database = ReturnType<typeof openDatabase>;

/** A statement that was built but not sent, to go into a batch with others. */
export type Statement = BatchItem<"sqlite">;

/** The query builder over one D1 database. Each awaited query or batch is one round trip. */
export function openDatabase(d1: D1Database) {
  return drizzle(d1);
}

/** A list of values as one parameter, for `IN`: a statement takes 100 parameters, and a list may be longer. */
export function listed(values: readonly (string | number | null)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** Sends statements as one transaction: all of them hold, or none. */
export async function writeTogether(db: Database, statements: readonly Statement[]): Promise<void> {
  const [first, ...rest] = statements;
  if (first !== undefined) await db.batch([first, ...rest]);
}

/**
 * The column whose constraint the database refused to break, as `table.column`, or null where `thrown` is something
 * else. SQLite says it in the message alone, and the query builder may have wrapped that.
 */
export function violatedConstraint(thrown: unknown): string | null {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const match = /constraint failed: (\w+\.\w+)/.exec(error.message);
    if (match?.[1] !== undefined) return match[1];
  }
  return null;
}
