import { and, asc, count, desc, eq, inArray, sql } from "drizzle-orm";
import { type Database, inList } from "../../db/client.ts";
import { deliveries, deliveryAttempts, type deliveryStates, endpoints, events } from "../../db/schema/webhooks.ts";

type DeliveryState = (typeof deliveryStates)[number];

/** The state of an event's delivery: null if the event has no delivery, undefined if the event does not exist. */
export async function stateOfDelivery(db: Database, eventId: string) {
  return db
    .select({ state: deliveries.state })
    .from(events)
    .leftJoin(deliveries, eq(deliveries.eventId, events.id))
    .where(eq(events.id, eventId))
    .get();
}

/** A partner's endpoints; without a partner, all that are failing, in cooldown or suspended, latest change first. */
export async function readEndpoints(db: Database, partnerId: string | undefined, limit: number) {
  // The same condition as in the partial index, so that SQLite uses the index.
  const isUnhealthy = sql`status = 'suspended' OR failing_since IS NOT NULL OR cooldown_until > 0`;
  const ofAll = db.select().from(endpoints).where(isUnhealthy).orderBy(desc(endpoints.updatedAt)).limit(limit);
  return partnerId === undefined ? ofAll.all() : db.select().from(endpoints).where(eq(endpoints.partnerId, partnerId)).all();
}

/** The number of undelivered deliveries per endpoint and state. */
export async function countUndelivered(db: Database, endpointIds: readonly string[]) {
  const open: DeliveryState[] = ["pending", "sending", "exhausted", "suspended"];
  return db
    .select({ endpointId: deliveries.endpointId, state: deliveries.state, count: count() })
    .from(deliveries)
    .where(and(inArray(deliveries.endpointId, inList(endpointIds)), inArray(deliveries.state, open)))
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
export async function newestOfPartner(db: Database, partnerId: string, limit: number) {
  return db
    .select(shown)
    .from(events)
    .leftJoin(deliveries, eq(deliveries.eventId, events.id))
    .where(eq(events.partnerId, partnerId))
    .orderBy(desc(events.createdAt))
    .limit(limit)
    .all();
}

/** An endpoint's deliveries in one state, the newest first. */
export async function newestOfEndpoint(db: Database, endpointId: string, state: DeliveryState, limit: number) {
  return db
    .select(shown)
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(and(eq(deliveries.endpointId, endpointId), eq(deliveries.state, state)))
    .orderBy(desc(deliveries.createdAt))
    .limit(limit)
    .all();
}

/** An event with its delivery and all attempts, oldest attempt first. One D1 round trip. */
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
