import { and, desc, eq, gte, inArray, lte, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import type { Database, Statement } from "../db/client.ts";
import { movements, processorEvents, processorObjects, sweeps } from "../db/schema/ledger.ts";
import type { ProcessorEvent } from "../processor/events.ts";
import type { ProcessorObject } from "../processor/port.ts";
import type { Movement } from "./movement.ts";

/**
 * The movement as the processor had it at `asOf`, unless a later look has been written already: two looks at one
 * charge may be written in the wrong order. Whose it is, once known, never changes.
 */
export function upsertMovement(db: Database, movement: Movement, asOf: number): Statement {
  const { fee, net, status, description, isSubscription, clientReferenceId, paymentIntentId, subscriptionId } = movement;
  return db
    .insert(movements)
    .values({ ...movement, updatedAt: asOf })
    .onConflictDoUpdate({
      target: movements.id,
      set: {
        fee,
        net,
        status,
        description,
        isSubscription,
        clientReferenceId,
        paymentIntentId,
        subscriptionId,
        partnerId: sql`COALESCE(${movements.partnerId}, excluded.partner_id)`,
        updatedAt: asOf,
      },
      setWhere: lte(movements.updatedAt, asOf),
    });
}

/** The object as the processor had it at `asOf`, unless a later look has been written already. */
export function upsertProcessorObject(
  db: Database,
  object: ProcessorObject,
  environment: Environment,
  paymentIntentId: string | null,
  asOf: number,
): Statement {
  const data = JSON.stringify(object.data);
  return db
    .insert(processorObjects)
    .values({ id: object.id, type: object.type, environment, paymentIntentId, data, fetchedAt: asOf })
    .onConflictDoUpdate({
      target: processorObjects.id,
      set: { data, paymentIntentId, fetchedAt: asOf },
      setWhere: lte(processorObjects.fetchedAt, asOf),
    });
}

export interface MovementFilter {
  readonly partnerId: string;
  readonly environment: Environment | undefined;
  /** Unix milliseconds, inclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly clientReferenceId: string | undefined;
  readonly limit: number;
}

/** A partner's latest movements, newest first. One round trip, by index, no more rows than asked for. */
export async function listMovements(db: Database, filter: MovementFilter): Promise<Movement[]> {
  return db
    .select()
    .from(movements)
    .where(
      and(
        eq(movements.partnerId, filter.partnerId),
        filter.environment === undefined ? undefined : eq(movements.environment, filter.environment),
        filter.clientReferenceId === undefined ? undefined : eq(movements.clientReferenceId, filter.clientReferenceId),
        filter.from === undefined ? undefined : gte(movements.transactionDate, filter.from),
        filter.to === undefined ? undefined : lte(movements.transactionDate, filter.to),
      ),
    )
    .orderBy(desc(movements.transactionDate), desc(movements.id))
    .limit(filter.limit)
    .all();
}

/** Which of these movements are not in the ledger. */
export async function missingMovements(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const wanted = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const rows = await db.select({ id: movements.id }).from(movements).where(inArray(movements.id, wanted)).all();
  const known = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => !known.has(id)));
}

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

/** How far a sweep has come, if it ever ran. */
export async function findSweep(db: Database, name: string) {
  return db.select().from(sweeps).where(eq(sweeps.name, name)).get();
}

/** Notes how far a sweep has come, never back, and how many movements it found that events had missed. */
export async function recordSweep(db: Database, name: string, cursor: number, found: number, now: number): Promise<void> {
  await db
    .insert(sweeps)
    .values({ name, cursor, found, updatedAt: now })
    .onConflictDoUpdate({
      target: sweeps.name,
      set: { cursor: sql`MAX(${sweeps.cursor}, ${cursor})`, found: sql`${sweeps.found} + ${found}`, updatedAt: now },
    });
}
