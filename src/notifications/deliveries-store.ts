import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../db/client.ts";
import { deliveries, deliveryAttempts, endpoints, events } from "../db/schema/notifications.ts";
import { MOST_AT_ONCE, stateByEndpoint } from "./endpoint-health.ts";
import type { PartnerEvent } from "./events.ts";

/** The event, unless its cause has been recorded before, or the condition does not hold when it is written. */
export function insertEvent(db: Database, event: PartnerEvent, body: string, now: number, onlyIf: SQL): Statement {
  const { id, cause, partnerId, environment, name } = event;
  const row = sql`SELECT ${id}, ${cause}, ${partnerId}, ${environment}, ${name}, ${body}, ${now} WHERE ${onlyIf}`;
  return db.insert(events).select(row).onConflictDoNothing();
}

/** A delivery to the event's endpoint, if there is one, and if the event was not recorded under another id before. */
export function insertDelivery(db: Database, eventId: string, now: number): Statement {
  const row = db
    .select({
      eventId: events.id,
      endpointId: endpoints.id,
      state: sql<"pending" | "suspended">`CASE ${endpoints.status} WHEN 'active' THEN 'pending' ELSE 'suspended' END`.as("state"),
      attempts: sql<number>`0`.as("attempts"),
      offSchedule: sql<number>`0`.as("off_schedule"),
      nextAttemptAt: sql<number>`${now}`.as("next_attempt_at"),
      waiting: sql<boolean>`0`.as("waiting"),
      claimedAt: sql<null>`NULL`.as("claimed_at"),
      resendFrom: sql<null>`NULL`.as("resend_from"),
      createdAt: sql<number>`${now}`.as("created_at"),
    })
    .from(events)
    .innerJoin(endpoints, and(eq(endpoints.partnerId, events.partnerId), eq(endpoints.environment, events.environment)))
    .where(eq(events.id, eventId));
  return db.insert(deliveries).select(row).onConflictDoNothing();
}

// Written out, not bound: only then does SQLite see that the partial indexes of these states serve.
const isSending = sql`${deliveries.state} = 'sending'`;
const isOnSchedule = sql`${deliveries.state} = 'pending' AND ${deliveries.waiting} = 0`;

/** The endpoints for which something waits, each found by one step along the index, however much waits for it. */
const lanes = sql`(WITH RECURSIVE lane (id) AS (
    SELECT MIN(endpoint_id) FROM ${deliveries} WHERE waiting = 1
    UNION ALL
    SELECT (SELECT MIN(endpoint_id) FROM ${deliveries} WHERE waiting = 1 AND endpoint_id > lane.id) FROM lane WHERE lane.id IS NOT NULL
  ) SELECT id FROM lane) AS lanes`;

/**
 * What nobody is at work on, in one D1 round trip. A claim from before `claimedBefore` belongs to a consumer that died:
 * its attempt is lost, and off the schedule; the delivery is given back. What was due before `dueBefore` waits for its
 * turn from now on, so that whoever delivers to its endpoint goes on to it. Gives the deliveries whose turn it is: of
 * each endpoint that can be tried, those that waited longest, as many as it takes at once.
 */
export async function overdueDeliveries(db: Database, now: number, dueBefore: number, claimedBefore: number, most: number) {
  const isDead = and(isSending, lte(deliveries.claimedAt, claimedBefore));
  const givenBack = sql`CASE WHEN COALESCE(${deliveries.resendFrom}, 'pending') = 'pending' THEN ${stateByEndpoint} ELSE ${deliveries.resendFrom} END`;
  const dead = db.select({ eventId: deliveries.eventId, number: deliveries.attempts }).from(deliveries).where(isDead);
  const first = sql`(SELECT event_id FROM ${deliveries} AS waits WHERE waits.endpoint_id = ${endpoints.id} AND waits.waiting = 1
    ORDER BY waits.next_attempt_at LIMIT ${MOST_AT_ONCE})`;
  const [, , , turn] = await db.batch([
    db
      .update(deliveryAttempts)
      .set({ errorClass: "lost" })
      .where(and(sql`(${deliveryAttempts.eventId}, ${deliveryAttempts.number}) IN ${dead}`, eq(deliveryAttempts.errorClass, "under_way"))),
    db
      .update(deliveries)
      .set({
        state: givenBack,
        claimedAt: null,
        resendFrom: null,
        offSchedule: sql`${deliveries.offSchedule} + (${deliveries.resendFrom} IS NULL)`,
      })
      .where(isDead),
    db
      .update(deliveries)
      .set({ waiting: true })
      .where(and(isOnSchedule, lte(deliveries.nextAttemptAt, dueBefore))),
    db
      .select({ eventId: deliveries.eventId })
      .from(lanes)
      .innerJoin(endpoints, sql`${endpoints.id} = lanes.id`)
      .innerJoin(deliveries, sql`${deliveries.eventId} IN ${first}`)
      .where(and(eq(endpoints.status, "active"), lte(endpoints.restUntil, now)))
      .limit(most),
  ]);
  return turn.map(({ eventId }) => eventId);
}
