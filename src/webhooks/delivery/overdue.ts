import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { MINUTE } from "../../core/clock.ts";
import type { Database } from "../../db/client.ts";
import { deliveries, deliveryAttempts, endpoints } from "../../db/schema/webhooks.ts";
import { freeSlots, MAX_CONCURRENT_ATTEMPTS, restoredState } from "./endpoint-health.ts";

// A literal, not a bound parameter: otherwise SQLite does not use the partial index on this state.
const isSending = sql`${deliveries.state} = 'sending'`;

/** The endpoints with waiting deliveries. Each is found by one seek in the index, however many of its deliveries wait. */
const lanes = sql`(WITH RECURSIVE lane (id) AS (
    SELECT MIN(endpoint_id) FROM ${deliveries} WHERE waiting = 1
    UNION ALL
    SELECT (SELECT MIN(endpoint_id) FROM ${deliveries} WHERE waiting = 1 AND endpoint_id > lane.id) FROM lane WHERE lane.id IS NOT NULL
  ) SELECT id FROM lane) AS lanes`;

/** The maximum number of deliveries per sweep; the next sweep continues. */
const BATCH_LIMIT = 10_000;

/** The first lost attempt is retried at once. Each further lost attempt of a delivery adds this delay to the retry. */
const LOST_RETRY_DELAY = 1 * MINUTE;

/**
 * Recovers the deliveries that no consumer is processing, in one D1 round trip. A claim older than `claimedBefore`
 * belongs to a dead consumer: the attempt becomes `lost` and does not count for the schedule, and the delivery is
 * released. A pending delivery that was due before `dueBefore` is marked as waiting, so that a consumer of the same
 * endpoint continues with it. Returns the deliveries to enqueue: for each active endpoint without a cooldown,
 * the longest waiting deliveries, as many as it has free slots.
 */
export async function recoverOverdueDeliveries(db: Database, now: number, dueBefore: number, claimedBefore: number): Promise<string[]> {
  const isDead = and(isSending, lte(deliveries.claimedAt, claimedBefore));
  const dead = db.select({ eventId: deliveries.eventId, number: deliveries.attempts }).from(deliveries).where(isDead);
  const lost = sql`(SELECT count(*) FROM ${deliveryAttempts} AS lost WHERE lost.event_id = ${deliveries}.event_id AND lost.error_class = 'lost')`;
  const late = sql`(SELECT event_id FROM ${deliveries} AS late WHERE late.state = 'pending' AND late.waiting = 0 AND late.next_attempt_at <= ${dueBefore}
    ORDER BY late.next_attempt_at LIMIT ${BATCH_LIMIT})`;
  const first = sql`(SELECT event_id FROM ${deliveries} AS first WHERE first.endpoint_id = ${endpoints.id} AND first.waiting = 1
    ORDER BY first.next_attempt_at LIMIT ${MAX_CONCURRENT_ATTEMPTS})`;
  const [, , , waiting] = await db.batch([
    db
      .update(deliveryAttempts)
      .set({ errorClass: "lost" })
      .where(
        and(sql`(${deliveryAttempts.eventId}, ${deliveryAttempts.number}) IN ${dead}`, eq(deliveryAttempts.errorClass, "in_progress")),
      ),
    db
      .update(deliveries)
      .set({
        state: restoredState,
        nextAttemptAt: sql`CASE WHEN ${deliveries.stateBeforeResend} IS NULL THEN ${now} + ${LOST_RETRY_DELAY} * (${lost} - 1) ELSE ${deliveries.nextAttemptAt} END`,
        waiting: sql`${restoredState} = 'pending' AND CASE WHEN ${deliveries.stateBeforeResend} IS NULL THEN ${lost} <= 1 ELSE ${deliveries.nextAttemptAt} <= ${now} END`,
        claimedAt: null,
        stateBeforeResend: null,
        unscheduledAttempts: sql`${deliveries.unscheduledAttempts} + (${deliveries.stateBeforeResend} IS NULL)`,
      })
      .where(isDead),
    db.update(deliveries).set({ waiting: true }).where(inArray(deliveries.eventId, late)),
    db
      .select({ eventId: deliveries.eventId, endpointId: endpoints.id, slots: freeSlots(sql`${endpoints}`) })
      .from(lanes)
      .innerJoin(endpoints, sql`${endpoints.id} = lanes.id`)
      .innerJoin(deliveries, sql`${deliveries.eventId} IN ${first}`)
      .where(and(eq(endpoints.status, "active"), lte(endpoints.cooldownUntil, now)))
      .orderBy(deliveries.nextAttemptAt)
      .limit(BATCH_LIMIT),
  ]);
  const taken = new Map<string, number>();
  return waiting.flatMap(({ eventId, endpointId, slots }) => {
    const before = taken.get(endpointId) ?? 0;
    taken.set(endpointId, before + 1);
    return before < slots ? [eventId] : [];
  });
}
