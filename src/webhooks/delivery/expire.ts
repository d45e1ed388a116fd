import { and, lt, or } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { deliveryAttempts, events } from "../../db/schema/webhooks.ts";
import { walk } from "../../db/walk.ts";
import { isInState } from "../endpoints/delivery-state.ts";

/** Deletes events that were recorded before a time (Unix milliseconds) and whose delivery has ended. One step. */
export function expirePartnerEvents(db: Database, before: number): Promise<number> {
  const hasEnded = or(isInState("succeeded"), isInState("exhausted"), isInState("no_endpoint"));
  return walk(db, { name: "events", table: events, key: events.id }, (range) =>
    db.delete(events).where(and(range, lt(events.createdAt, before), hasEnded)),
  );
}

/** Deletes attempts at deliveries that were made before a time (Unix milliseconds). One step. */
export function expireAttempts(db: Database, before: number): Promise<number> {
  const { at, eventId } = deliveryAttempts;
  return walk(db, { name: "delivery_attempts", table: deliveryAttempts, key: eventId }, (range) =>
    db.delete(deliveryAttempts).where(and(range, lt(at, before))),
  );
}
