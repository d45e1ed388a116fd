import { and, eq, lte, sql } from "drizzle-orm";
import type { Database, Statement } from "../db/client.ts";
import { processorEvents } from "../db/schema/ledger.ts";
import type { ProcessorEvent } from "../processor/events.ts";

/** Stores an event by its id; false where it had been stored before. One round trip. */
export async function insertProcessorEvent(db: Database, event: ProcessorEvent, payload: string, now: number): Promise<boolean> {
  const { id, type, environment, objectId } = event;
  const inserted = await db
    .insert(processorEvents)
    .values({ id, type, environment, objectId, payload, state: "received", nextAttemptAt: now, receivedAt: now })
    .onConflictDoNothing()
    .returning({ id: processorEvents.id });
  return inserted.length > 0;
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
