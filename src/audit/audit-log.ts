import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { auditLog } from "../db/schema/audit.ts";

/** An audited change that a person made. */
export interface AuditEntry {
  /** The name that the person gave. */
  readonly actor: string;
  /** The action, for example `ledger.look`. */
  readonly action: string;
  /** The id of the changed object. */
  readonly target: string;
  readonly details?: Readonly<Record<string, string | number | null>>;
}

/** Takes a text from the values of all entries. Returns the number of entries that had it. Reads the whole log. */
export async function eraseFromAuditLog(db: Database, text: string): Promise<number> {
  const quoted = JSON.stringify(text).slice(1, -1);
  const { meta } = await db
    .update(auditLog)
    .set({ details: sql`REPLACE(${auditLog.details}, ${quoted}, '')` })
    .where(sql`INSTR(${auditLog.details}, ${quoted}) > 0`);
  return meta.changes;
}

/**
 * Builds the audit row of a change. Write it in one batch with the change. No row is written if `onlyIf` is false at
 * that point of the batch. `now` is in Unix milliseconds.
 */
export function auditRow(db: Database, { actor, action, target, details = {} }: AuditEntry, now: number, onlyIf: SQL = sql`TRUE`) {
  return db.insert(auditLog).select(sql`SELECT NULL, ${now}, ${actor}, ${action}, ${target}, ${JSON.stringify(details)} WHERE ${onlyIf}`);
}
