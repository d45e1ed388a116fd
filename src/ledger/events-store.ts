import { and, count, desc, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../db/client.ts";
import { missingIds } from "../db/missing-ids.ts";
import { processorEvents } from "../db/schema/ledger.ts";
import type { ProcessorEvent } from "../processor/facts.ts";

/** Maximum number of events in one statement. */
const MAX_PER_STATEMENT = 500;

/** Stores events by their ids. Returns the ids that were not stored before. One round trip per 500 events. */
export async function insertProcessorEvents(db: Database, events: readonly ProcessorEvent[], now: number): Promise<string[]> {
  const isNew: string[] = [];
  const fields = sql.raw(["id", "environment", "type", "objectId"].map((name) => `value ->> '${name}'`).join());
  for (let start = 0; start < events.length; start += MAX_PER_STATEMENT) {
    const rows = JSON.stringify(events.slice(start, start + MAX_PER_STATEMENT));
    const values = sql`SELECT ${fields}, 'received', 0, ${now}, NULL, ${now}, NULL FROM json_each(${rows}) WHERE TRUE`;
    const stored = await db.insert(processorEvents).select(values).onConflictDoNothing().returning({ id: processorEvents.id });
    isNew.push(...stored.map(({ id }) => id));
  }
  return isNew;
}

/** The ids of the events that we never received. */
export function missingProcessorEvents(db: Database, ids: readonly string[]): Promise<Set<string>> {
  return missingIds(db, processorEvents, ids);
}

/**
 * Claims a stored event that is due, and schedules its next attempt. `delayFor` gives the delay in milliseconds for the
 * number of attempts, including this one. Undefined if the event is not due, processed, parked, or claimed by another
 * message.
 */
export async function claimProcessorEvent(db: Database, id: string, now: number, delayFor: (attempts: number) => number) {
  const event = await db.select().from(processorEvents).where(eq(processorEvents.id, id)).get();
  if (event === undefined || event.state !== "received" || event.nextAttemptAt > now) return undefined;
  const attempts = event.attempts + 1;
  return db
    .update(processorEvents)
    .set({ attempts, nextAttemptAt: now + delayFor(attempts) })
    .where(isLatest(event))
    .returning()
    .get();
}

export type ClaimedEvent = typeof processorEvents.$inferSelect;

/** The event needs no further attempt. Its row stays, so that the event is never stored again. */
export function markProcessed(db: Database, id: string, now: number): Statement {
  return db.update(processorEvents).set({ state: "processed", processedAt: now, lastError: null }).where(eq(processorEvents.id, id));
}

/** The attempt was early: the next one is due at `nextAttemptAt`, unless a later attempt has started or has succeeded. */
export function postpone(db: Database, attempt: Attempt, nextAttemptAt: number): Statement {
  return db.update(processorEvents).set({ nextAttemptAt, lastError: null }).where(isLatest(attempt));
}

type Attempt = Pick<ClaimedEvent, "id" | "attempts">;

function isLatest({ id, attempts }: Attempt) {
  return and(eq(processorEvents.id, id), eq(processorEvents.state, "received"), eq(processorEvents.attempts, attempts));
}

/** Stores why an attempt failed, unless a later attempt has started or has succeeded. */
export async function markFailed(db: Database, attempt: Attempt, lastError: string, parked: boolean): Promise<void> {
  await db
    .update(processorEvents)
    .set(parked ? { lastError, state: "parked" } : { lastError })
    .where(isLatest(attempt));
}

/** Stored events that are due and were not processed by a queue message, oldest first. */
export async function overdueProcessorEvents(db: Database, dueBefore: number, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: processorEvents.id })
    .from(processorEvents)
    // A literal, not a bound parameter: only then can SQLite use the partial index for this state.
    .where(and(sql`${processorEvents.state} = 'received'`, lte(processorEvents.nextAttemptAt, dueBefore)))
    .orderBy(processorEvents.nextAttemptAt)
    .limit(limit)
    .all();
  return rows.map(({ id }) => id);
}

// A literal, not a bound parameter, as above.
const PARKED = sql`${processorEvents.state} = 'parked'`;

export function countParkedEvents(db: Database) {
  return db.select({ count: count() }).from(processorEvents).where(PARKED);
}

/** The parked events, newest first. */
export function parkedEvents(db: Database, limit: number) {
  const { id, type, environment, objectId, attempts, lastError, receivedAt } = processorEvents;
  return db
    .select({ id, type, environment, objectId, attempts, lastError, receivedAt })
    .from(processorEvents)
    .where(PARKED)
    .orderBy(desc(receivedAt))
    .limit(limit);
}

/** SQL condition: true while the event is parked. */
export function isParked(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${processorEvents} WHERE ${processorEvents.id} = ${id} AND ${processorEvents.state} = 'parked')`;
}

/** Restarts the retry schedule of a parked event. Events in other states are not changed. */
export function requeueParked(db: Database, id: string, now: number) {
  return db
    .update(processorEvents)
    .set({ state: "received", attempts: 0, nextAttemptAt: now })
    .where(and(eq(processorEvents.id, id), eq(processorEvents.state, "parked")))
    .returning({ id: processorEvents.id });
}
