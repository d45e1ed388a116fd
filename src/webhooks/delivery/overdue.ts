import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { MINUTE } from "../../core/clock.ts";
import type { Cell } from "../../db/client.ts";
import { deliveryAttempts, endpoints, events } from "../../db/schema/webhooks.ts";
import { isInState } from "../endpoints/delivery-state.ts";
import { freeSlots, MAX_CONCURRENT_ATTEMPTS, restoredState } from "./endpoint-health.ts";

/**
 * Ids of the endpoints with pending deliveries (a row of `events` is an event with its delivery), found by a loose index scan: one seek each, however many deliveries they have.
 */
const lanes = sql`(WITH RECURSIVE lane (id) AS (
    SELECT MIN(endpoint_id) FROM ${events} WHERE state = 'pending'
    UNION ALL
    SELECT (SELECT MIN(endpoint_id) FROM ${events} WHERE state = 'pending' AND endpoint_id > lane.id) FROM lane WHERE lane.id IS NOT NULL
  ) SELECT id FROM lane) AS lanes`;

/**
 * The due time of the first delivery of an endpoint. `waiting` 1: among deliveries that wait for a slot; 0: among the
 * others. One seek in the index.
 */
const firstDue = (waiting: 0 | 1) =>
  sql`COALESCE((SELECT MIN(next_attempt_at) FROM ${events} AS due
    WHERE due.endpoint_id = ${endpoints.id} AND due.state = 'pending' AND due.waiting = ${waiting}), ${Number.MAX_SAFE_INTEGER})`;

/** The due time of the delivery that has been due for the longest time, among endpoints that take deliveries now. */
export function earliestDueTime(db: Cell, now: number) {
  const first = sql`MIN(${firstDue(0)}, ${firstDue(1)})`;
  return db
    .select({ since: sql<number | null>`MIN(${first})` })
    .from(lanes)
    .innerJoin(endpoints, sql`${endpoints.id} = lanes.id`)
    .where(and(eq(endpoints.status, "active"), lte(endpoints.cooldownUntil, now), sql`${first} <= ${now}`));
}

/** The deliveries of {@link earliestDueTime}, the longest due first. */
export function overdueDeliveries(db: Cell, now: number, limit: number) {
  const { id, partnerId, environment, name, nextAttemptAt } = events;
  return db
    .select({ id, partnerId, environment, what: name, since: nextAttemptAt })
    .from(lanes)
    .innerJoin(endpoints, sql`${endpoints.id} = lanes.id`)
    .innerJoin(events, and(sql`${events.endpointId} = lanes.id`, isInState("pending"), lte(nextAttemptAt, now)))
    .where(and(eq(endpoints.status, "active"), lte(endpoints.cooldownUntil, now)))
    .orderBy(nextAttemptAt)
    .limit(limit);
}

/** The maximum number of deliveries per sweep; the next sweep continues. */
const BATCH_LIMIT = 10_000;

/** The first lost attempt is retried at once. Each further lost attempt of a delivery adds this delay to the retry. */
const LOST_RETRY_DELAY = 1 * MINUTE;

/**
 * Recovers the deliveries that no consumer is processing, in one D1 round trip. A claim older than `claimedBefore`
 * belongs to a dead consumer: the attempt becomes `lost` and does not count for the schedule, and the delivery is
 * released. A pending delivery that was due before `dueBefore` has lost its queue message: it is marked as waiting for
 * a slot, so that a consumer of the same endpoint continues with it. Returns the deliveries to enqueue: for each active endpoint without a cooldown,
 * the longest waiting deliveries, as many as it has free slots.
 */
export async function recoverOverdueDeliveries(db: Cell, now: number, dueBefore: number, claimedBefore: number): Promise<string[]> {
  const isDead = and(isInState("sending"), lte(events.claimedAt, claimedBefore));
  const lost = sql`(SELECT count(*) FROM ${deliveryAttempts} AS lost WHERE lost.event_id = ${events}.id AND lost.error_class = 'lost')`;
  const late = sql`(SELECT late.id FROM ${lanes} CROSS JOIN ${events} AS late ON late.endpoint_id = lanes.id
    WHERE late.state = 'pending' AND late.waiting = 0 AND late.next_attempt_at <= ${dueBefore} LIMIT ${BATCH_LIMIT})`;
  const first = sql`(SELECT id FROM ${events} AS first WHERE first.endpoint_id = ${endpoints.id} AND first.state = 'pending' AND first.waiting = 1
    ORDER BY first.next_attempt_at LIMIT ${MAX_CONCURRENT_ATTEMPTS})`;
  // The batch runs in this order: `lost` already counts the attempts that its first statement inserts.
  const [, , , waiting] = await db.batch([
    db
      .insert(deliveryAttempts)
      .select(
        sql`SELECT ${events.id}, ${events.attempts}, ${events.claimedAt}, NULL, 0, 'lost', ${events.stateBeforeResend} IS NOT NULL, NULL FROM ${events} WHERE ${isDead}`,
      )
      .onConflictDoNothing(),
    db
      .update(events)
      .set({
        state: restoredState,
        nextAttemptAt: sql`CASE WHEN ${events.stateBeforeResend} IS NULL THEN ${now} + ${LOST_RETRY_DELAY} * (${lost} - 1) ELSE ${events.nextAttemptAt} END`,
        waiting: sql`${restoredState} = 'pending' AND CASE WHEN ${events.stateBeforeResend} IS NULL THEN ${lost} <= 1 ELSE ${events.nextAttemptAt} <= ${now} END`,
        claimedAt: null,
        stateBeforeResend: null,
        unscheduledAttempts: sql`${events.unscheduledAttempts} + (${events.stateBeforeResend} IS NULL)`,
      })
      .where(isDead),
    db.update(events).set({ waiting: true }).where(inArray(events.id, late)),
    db
      .select({ eventId: events.id, endpointId: events.endpointId, slots: freeSlots(sql`${endpoints}`) })
      .from(lanes)
      .innerJoin(endpoints, sql`${endpoints.id} = lanes.id`)
      .innerJoin(events, sql`${events.id} IN ${first}`)
      .where(and(eq(endpoints.status, "active"), lte(endpoints.cooldownUntil, now)))
      .orderBy(events.nextAttemptAt)
      .limit(BATCH_LIMIT),
  ]);
  const taken = new Map<string, number>();
  return waiting.flatMap(({ eventId, endpointId, slots }) => {
    const before = taken.get(endpointId) ?? 0;
    taken.set(endpointId, before + 1);
    return before < slots ? [eventId] : [];
  });
}
