import { and, asc, count, desc, eq, inArray, sql } from "drizzle-orm";
import { type Database, listed } from "../db/client.ts";
import { deliveries, deliveryAttempts, type deliveryStates, endpoints, events } from "../db/schema/notifications.ts";

type DeliveryState = (typeof deliveryStates)[number];

/** The state of an event's delivery, null where it has none; undefined where there is no such event. */
export async function stateOfDelivery(db: Database, eventId: string) {
  return db
    .select({ state: deliveries.state })
    .from(events)
    .leftJoin(deliveries, eq(deliveries.eventId, events.id))
    .where(eq(events.id, eventId))
    .get();
}

/** The endpoints of a partner; of all partners, those that fail, rest or are suspended, the latest change first. */
export async function readEndpoints(db: Database, partnerId: string | undefined, most: number) {
  // Written as the index has it, which holds these rows alone.
  const isTroubled = sql`status = 'suspended' OR failing_since IS NOT NULL OR rest_until > 0`;
  const ofAll = db.select().from(endpoints).where(isTroubled).orderBy(desc(endpoints.updatedAt)).limit(most);
  return partnerId === undefined ? ofAll.all() : db.select().from(endpoints).where(eq(endpoints.partnerId, partnerId)).all();
}

/** How many deliveries of each endpoint have not been taken, by state. */
export async function countUndelivered(db: Database, endpointIds: readonly string[]) {
  const open: DeliveryState[] = ["pending", "sending", "exhausted", "suspended"];
  return db
    .select({ endpointId: deliveries.endpointId, state: deliveries.state, count: count() })
    .from(deliveries)
    .where(and(inArray(deliveries.endpointId, listed(endpointIds)), inArray(deliveries.state, open)))
    .groupBy(deliveries.endpointId, deliveries.state)
    .all();
}

const shown = {
  eventId: events.id,
  name: events.name,
  environment: events.environment,
  partnerId: events.partnerId,
  createdAt: events.createdAt,
  endpointId: deliveries.endpointId,
  state: deliveries.state,
  attempts: deliveries.attempts,
  nextAttemptAt: deliveries.nextAttemptAt,
};

/** A partner's events, the newest first, each with its delivery if it has one. */
export async function newestOfPartner(db: Database, partnerId: string, most: number) {
  return db
    .select(shown)
    .from(events)
    .leftJoin(deliveries, eq(deliveries.eventId, events.id))
    .where(eq(events.partnerId, partnerId))
    .orderBy(desc(events.createdAt))
    .limit(most)
    .all();
}

/** An endpoint's deliveries in one state, the newest first. */
export async function newestOfEndpoint(db: Database, endpointId: string, state: DeliveryState, most: number) {
  return db
    .select(shown)
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(and(eq(deliveries.endpointId, endpointId), eq(deliveries.state, state)))
    .orderBy(desc(deliveries.createdAt))
    .limit(most)
    .all();
}

/** An event with its delivery, and every attempt at it, the first first. One D1 round trip. */
export async function readDelivery(db: Database, eventId: string) {
  const [[event], attempts] = await db.batch([
    db
      .select({ ...shown, body: events.body })
      .from(events)
      .leftJoin(deliveries, eq(deliveries.eventId, events.id))
      .where(eq(events.id, eventId)),
    db.select().from(deliveryAttempts).where(eq(deliveryAttempts.eventId, eventId)).orderBy(asc(deliveryAttempts.number)),
  ]);
  return event && { ...event, attemptList: attempts };
}
