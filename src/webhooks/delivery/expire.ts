import { and, like, lt, not, or } from "drizzle-orm";
import type { Cell } from "../../db/client.ts";
import { deliveryAttempts, events } from "../../db/schema/webhooks.ts";
import { walkRows } from "../../db/walk.ts";
import { isInState } from "../endpoints/delivery-state.ts";

/**
 * Deletes events that were recorded before a time (Unix milliseconds) and whose delivery has ended. One step. The row
 * that caused an event keeps its name. A refund that was never booked has no row, so its event stays.
 */
export function expirePartnerEvents(db: Cell, before: number) {
  const isRemembered = not(like(events.cause, "refund.failed:%"));
  const hasEnded = or(isInState("succeeded"), isInState("exhausted"), isInState("no_endpoint"));
  return walkRows(db, { name: "events", table: events, key: events.id }, (range) =>
    db.delete(events).where(and(range, lt(events.createdAt, before), hasEnded, isRemembered)),
  );
}

/** Deletes attempts at deliveries that were made before a time (Unix milliseconds). One step. */
export function expireAttempts(db: Cell, before: number) {
  const { at, eventId } = deliveryAttempts;
  return walkRows(db, { name: "delivery_attempts", table: deliveryAttempts, key: eventId }, (range) =>
    db.delete(deliveryAttempts).where(and(range, lt(at, before))),
  );
}
