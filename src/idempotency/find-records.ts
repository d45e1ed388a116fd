import { and, eq, inArray, lt, lte, or, sql } from "drizzle-orm";
import { type Cell, inList } from "../db/client.ts";
import { idempotencyRecords } from "../db/schema/idempotency.ts";
import type { IdempotencyRecord } from "./store.ts";

// The texts match the conditions of the partial indexes.
const IS_RUNNING = sql`${idempotencyRecords.state} IN ('running', 'awaiting_short_link') AND ${idempotencyRecords.state} = 'running'`;

/**
 * Operations that nothing but a repeat of their caller resumes: one that was left is no work of ours. Their workflows say so, too
 * (`autoResume`), and a test compares both.
 */
export const RESUMED_BY_CALLER: readonly string[] = ["register-partner-notifications-webhook", "rotate-partner-webhook-secret"];
const IS_OURS = sql`${IS_RUNNING} AND ${idempotencyRecords.operation} NOT IN ${inList(RESUMED_BY_CALLER)}`;

const { compensateAt, resumable } = idempotencyRecords;
/** Since when a failed attempt should have been undone. */
const DUE_FOR_UNDOING = sql`CASE WHEN ${resumable} THEN ${compensateAt} ELSE ${idempotencyRecords.updatedAt} END`;
const isToUndo = (now: number) => and(sql`${compensateAt} IS NOT NULL`, or(sql`NOT ${resumable}`, lte(compensateAt, now)));

/** Failed records that are due for compensation, longest due first. */
export async function recordsToCompensate(db: Cell, now: number, limit: number) {
  return db
    .select({ id: idempotencyRecords.id, operation: idempotencyRecords.operation })
    .from(idempotencyRecords)
    .where(and(sql`${idempotencyRecords.compensateAt} IS NOT NULL`, lt(idempotencyRecords.compensateAt, now)))
    .orderBy(idempotencyRecords.compensateAt)
    .limit(limit)
    .all();
}

/**
 * Unfinished records of these operations without an update for longer than `grace`, oldest start first. Their callers
 * did not retry. After a failed retry, a record waits for half of its age, at most `longestWait`.
 */
export async function unfinishedRecords(
  db: Cell,
  operations: readonly string[],
  {
    now,
    grace,
    longestWait,
    limit,
  }: { readonly now: number; readonly grace: number; readonly longestWait: number; readonly limit: number },
): Promise<IdempotencyRecord[]> {
  const { state, generation, updatedAt, begunAt, operation } = idempotencyRecords;
  return db
    .select()
    .from(idempotencyRecords)
    .where(
      and(
        // The text must match the condition of the partial index.
        sql`${state} IN ('running', 'awaiting_short_link')`,
        // In the first generation a missing short link must be completed manually.
        sql`(${state} = 'running' OR ${generation} = 'v2')`,
        lt(updatedAt, now - grace),
        sql`${now} - ${updatedAt} > MIN(${longestWait}, (${updatedAt} - ${begunAt}) / 2)`,
        inArray(operation, [...operations]),
      ),
    )
    .orderBy(begunAt)
    .limit(limit)
    .all();
}

/** The records with these ids. One round trip. */
export async function readRecords(db: Cell, ids: readonly string[]): Promise<IdempotencyRecord[]> {
  return db
    .select()
    .from(idempotencyRecords)
    .where(inArray(idempotencyRecords.id, inList(ids)))
    .all();
}

/** The ids of the records that a request started or resumed. One round trip. */
export async function recordsOfRequest(db: Cell, requestId: string) {
  const { id, partnerId } = idempotencyRecords;
  return db.select({ id, partnerId }).from(idempotencyRecords).where(eq(idempotencyRecords.requestId, requestId)).limit(20).all();
}

/** Records that lack only their short link, oldest first, after a given one; from a start on (Unix milliseconds). */
export async function recordsWithoutShortLink(db: Cell, after: { readonly begunAt: number; readonly id: string }, limit: number) {
  const { id, partnerId, operation, progress, begunAt } = idempotencyRecords;
  return db
    .select({ id, partnerId, operation, progress, begunAt })
    .from(idempotencyRecords)
    .where(
      and(
        // The text must match the condition of the partial index.
        sql`state IN ('running', 'awaiting_short_link') AND state = 'awaiting_short_link'`,
        sql`(${begunAt}, ${id}) > (${after.begunAt}, ${after.id})`,
      ),
    )
    .orderBy(begunAt, id)
    .limit(limit)
    .all();
}

/** The start time of the oldest operation that we have to finish, without records that lack only a short link. */
export function longestUnfinished(db: Cell) {
  return db
    .select({ since: sql<number | null>`MIN(${idempotencyRecords.begunAt})` })
    .from(idempotencyRecords)
    .where(IS_OURS);
}

/** The operations of {@link longestUnfinished}, the longest begun first. Each is found by the id of its request. */
export function unfinishedSince(db: Cell, limit: number) {
  const { requestId, partnerId, operation, begunAt } = idempotencyRecords;
  return db
    .select({ id: requestId, partnerId, what: operation, since: begunAt })
    .from(idempotencyRecords)
    .where(IS_OURS)
    .orderBy(begunAt)
    .limit(limit);
}

/**
 * The waiting time of the oldest compensation, counted from the failure of its attempt: each try moves the next due
 * time into the future.
 */
export function longestDueCompensation(db: Cell, now: number) {
  return db
    .select({ since: sql<number | null>`MIN(${DUE_FOR_UNDOING})` })
    .from(idempotencyRecords)
    .where(isToUndo(now));
}

/** The attempts of {@link longestDueCompensation}, the longest due first. */
export function dueCompensations(db: Cell, now: number, limit: number) {
  const { requestId, partnerId, operation } = idempotencyRecords;
  return db
    .select({ id: requestId, partnerId, what: operation, since: sql<number>`${DUE_FOR_UNDOING}` })
    .from(idempotencyRecords)
    .where(isToUndo(now))
    .orderBy(DUE_FOR_UNDOING)
    .limit(limit);
}
