import { and, desc, eq, gt, gte, inArray, isNull, like, ne, type SQL, sql } from "drizzle-orm";
import type { Actor } from "../core/actor.ts";
import { type Database, inList, type Statement } from "../db/client.ts";
import { auditLog } from "../db/schema/audit.ts";
import type { AuditAction } from "./actions.ts";

type Values = Readonly<Record<string, unknown>>;

/** An audited change that a person made. The values must hold no key, no secret and no address. */
export interface AuditEntry {
  readonly actor: Actor;
  /** The action, for example `ledger.refresh`. */
  readonly action: AuditAction;
  /** The id of the changed object. */
  readonly target: string;
  /** An SQL expression is evaluated in the transaction of the change. */
  readonly partnerId?: string | SQL | null;
  /** The changed values before the change. An SQL expression is evaluated in the transaction of the change. */
  readonly before?: Values | SQL;
  /** The values after the change, or the values that were requested. */
  readonly after?: Values;
}

/**
 * Builds the audit row of a change. Write it in one batch with the change, and before it. No row is written if `onlyIf` is
 * false at that point of the batch. `now` is in Unix milliseconds.
 */
export function auditRow(db: Database, entry: AuditEntry, now: number, onlyIf: SQL = sql`TRUE`): Statement {
  const { actor, action, target, partnerId = null, before, after } = entry;
  const old = before === undefined ? sql`NULL` : isSql(before) ? before : sql`${JSON.stringify(before)}`;
  return db
    .insert(auditLog)
    .select(
      sql`SELECT NULL, ${now}, ${actor.name}, ${actor.requestId}, ${action}, ${target}, ${partnerId}, ${old}, ${after === undefined ? null : JSON.stringify(after)} WHERE ${onlyIf}`,
    );
}

/** Like `auditRow`, of one change to each of many objects, in one statement. */
export function auditRowOfEach(
  db: Database,
  { actor, action, after }: Pick<AuditEntry, "actor" | "action" | "after">,
  objects: readonly { readonly target: string; readonly partnerId: string | null }[],
  now: number,
): Statement {
  return db
    .insert(auditLog)
    .select(
      sql`SELECT NULL, ${now}, ${actor.name}, ${actor.requestId}, ${action}, value ->> 'target', value ->> 'partnerId', NULL, ${after === undefined ? null : JSON.stringify(after)} FROM json_each(${JSON.stringify(objects)})`,
    );
}

/** Like `auditRow`, of one change to each row of a selection. `from`: the SQL behind FROM; `target`: the id of a row's object. */
export function auditRowOfRows(
  db: Database,
  { actor, action }: Pick<AuditEntry, "actor" | "action">,
  { target, from }: { readonly target: SQL; readonly from: SQL },
  now: number,
): Statement {
  return db
    .insert(auditLog)
    .select(sql`SELECT NULL, ${now}, ${actor.name}, ${actor.requestId}, ${action}, ${target}, NULL, NULL, NULL FROM ${from}`);
}

function isSql(values: Values | SQL): values is SQL {
  return "getSQL" in values;
}

/** Sets the partner of an audit entry that was written before the partner was known. */
export async function noteOwner(db: Database, { actor, action, target }: AuditEntry, partnerId: string): Promise<void> {
  const { requestId, action: done, target: to, partnerId: owner } = auditLog;
  const isEntry = and(eq(to, target), eq(done, action), eq(requestId, actor.requestId), isNull(owner));
  await db.update(auditLog).set({ partnerId }).where(isEntry);
}

/** Maximum number of entries that one query returns. */
const MAX_ENTRIES = 1_000;

/** The entries about some objects, unordered. Uses the index by target. */
export async function entriesOf(db: Database, targets: readonly string[]) {
  return db
    .select()
    .from(auditLog)
    .where(inArray(auditLog.target, inList(targets)))
    .limit(MAX_ENTRIES)
    .all();
}

