import { and, count, desc, eq, gt, inArray, lte, not, or, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { type Database, inList } from "../db/client.ts";
import { isOlderThan, type PageKey } from "../db/page-key.ts";
import { processorEvents, type RefreshFailure, refreshes } from "../db/schema/ledger.ts";
import { isDismissed } from "./dismissals.ts";

export type PendingRefresh = typeof refreshes.$inferSelect;

/** An event that says what to fetch again. */
export type PendingEvent = Pick<typeof processorEvents.$inferSelect, "id" | "type" | "objectId">;

const isSubject = (subject: string) => eq(refreshes.subject, subject);
/** Events that arrived since the subject waits are pending. */
const IS_PENDING = sql`${processorEvents.subject} = ${refreshes.subject} AND ${processorEvents.receivedAt} >= ${refreshes.since}`;

/** A waiting subject and its events, in id order; undefined if it does not wait. One round trip. */
export async function readRefresh(db: Database, subject: string) {
  const [[refresh], events] = await db.batch([
    db.select().from(refreshes).where(isSubject(subject)),
    db
      .select({ id: processorEvents.id, type: processorEvents.type, objectId: processorEvents.objectId })
      .from(refreshes)
      .innerJoin(processorEvents, IS_PENDING)
      .where(isSubject(subject)),
  ]);
  return refresh && { refresh, events };
}

/** What {@link endRefresh} returns of a subject that stays due. */
export const dueAgainSchema = z.object({ dueAgain: z.string() });

/**
 * Ends the wait of a subject whose events `seen` are processed. If others have arrived, it stays due, and the second
 * statement returns it. Both go into one transaction with the recorded rows.
 */
export function endRefresh(db: Database, subject: string, seen: readonly PendingEvent[], now: number) {
  return [
    db.delete(refreshes).where(and(isSubject(subject), sql`NOT ${hasOthers(seen)}`)),
    db
      .update(refreshes)
      .set({ state: "due", attempts: 0, nextAttemptAt: now, lastError: null, failure: null })
      .where(isSubject(subject))
      .returning({ dueAgain: refreshes.subject }),
  ] as const;
}

/** The end of an unsuccessful attempt at a subject. */
interface Unsuccessful {
  /** When the next attempt is due. */
  readonly nextAttemptAt: number;
  /** The due time if another event has arrived since the attempt started: that event has not been tried. */
  readonly nextEventAt: number;
  /** Null if the attempt was only early. */
  readonly failure: { readonly kind: RefreshFailure; readonly message: string } | null;
  /** The state of the subject after the attempt. */
  readonly state: PendingRefresh["state"];
}

/**
 * Counts an attempt at a subject that tried its events `seen`. Does nothing if another attempt has ended in between.
 * Returns the state and the time of the next attempt, if this was the latest.
 */
export async function countAttempt(db: Database, tried: PendingRefresh, seen: readonly PendingEvent[], after: Unsuccessful) {
  const { nextAttemptAt, nextEventAt, failure, state } = after;
  const others = hasOthers(seen);
  const isLatest = and(isSubject(tried.subject), eq(refreshes.attempts, tried.attempts), eq(refreshes.since, tried.since), IS_DUE);
  return db
    .update(refreshes)
    .set({
      state: sql`CASE WHEN ${others} THEN 'due' ELSE ${state} END`,
      attempts: sql`CASE WHEN ${others} THEN 0 ELSE ${tried.attempts + 1} END`,
      nextAttemptAt: sql`CASE WHEN ${others} THEN ${nextEventAt} ELSE ${nextAttemptAt} END`,
      lastError: failure?.message ?? null,
      failure: failure?.kind ?? null,
    })
    .where(isLatest)
    .returning({ state: refreshes.state, nextAttemptAt: refreshes.nextAttemptAt })
    .get();
}

/** Whether an event is pending that is not among these. */
function hasOthers(seen: readonly PendingEvent[]): SQL {
  const ids = inList(seen.map(({ id }) => id));
  return sql`EXISTS (SELECT 1 FROM ${processorEvents} WHERE ${IS_PENDING} AND ${processorEvents.id} NOT IN ${ids})`;
}

// Literals, not bound parameters: only then does SQLite use the partial index for the state.
const IS_DUE = sql`${refreshes.state} = 'due'`;
const IN_STATE = { parked: sql`${refreshes.state} = 'parked'`, gone: sql`${refreshes.state} = 'gone'` };

/** The states of a subject that is tried no more. */
export const endedStates = ["parked", "gone"] as const;
export type EndedState = (typeof endedStates)[number];
const HAS_ENDED = sql`${refreshes.state} IN ('parked', 'gone')`;

/** A failure that says nothing about the processor: an object that does not exist keeps only itself waiting. */
const HAS_FAILED = sql`${refreshes.failure} IN ('outage', 'refused', 'internal')`;
/** A failure that may end when the processor answers again. */
const WAITS_FOR_PROCESSOR = sql`${refreshes.failure} IN ('outage', 'refused')`;

/** Subjects that should have been looked up by now: they are due, or have failed. */
const isLate = (now: number) => and(IS_DUE, or(HAS_FAILED, lte(refreshes.nextAttemptAt, now)));

/**
 * The start of the longest wait among subjects that are due or have failed. The time of the next attempt does not show
 * it, because each attempt moves it into the future.
 */
export function longestWaitingRefresh(db: Database, now: number) {
  return db
    .select({ since: sql<number | null>`MIN(${refreshes.since})` })
    .from(refreshes)
    .where(isLate(now));
}

/** The subjects of {@link longestWaitingRefresh}, the longest waiting first. */
export function lateRefreshes(db: Database, now: number, limit: number) {
  return db.select().from(refreshes).where(isLate(now)).orderBy(refreshes.since).limit(limit);
}

/** Whether a subject waits for a processor that did not answer. */
export async function isInOutage(db: Database): Promise<boolean> {
  const { subject } = refreshes;
  return (
    (await db
      .select({ subject })
      .from(refreshes)
      .where(and(IS_DUE, eq(refreshes.failure, "outage")))
      .limit(1)
      .get()) !== undefined
  );
}

/** The first subjects that wait for the processor, and whose next attempt comes after a time (Unix milliseconds). */
export async function firstFailed(db: Database, after: number, limit: number): Promise<string[]> {
  const waits = and(IS_DUE, WAITS_FOR_PROCESSOR, gt(refreshes.nextAttemptAt, after));
  const { subject, nextAttemptAt } = refreshes;
  return (await db.select({ subject }).from(refreshes).where(waits).orderBy(nextAttemptAt).limit(limit).all()).map((row) => row.subject);
}

/**
 * Makes all of {@link firstFailed} due, and returns their subjects. Those that met an outage have all attempts again; one
 * that was refused keeps its count, since otherwise the recoveries of others would keep it from ever being parked.
 */
export async function makeFailedDue(db: Database, after: number, now: number): Promise<string[]> {
  const rows = await db
    .update(refreshes)
    .set({ nextAttemptAt: now, attempts: sql`CASE WHEN ${refreshes.failure} = 'outage' THEN 0 ELSE ${refreshes.attempts} END` })
    .where(and(IS_DUE, WAITS_FOR_PROCESSOR, gt(refreshes.nextAttemptAt, after)))
    .returning({ subject: refreshes.subject });
  return rows.map(({ subject }) => subject);
}

/** Subjects that were due up to a time, and after another one, and were not refreshed, longest due first. In Unix milliseconds. */
export async function overdueRefreshes(
  db: Database,
  { after = -1, until }: { readonly after?: number; readonly until: number },
  limit: number,
): Promise<PendingRefresh[]> {
  return db
    .select()
    .from(refreshes)
    .where(and(IS_DUE, gt(refreshes.nextAttemptAt, after), lte(refreshes.nextAttemptAt, until)))
    .orderBy(refreshes.nextAttemptAt)
    .limit(limit)
    .all();
}

/**
 * Counts an attempt that never ended at each of these subjects that is still as overdue, and makes them due now. Returns their subjects.
 * Every event of theirs has waited for as long, so each was there when the attempt began.
 */
export async function countAttemptOfEach(
  db: Database,
  subjects: readonly string[],
  { until, now, most }: { readonly until: number; readonly now: number; readonly most: number },
) {
  const isOverdue = and(IS_DUE, lte(refreshes.nextAttemptAt, until), inArray(refreshes.subject, inList(subjects)));
  const rows = await db
    .update(refreshes)
    .set({
      attempts: sql`MAX(${refreshes.attempts}, MIN(${refreshes.attempts} + 1, ${most}))`,
      nextAttemptAt: now,
      lastError: sql`COALESCE(${refreshes.lastError}, ${UNENDED})`,
      failure: "internal",
    })
    .where(isOverdue)
    .returning({ subject: refreshes.subject });
  return rows.map(({ subject }) => subject);
}

/** What is said of an attempt that never ended. */
export const UNENDED = "no attempt finished";

/** A subject that was dismissed after its last attempt does not wait. */
const waitsIn = (state: EndedState) => and(IN_STATE[state], not(isDismissed(refreshes.subject, refreshes.nextAttemptAt)));

/** How many subjects are in a state and were not dismissed, and since when the oldest waits. */
export function countEnded(db: Database, state: EndedState) {
  return db
    .select({ count: count(), oldest: sql<number | null>`MIN(${refreshes.since})` })
    .from(refreshes)
    .where(waitsIn(state));
}

/** How many objects were found to be gone since a time (Unix milliseconds). */
export function countGoneSince(db: Database, since: number) {
  return db
    .select({ count: count() })
    .from(refreshes)
    .where(and(IN_STATE.gone, gt(refreshes.nextAttemptAt, since)));
}

/** Subjects in a state that were not dismissed, newest first, after a given one. */
export function newestEnded(db: Database, state: EndedState, before: PageKey | undefined, limit: number) {
  const isEarlier = isOlderThan(refreshes.since, refreshes.subject, before);
  return db
    .select()
    .from(refreshes)
    .where(and(waitsIn(state), isEarlier))
    .orderBy(desc(refreshes.since), desc(refreshes.subject))
    .limit(limit);
}

/** SQL condition: true while the subject is parked or gone. */
export function hasEnded(subject: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${refreshes} WHERE ${isSubject(subject)} AND ${HAS_ENDED})`;
}

/** Restarts the attempts at a subject that is parked or gone. Other subjects are not changed. */
export function requeueEnded(db: Database, subject: string, now: number) {
  return db
    .update(refreshes)
    .set({ state: "due", attempts: 0, nextAttemptAt: now, failure: null })
    .where(and(isSubject(subject), HAS_ENDED))
    .returning({ subject: refreshes.subject });
}
