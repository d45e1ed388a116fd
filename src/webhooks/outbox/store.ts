import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../../db/client.ts";
import { deliveries, endpoints, events } from "../../db/schema/webhooks.ts";
import type { PartnerEvent } from "./events/define-event.ts";

/** Inserts the event, unless its deduplication key was recorded before or `onlyIf` is false at the time of the write. */
export function insertEvent(db: Database, event: PartnerEvent, now: number, onlyIf: SQL): Statement {
  const { id, name, deduplicationKey, recipient } = event;
  const row = sql`SELECT ${id}, ${deduplicationKey}, ${recipient.partnerId}, ${recipient.environment}, ${name}, ${event.bodyAt(now)}, ${now} WHERE ${onlyIf}`;
  return db.insert(events).select(row).onConflictDoNothing();
}

/**
 * Inserts a delivery to the endpoint of the event's environment (interface W.1). Inserts nothing if there is no endpoint,
 * or if the event was recorded before under another id.
 * The delivery is `pending` by default, and `suspended` if its endpoint is suspended.
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
      unscheduledAttempts: sql<number>`0`.as("unscheduled_attempts"),
      nextAttemptAt: sql<number>`${now}`.as("next_attempt_at"),
      waiting: sql<boolean>`0`.as("waiting"),
      claimedAt: sql<null>`NULL`.as("claimed_at"),
      stateBeforeResend: sql<null>`NULL`.as("state_before_resend"),
      createdAt: sql<number>`${events.createdAt}`.as("created_at"),
    })
    .from(events)
    .innerJoin(endpoints, and(eq(endpoints.partnerId, events.partnerId), eq(endpoints.environment, events.environment)))
    .where(eq(events.id, eventId));
  return db.insert(deliveries).select(row).onConflictDoNothing();
}
