import { and, count, desc, eq, inArray, lte, sql } from "drizzle-orm";
import { type Database, listed, type Statement } from "../db/client.ts";
import { processorEvents } from "../db/schema/ledger.ts";
import type { ListedEvent } from "../processor/events.ts";

/** So many events are stored in one round trip. */
const PER_BATCH = 50;

/** Stores events by their ids, and gives the ids of those that had not been stored before. */
export async function insertProcessorEvents(db: Database, events: readonly ListedEvent[], now: number): Promise<string[]> {
  const isNew: string[] = [];
  for (let start = 0; start < events.length; start += PER_BATCH) {
    const [first, ...rest] = events.slice(start, start + PER_BATCH).map(({ event, payload }) => {
      const { id, type, environment, objectId } = event;
      return db
        .insert(processorEvents)
        .values({ id, type, environment, objectId, payload, state: "received", nextAttemptAt: now, receivedAt: now })
        .onConflictDoNothing()
        .returning({ id: processorEvents.id });
    });
    if (first !== undefined) isNew.push(...(await db.batch([first, ...rest])).flat().map(({ id }) => id));
  }
  return isNew;
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

/** The event needs no further attempt. */
export function markProcessed(db: Database, id: string, now: number): Statement {
  return db.update(processorEvents).set({ state: "processed", processedAt: now, lastError: null }).where(eq(processorEvents.id, id));
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

export async function isParked(db: Database, id: string): Promise<boolean> {
  const row = await db.select({ state: processorEvents.state }).from(processorEvents).where(eq(processorEvents.id, id)).get();
  return row?.state === "parked";
}

/** Puts a parked event back to the start of its schedule; no other. */
export function unpark(db: Database, id: string, now: number): Statement {
  return db
    .update(processorEvents)
    .set({ state: "received", attempts: 0, nextAttemptAt: now })
    .where(and(eq(processorEvents.id, id), eq(processorEvents.state, "parked")));
}
