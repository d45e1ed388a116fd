import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { auditLog } from "../db/schema/audit.ts";

/** Something that a person did to somebody's data. */
export interface Change {
  /** Who, as the person called themselves. */
  readonly actor: string;
  /** What, for example `ledger.look`. */
  readonly action: string;
  /** The id of what it was done to. */
  readonly target: string;
  readonly details?: Readonly<Record<string, string | number | null>>;
}

/**
 * The row that tells of a change, to be written in one batch with it; none where `onlyIf` does not hold at that point of
 * the batch. `now` in Unix milliseconds.
 */
export function recordChange(db: Database, { actor, action, target, details = {} }: Change, now: number, onlyIf: SQL = sql`TRUE`) {
  return db.insert(auditLog).select(sql`SELECT NULL, ${now}, ${actor}, ${action}, ${target}, ${JSON.stringify(details)} WHERE ${onlyIf}`);
}
