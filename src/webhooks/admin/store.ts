import { and, asc, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { eventInDelivery } from "../../core/ids.ts";
import { type Cell, inList } from "../../db/client.ts";
import { isOlderThan, type PageKey } from "../../db/page-key.ts";
import { type attemptErrors, deliveryAttempts, endpoints, events } from "../../db/schema/webhooks.ts";
import { bodyOf } from "../../views/event-body.ts";
import { type DeliveryState, isInState, isRealEvent } from "../endpoints/delivery-state.ts";
import { hasEndpoint, isHeldOf } from "../endpoints/store.ts";

/** The state of an event's delivery; undefined if the event does not exist. */
export async function stateOfDelivery(db: Cell, eventId: string) {
  return db
    .select({ state: events.state, isHeld: sql<0 | 1>`${isHeldOf(eventId)}`, hasEndpoint: sql<0 | 1>`${hasEndpoint}` })
    .from(events)
    .where(eq(events.id, eventId))
    .get();
}

/** SQL for the owner of an event; NULL if it does not exist. */
export function partnerOfEvent(eventId: string): SQL {
  return sql`(SELECT partner_id FROM ${events} WHERE ${events.id} = ${eventId})`;
}

/** A partner's endpoints, by environment, the first one of each before the further ones. */
export async function endpointsOfPartner(db: Cell, partnerId: string) {
  return db
    .select()
    .from(endpoints)
    .where(eq(endpoints.partnerId, partnerId))
    .orderBy(asc(endpoints.environment), asc(endpoints.code))
    .all();
}

/** The endpoints with these ids that this cell has. */
export async function endpointsById(db: Cell, ids: readonly string[]) {
  return db
    .select()
    .from(endpoints)
    .where(inArray(endpoints.id, inList(ids)))
    .all();
}

/** SQL condition of the index of endpoints that fail, are in cooldown or suspended. */
export const isUnhealthy = sql`(status = 'suspended' OR failing_since IS NOT NULL OR cooldown_until > 0)`;

/** Endpoints that are failing, in cooldown or suspended, latest change first. */
export async function unhealthyEndpoints(db: Cell, before: PageKey | undefined, limit: number) {
  // The same condition as in the partial index, so that SQLite uses the index.
  const isEarlier = isOlderThan(endpoints.updatedAt, endpoints.id, before);
  return db
    .select()
    .from(endpoints)
    .where(and(isUnhealthy, isEarlier))
    .orderBy(desc(endpoints.updatedAt), desc(endpoints.id))
    .limit(limit)
    .all();
}

/** SQL condition: a delivery to the endpoint is in this state. By index. */
const hasDelivery = (state: DeliveryState) =>
  sql`EXISTS (SELECT 1 FROM ${events} WHERE ${events.endpointId} = ${endpoints.id} AND ${isInState(state)})`;

/**
 * The start of the longest series of failures among endpoints that events wait for, in Unix milliseconds; null if none fails. A suspended
 * endpoint is tried no more, and one whose events are all given up has nothing to recover with. By index.
 */
export async function longestFailing(db: Cell): Promise<number | null> {
  // The same condition as in the partial index.
  const row = await db
    .select({ since: sql<number | null>`MIN(${endpoints.failingSince})` })
    .from(endpoints)
    .where(sql`${isUnhealthy} AND ${endpoints.status} = 'active' AND (${hasDelivery("pending")} OR ${hasDelivery("sending")})`)
    .get();
  return row?.since ?? null;
}

/** The number of undelivered deliveries per endpoint and state, without test events. */
export async function countUndelivered(db: Cell, endpointIds: readonly string[]) {
  const ofState = (state: DeliveryState) =>
    db
      .select({ endpointId: events.endpointId, state: events.state, count: count() })
      .from(events)
      .where(and(inArray(events.endpointId, inList(endpointIds)), isInState(state), isRealEvent))
      .groupBy(events.endpointId);
  return (await db.batch([ofState("pending"), ofState("sending"), ofState("exhausted"), ofState("suspended")])).flat();
}

/** The columns of a delivery in a list. */
export const shownColumns = {
  deliveryId: events.id,
  name: events.name,
  environment: events.environment,
  partnerId: events.partnerId,
  createdAt: events.createdAt,
  endpointId: events.endpointId,
  state: events.state,
  attempts: events.attempts,
  nextAttemptAt: events.nextAttemptAt,
  lastStatus: ofLastAttempt<number | null>(sql`status`),
  lastError: ofLastAttempt<(typeof attemptErrors)[number] | null>(sql`error_class`),
  /** The order, or the subscription, that the event tells of. */
  about: sql<string | null>`COALESCE(${sql.join(
    ["transaction.payment_intent_id", "checkout.session_id", "Payment.OrderId", "subscription.id", "payment_intent_id"].map(
      (path) => sql`json_extract(${events.payload}, ${`$.${path}`})`,
    ),
    sql`, `,
  )})`,
};

/** A column of the newest attempt at a delivery, by key; null before the first. */
function ofLastAttempt<Value>(column: SQL) {
  return sql<Value>`(SELECT ${column} FROM ${deliveryAttempts} WHERE event_id = ${events.id} ORDER BY number DESC LIMIT 1)`;
}

/** The number of an endpoint's newest events that are searched for those of a subscription. */
const MAX_SEARCHED = 1_000;

/** The ids of a subscription's events among the newest of its endpoint. Reads at most 1,000 rows. */
export async function eventsOfSubscription(db: Cell, endpointId: string, subscriptionId: string): Promise<string[]> {
  const newestOnes = db
    .select({ id: events.id, payload: events.payload })
    .from(events)
    .where(eq(events.endpointId, endpointId))
    .orderBy(desc(events.createdAt), desc(events.id))
    .limit(MAX_SEARCHED)
    .as("newest");
  const found = await db
    .select({ id: newestOnes.id })
    .from(newestOnes)
    .where(sql`${newestOnes.payload} ->> '$.subscription.id' = ${subscriptionId}`)
    .all();
  return found.map(({ id }) => id);
}

/** A delivery of an event with all attempts, oldest attempt first. One D1 round trip. */
export async function readDelivery(db: Cell, deliveryId: string) {
  const [[delivery], attempts] = await db.batch([
    db
      .select({ ...shownColumns, payload: events.payload })
      .from(events)
      .where(eq(events.id, deliveryId)),
    db.select().from(deliveryAttempts).where(eq(deliveryAttempts.eventId, deliveryId)).orderBy(asc(deliveryAttempts.number)),
  ]);
  if (delivery === undefined) return undefined;
  return { ...withEvent(delivery), body: bodyOf({ ...delivery, id: deliveryId }), attemptList: attempts };
}

/** All deliveries of these events, each with all its attempts. One D1 round trip. */
export async function readDeliveries(db: Cell, eventIds: readonly string[]) {
  // The ids of deliveries to further endpoints begin with that of the event and a point, which sorts right before a slash.
  const ids = sql`(SELECT known.id FROM json_each(${JSON.stringify(eventIds)}) AS line
    JOIN ${events} AS known ON known.id >= line.value AND known.id < line.value || '/' AND (known.id = line.value OR known.id > line.value || '.'))`;
  const [found, attempts] = await db.batch([
    db
      .select({ ...shownColumns, payload: events.payload })
      .from(events)
      .where(inArray(events.id, ids)),
    db
      .select()
      .from(deliveryAttempts)
      .where(inArray(deliveryAttempts.eventId, ids))
      .orderBy(asc(deliveryAttempts.eventId), asc(deliveryAttempts.number)),
  ]);
  return found.map((delivery) => ({
    ...withEvent(delivery),
    attemptList: attempts.filter(({ eventId }) => eventId === delivery.deliveryId),
  }));
}

/** A delivery with the id of its event. */
function withEvent<Delivery extends { readonly deliveryId: string }>(delivery: Delivery) {
  return { ...delivery, eventId: eventInDelivery(delivery.deliveryId) };
}
