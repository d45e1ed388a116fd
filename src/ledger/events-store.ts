import { and, count, desc, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { type Database, listed, type Statement } from "../db/client.ts";
import { processorEvents } from "../db/schema/ledger.ts";
import type { ListedEvent } from "../processor/events.ts";

/** What one statement takes: a parameter has at most 2 MB, and a message at most a mebibyte of payload. */
const MOST_PER_STATEMENT = 100;
const MOST_CHARACTERS = 400_000;

/** Stores events by their ids, and gives the ids of those that had not been stored before. One round trip for a hundred. */
export async function insertProcessorEvents(db: Database, events: readonly ListedEvent[], now: number): Promise<string[]> {
  const isNew: string[] = [];
  for (const some of inPortions(events)) {
    const rows = some.map(({ event, payload }) => ({ ...event, payload }));
    const fields = sql.raw(["id", "environment", "type", "objectId", "payload"].map((name) => `value ->> '${name}'`).join());
    const values = sql`SELECT ${fields}, 'received', 0, ${now}, NULL, ${now}, NULL FROM json_each(${JSON.stringify(rows)}) WHERE TRUE`;
    const stored = await db.insert(processorEvents).select(values).onConflictDoNothing().returning({ id: processorEvents.id });
    isNew.push(...stored.map(({ id }) => id));
  }
  return isNew;
}

function inPortions(events: readonly ListedEvent[]): ListedEvent[][] {
  const portions: ListedEvent[][] = [];
  let room = 0;
  for (const listedEvent of events) {
    const last = portions.at(-1);
    if (last === undefined || last.length >= MOST_PER_STATEMENT || room < listedEvent.payload.length) {
      portions.push([listedEvent]);
      room = MOST_CHARACTERS;
    } else {
      last.push(listedEvent);
    }
    room -= listedEvent.payload.length;
  }
  return portions;
}

/** Which of these events never came. */
export async function missingProcessorEvents(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: processorEvents.id })
    .from(processorEvents)
    .where(inArray(processorEvents.id, listed(ids)))
    .all();
  return new Set(ids).difference(new Set(rows.map(({ id }) => id)));
}

/**
 * Claims a stored event that is due, and schedules its next attempt by `waitOf` (milliseconds, from the number of
 * attempts with this one). Undefined where it is not due, done, parked, or claimed by another message.
 */
export async function claimProcessorEvent(db: Database, id: string, now: number, waitOf: (attempts: number) => number) {
  const event = await db.select().from(processorEvents).where(eq(processorEvents.id, id)).get();
  if (event === undefined || event.state !== "received" || event.nextAttemptAt > now) return undefined;
  const attempts = event.attempts + 1;
  return db
    .update(processorEvents)
    .set({ attempts, nextAttemptAt: now + waitOf(attempts) })
    .where(and(eq(processorEvents.id, id), eq(processorEvents.state, "received"), eq(processorEvents.attempts, event.attempts)))
    .returning()
    .get();
}

export type ClaimedEvent = typeof processorEvents.$inferSelect;

/** The event needs no further attempt, and what it brought is let go of: its row stays, so that it is never taken in again. */
export function markProcessed(db: Database, id: string, now: number): Statement {
  return db
    .update(processorEvents)
    .set({ state: "processed", processedAt: now, lastError: null, payload: "{}" })
    .where(eq(processorEvents.id, id));
}

/** The event was looked at, without a failure, and is to be looked at again. */
export function markLooked(db: Database, id: string): Statement {
  return db.update(processorEvents).set({ lastError: null }).where(eq(processorEvents.id, id));
}

/** Notes why an attempt failed, unless a later one has been made or has succeeded. */
export async function markFailed(
  db: Database,
  attempt: { id: string; attempts: number },
  lastError: string,
  parked: boolean,
): Promise<void> {
  await db
    .update(processorEvents)
    .set(parked ? { lastError, state: "parked" } : { lastError })
    .where(and(eq(processorEvents.id, attempt.id), eq(processorEvents.state, "received"), eq(processorEvents.attempts, attempt.attempts)));
}

/** Stored events that are due and that no queue message has seen to, oldest first. */
export async function overdueProcessorEvents(db: Database, dueBefore: number, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: processorEvents.id })
    .from(processorEvents)
    // Written out, not bound: only then does SQLite see that the partial index of this state serves.
    .where(and(sql`${processorEvents.state} = 'received'`, lte(processorEvents.nextAttemptAt, dueBefore)))
    .orderBy(processorEvents.nextAttemptAt)
    .limit(limit)
    .all();
  return rows.map(({ id }) => id);
}

// Written out, not bound, as above.
const PARKED = sql`${processorEvents.state} = 'parked'`;

export function countParkedEvents(db: Database) {
  return db.select({ count: count() }).from(processorEvents).where(PARKED);
}

/** The events that were given up, newest first; what they brought stays in their rows. */
export function parkedEvents(db: Database, limit: number) {
  const { id, type, environment, objectId, attempts, lastError, receivedAt } = processorEvents;
  return db
    .select({ id, type, environment, objectId, attempts, lastError, receivedAt })
    .from(processorEvents)
    .where(PARKED)
    .orderBy(desc(receivedAt))
    .limit(limit);
}

/** Holds as long as the event is parked. */
export function isParked(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${processorEvents} WHERE ${processorEvents.id} = ${id} AND ${processorEvents.state} = 'parked')`;
}

/** Puts a parked event back to the start of its schedule; no other. */
export function unpark(db: Database, id: string, now: number) {
  return db
    .update(processorEvents)
    .set({ state: "received", attempts: 0, nextAttemptAt: now })
    .where(and(eq(processorEvents.id, id), eq(processorEvents.state, "parked")))
    .returning({ id: processorEvents.id });
}
