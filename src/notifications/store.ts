import { and, eq, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import type { Database, Statement } from "../db/client.ts";
import { deliveries, deliveryAttempts, endpointSecrets, endpoints, events } from "../db/schema/notifications.ts";
import type { PartnerEvent } from "./events.ts";

/** One endpoint per partner and environment, so its id can be told without looking. */
export function endpointIdOf(partnerId: string, environment: Environment): string {
  return `ep_${partnerId}_${environment}`;
}

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
      nextAttemptAt: sql<number>`${now}`.as("next_attempt_at"),
      claimedAt: sql<null>`NULL`.as("claimed_at"),
      createdAt: sql<number>`${now}`.as("created_at"),
    })
    .from(events)
    .innerJoin(endpoints, and(eq(endpoints.partnerId, events.partnerId), eq(endpoints.environment, events.environment)))
    .where(eq(events.id, eventId));
  return db.insert(deliveries).select(row).onConflictDoNothing();
}

/**
 * Claims a due delivery and reads all that sending it takes, in one round trip. Undefined where another consumer
 * has it, it is not due, or it is over. Secrets: the current one first, then the previous while it is valid.
 */
export async function claimDelivery(db: Database, eventId: string, now: number) {
  const [claimed, found, secrets] = await db.batch([
    db
      .update(deliveries)
      .set({ state: "sending", claimedAt: now })
      .where(and(eq(deliveries.eventId, eventId), eq(deliveries.state, "pending"), lte(deliveries.nextAttemptAt, now)))
      .returning({ attempts: deliveries.attempts }),
    db
      .select({ name: events.name, body: events.body, environment: events.environment, url: endpoints.url, endpointId: endpoints.id })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
      .where(eq(deliveries.eventId, eventId)),
    db
      .select({ sealed: endpointSecrets.sealed })
      .from(endpointSecrets)
      .innerJoin(deliveries, eq(deliveries.endpointId, endpointSecrets.endpointId))
      .where(and(eq(deliveries.eventId, eventId), or(isNull(endpointSecrets.expiresAt), gt(endpointSecrets.expiresAt, now))))
      .orderBy(sql`${endpointSecrets.expiresAt} IS NOT NULL`),
  ]);
  const [claim] = claimed;
  const [delivery] = found;
  return claim && delivery && { ...delivery, eventId, number: claim.attempts + 1, sealedSecrets: secrets.map(({ sealed }) => sealed) };
}

type Attempt = Omit<typeof deliveryAttempts.$inferInsert, "eventId">;

/**
 * What came of an attempt, and when the next one is due. One round trip. Only the claim that made the attempt moves
 * the delivery: one that was given back meanwhile belongs to somebody else.
 */
export async function recordAttempt(
  db: Database,
  delivery: { readonly eventId: string; readonly endpointId: string; readonly claimedAt: number },
  attempt: Attempt,
  next: { readonly state: "succeeded" | "pending" | "exhausted"; readonly at: number },
): Promise<void> {
  const failed = next.state !== "succeeded";
  await db.batch([
    db
      .insert(deliveryAttempts)
      .values({ eventId: delivery.eventId, ...attempt })
      .onConflictDoNothing(),
    db
      .update(deliveries)
      .set({ state: next.state, attempts: attempt.number, nextAttemptAt: next.at, claimedAt: null })
      .where(and(eq(deliveries.eventId, delivery.eventId), eq(deliveries.state, "sending"), eq(deliveries.claimedAt, delivery.claimedAt))),
    db
      .update(endpoints)
      .set({ failingSince: failed ? sql`COALESCE(${endpoints.failingSince}, ${attempt.at})` : null })
      .where(eq(endpoints.id, delivery.endpointId)),
  ]);
}

// Written out, not bound: only then does SQLite see that the partial indexes of these states serve.
const isPending = sql`${deliveries.state} = 'pending'`;
const isSending = sql`${deliveries.state} = 'sending'`;

/**
 * The deliveries that were due before `dueBefore` and that nobody has taken up, oldest first. A claim from before
 * `claimedBefore` belongs to a consumer that died: it is given back first. One round trip.
 */
export async function overdueDeliveries(db: Database, dueBefore: number, claimedBefore: number, limit: number): Promise<string[]> {
  const [, rows] = await db.batch([
    db
      .update(deliveries)
      .set({ state: "pending", claimedAt: null })
      .where(and(isSending, lte(deliveries.claimedAt, claimedBefore))),
    db
      .select({ eventId: deliveries.eventId })
      .from(deliveries)
      .where(and(isPending, lte(deliveries.nextAttemptAt, dueBefore)))
      .orderBy(deliveries.nextAttemptAt)
      .limit(limit),
  ]);
  return rows.map(({ eventId }) => eventId);
}

/** An endpoint at this URL, made or moved, and a secret for it unless it has a current one. */
export function putEndpoint(
  db: Database,
  endpoint: { readonly partnerId: string; readonly environment: Environment; readonly url: string },
  secret: { readonly id: string; readonly sealed: string },
  now: number,
): Statement[] {
  const id = endpointIdOf(endpoint.partnerId, endpoint.environment);
  return [
    db
      .insert(endpoints)
      .values({ id, ...endpoint, status: "active", createdAt: now, updatedAt: now })
      .onConflictDoUpdate({ target: endpoints.id, set: { url: endpoint.url, status: "active", failingSince: null, updatedAt: now } }),
    db.insert(endpointSecrets).values({ id: secret.id, endpointId: id, sealed: secret.sealed, createdAt: now }).onConflictDoNothing(),
  ];
}

/** The current secret of each of these endpoints. */
export async function currentSecrets(db: Database, endpointIds: readonly string[]) {
  return db
    .select({ id: endpointSecrets.id, endpointId: endpointSecrets.endpointId, sealed: endpointSecrets.sealed })
    .from(endpointSecrets)
    .where(and(inArray(endpointSecrets.endpointId, [...endpointIds]), isNull(endpointSecrets.expiresAt)))
    .all();
}