/** The newest entry with one of some actions about each object. Uses the index by target. */
export async function lastEntriesOf(db: Database, targets: readonly string[], actions: readonly string[]) {
  const newest = sql`(SELECT MAX(id) FROM ${auditLog} WHERE ${inArray(auditLog.target, inList(targets))} AND ${inArray(auditLog.action, [...actions])} GROUP BY target)`;
  return db.select().from(auditLog).where(inArray(auditLog.id, newest)).all();
}

/** The ids of the objects whose values before an action, after a time, were like a text. Uses the index by time. */
export async function targetsChangedFrom(db: Database, action: AuditAction, before: string, since: number): Promise<string[]> {
  const isOne = and(gt(auditLog.at, since), eq(auditLog.action, action), like(auditLog.before, before));
  const rows = await db.selectDistinct({ target: auditLog.target }).from(auditLog).where(isOne).all();
  return rows.map(({ target }) => target);
}

/** The entries that one request wrote in a database, about a partner or about all, at most `limit`. By index. */
export async function entriesOfRequest(db: Database, requestId: string, limit: number, partnerId?: string) {
  const isOwn = partnerId === undefined ? undefined : eq(auditLog.partnerId, partnerId);
  const isOne = and(eq(auditLog.requestId, requestId), isOwn);
  return db.select().from(auditLog).where(isOne).limit(limit).all();
}

/**
 * Removes an address, in any case, from the values of all entries. Returns the number of entries that contained it. Reads the
 * whole log.
 */
export async function eraseFromAuditLog(db: Database, address: string): Promise<number> {
  const quoted = JSON.stringify(address).slice(1, -1).toLowerCase();
  const { id, before, after } = auditLog;
  const found = await db
    .select({ id, before, after })
    .from(auditLog)
    .where(sql`INSTR(LOWER(COALESCE(${before}, '') || COALESCE(${after}, '')), ${quoted}) > 0`)
    .all();
  const spelling = new RegExp(
    quoted.replaceAll(/[^a-z0-9@]/g, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`),
    "giu",
  );
  for (const entry of found) {
    const without = (values: string | null) => values?.replaceAll(spelling, "") ?? null;
    await db
      .update(auditLog)
      .set({ before: without(entry.before), after: without(entry.after) })
      .where(eq(id, entry.id));
  }
  return found.length;
}

/** Which entries to list. */
export interface AuditFilter {
  readonly partnerId?: string | undefined;
  readonly target?: string | undefined;
  readonly actor?: string | undefined;
  /** Only changes by others than these: names, or beginnings of names that end with a blank. */
  readonly notBy?: readonly string[] | undefined;
  readonly action?: string | undefined;
  readonly requestId?: string | undefined;
  /** Only entries from this time on, in Unix milliseconds. */
  readonly from?: number;
}

/** The entries of one database that come before a given one, newest first. */
export async function auditEntries(
  db: Database,
  { partnerId, target, actor, notBy = [], action, requestId, from }: AuditFilter,
  before: { readonly at: number; readonly id: number },
  limit: number,
) {
  return db
    .select()
    .from(auditLog)
    .where(
      and(
        sql`(${auditLog.at}, ${auditLog.id}) < (${before.at}, ${before.id})`,
        partnerId === undefined ? undefined : eq(auditLog.partnerId, partnerId),
        target === undefined ? undefined : eq(auditLog.target, target),
        actor === undefined ? undefined : eq(auditLog.actor, actor),
        ...notBy.map((name) =>
          name.endsWith(" ") ? sql`substr(${auditLog.actor}, 1, ${name.length}) <> ${name}` : ne(auditLog.actor, name),
        ),
        action === undefined ? undefined : eq(auditLog.action, action),
        requestId === undefined ? undefined : eq(auditLog.requestId, requestId),
        from === undefined ? undefined : gte(auditLog.at, from),
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(limit)
    .all();
}
