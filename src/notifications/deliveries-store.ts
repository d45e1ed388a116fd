import { and, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { MINUTE } from "../core/clock.ts";
import type { Database, Statement } from "../db/client.ts";
import { deliveries, deliveryAttempts, endpoints, events } from "../db/schema/notifications.ts";
import { freePlaces, MOST_AT_ONCE, stateBefore } from "./endpoint-health.ts";
import type { PartnerEvent } from "./events.ts";

/** The event, unless its cause has been recorded before, or the condition does not hold when it is written. */
export function insertEvent(db: Database, event: PartnerEvent, body: string, now: number, onlyIf: SQL): Statement {
  const { id, cause, partnerId, environment, name } = event;
  const row = sql`SELECT ${id}, ${cause}, ${partnerId}, ${environment}, ${name}, ${body}, ${now} WHERE ${onlyIf}`;
  return db.insert(events).select(row).onConflictDoNothing();
}

/**
 * A delivery to the event's endpoint, if there is one, and if the event was not recorded under another id before. It is
 * on its way, unless another state is given.
 */
export function insertDelivery(db: Database, eventId: string, now: number, state: "pending" | "exhausted" = "pending"): Statement {
  const row = db
    .select({
      eventId: events.id,
      endpointId: endpoints.id,
      state: sql<"pending" | "suspended" | "exhausted">`CASE ${endpoints.status} WHEN 'active' THEN ${state} ELSE 'suspended' END`.as(
        "state",
      ),
      attempts: sql<number>`0`.as("attempts"),
      offSchedule: sql<number>`0`.as("off_schedule"),
      nextAttemptAt: sql<number>`${now}`.as("next_attempt_at"),
      waiting: sql<boolean>`0`.as("waiting"),
      claimedAt: sql<null>`NULL`.as("claimed_at"),
      resendFrom: sql<null>`NULL`.as("resend_from"),
      createdAt: sql<number>`${events.createdAt}`.as("created_at"),
    })
    .from(events)
    .innerJoin(endpoints, and(eq(endpoints.partnerId, events.partnerId), eq(endpoints.environment, events.environment)))
    .where(eq(events.id, eventId));
  return db.insert(deliveries).select(row).onConflictDoNothing();
}

// Written out, not bound: only then does SQLite see that the partial index of this state serves.
const isSending = sql`${deliveries.state} = 'sending'`;

/** The endpoints for which something waits, each found by one step along the index, however much waits for it. */
const lanes = sql`(WITH RECURSIVE lane (id) AS (
    SELECT MIN(endpoint_id) FROM ${deliveries} WHERE waiting = 1
    UNION ALL
    SELECT (SELECT MIN(endpoint_id) FROM ${deliveries} WHERE waiting = 1 AND endpoint_id > lane.id) FROM lane WHERE lane.id IS NOT NULL
  ) SELECT id FROM lane) AS lanes`;

/** So much is put in order by one sweep; the next one goes on. */
const MOST_AT_A_TIME = 10_000;

/** A lost attempt is made good at once, each further one of the same delivery a minute later than the one before. */
const LOST_AGAIN = 1 * MINUTE;

/**
 * What nobody is at work on, in one D1 round trip. A claim from before `claimedBefore` belongs to a consumer that died:
 * its attempt is lost, and off the schedule; the delivery is given back. What was due before `dueBefore` waits for its
 * turn from now on, so that whoever delivers to its endpoint goes on to it. Gives the deliveries whose turn it is: of
 * each endpoint that can be tried, those that waited longest, as many as it takes.
 */
export async function overdueDeliveries(db: Database, now: number, dueBefore: number, claimedBefore: number): Promise<string[]> {
  const isDead = and(isSending, lte(deliveries.claimedAt, claimedBefore));
  const dead = db.select({ eventId: deliveries.eventId, number: deliveries.attempts }).from(deliveries).where(isDead);
  const lost = sql`(SELECT count(*) FROM ${deliveryAttempts} AS lost WHERE lost.event_id = ${deliveries}.event_id AND lost.error_class = 'lost')`;
  const late = sql`(SELECT event_id FROM ${deliveries} AS late WHERE late.state = 'pending' AND late.waiting = 0 AND late.next_attempt_at <= ${dueBefore}
    ORDER BY late.next_attempt_at LIMIT ${MOST_AT_A_TIME})`;
  const first = sql`(SELECT event_id FROM ${deliveries} AS first WHERE first.endpoint_id = ${endpoints.id} AND first.waiting = 1
    ORDER BY first.next_attempt_at LIMIT ${MOST_AT_ONCE})`;
  const [, , , waiting] = await db.batch([
    db
      .update(deliveryAttempts)
      .set({ errorClass: "lost" })
      .where(and(sql`(${deliveryAttempts.eventId}, ${deliveryAttempts.number}) IN ${dead}`, eq(deliveryAttempts.errorClass, "under_way"))),
    db
      .update(deliveries)
      .set({
        state: stateBefore,
        nextAttemptAt: sql`CASE WHEN ${deliveries.resendFrom} IS NULL THEN ${now} + ${LOST_AGAIN} * (${lost} - 1) ELSE ${deliveries.nextAttemptAt} END`,
        waiting: sql`${stateBefore} = 'pending' AND CASE WHEN ${deliveries.resendFrom} IS NULL THEN ${lost} <= 1 ELSE ${deliveries.nextAttemptAt} <= ${now} END`,
        claimedAt: null,
        resendFrom: null,
        offSchedule: sql`${deliveries.offSchedule} + (${deliveries.resendFrom} IS NULL)`,
      })
      .where(isDead),
    db.update(deliveries).set({ waiting: true }).where(inArray(deliveries.eventId, late)),
    db
      .select({ eventId: deliveries.eventId, endpointId: endpoints.id, places: freePlaces(sql`${endpoints}`) })
      .from(lanes)
      .innerJoin(endpoints, sql`${endpoints.id} = lanes.id`)
      .innerJoin(deliveries, sql`${deliveries.eventId} IN ${first}`)
      .where(and(eq(endpoints.status, "active"), lte(endpoints.restUntil, now)))
      .orderBy(deliveries.nextAttemptAt)
      .limit(MOST_AT_A_TIME),
  ]);
  const taken = new Map<string, number>();
  return waiting.flatMap(({ eventId, endpointId, places }) => {
    const before = taken.get(endpointId) ?? 0;
    taken.set(endpointId, before + 1);
    return before < places ? [eventId] : [];
  });
}
