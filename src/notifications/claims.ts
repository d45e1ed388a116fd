import { and, eq, gt, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import type { Database, Statement } from "../db/client.ts";
import { deliveries, deliveryAttempts, endpointSecrets, endpoints, events } from "../db/schema/notifications.ts";
import { hasPlace } from "./endpoint-health.ts";

/** A delivery that this consumer alone may send now, with all that sending it takes. */
export interface ClaimedDelivery {
  readonly eventId: string;
  readonly claimedAt: number;
  /** Of this attempt, counted from 1. */
  readonly number: number;
  /** How many attempts the schedule counts, this one included. */
  readonly scheduledAttempts: number;
  /** By an operator's wish: off the schedule, and it says nothing of the endpoint. */
  readonly byHand: boolean;
  readonly name: string;
  readonly body: string;
  readonly environment: Environment;
  readonly endpointId: string;
  readonly url: string;
  /** Whether the endpoint was failing when this attempt began. */
  readonly wasFailing: boolean;
  /** As which registration the endpoint was known then. */
  readonly revision: number;
  /** The current one first, then the previous one while it is valid. */
  readonly sealedSecrets: readonly string[];
}

export type Claim =
  | { readonly kind: "claimed"; readonly delivery: ClaimedDelivery }
  /** It has its turn once its endpoint is free; `restUntil` is when an endpoint that rests may be tried again. */
  | { readonly kind: "waits"; readonly restUntil: number }
  /** Somebody else has it, it is not due, it waits already, or it is over. */
  | { readonly kind: "nothing" };

/**
 * Claims a due delivery by compare-and-set, writes down that an attempt is under way, and reads all that sending it
 * takes; or, where its endpoint has no place for it, lets it wait. One D1 round trip.
 */
export function claimDelivery(db: Database, eventId: string, now: number): Promise<Claim> {
  const isDue = sql`${deliveries.state} = 'pending' AND ${deliveries.nextAttemptAt} <= ${now} AND ${hasPlace(now)}`;
  return claim(db, eventId, now, isDue, null);
}

/**
 * Claims a delivery for an operator, whatever its own and its endpoint's state and the schedule say. `nothing` where it
 * is being sent already, or there is none of that event. `onRecord` makes what is written with the claim, if it
 * succeeds. One D1 round trip.
 */
export function claimForResend(db: Database, eventId: string, now: number, onRecord: (onlyIf: SQL) => Statement): Promise<Claim> {
  const isTaken = sql`EXISTS (SELECT 1 FROM ${deliveries} WHERE event_id = ${eventId} AND claimed_at = ${now} AND resend_from IS NOT NULL)`;
  return claim(db, eventId, now, ne(deliveries.state, "sending"), onRecord(isTaken));
}

async function claim(db: Database, eventId: string, now: number, mayBeSent: SQL, onRecord: Statement | null): Promise<Claim> {
  const byHand = onRecord !== null;
  const isIt = eq(deliveries.eventId, eventId);
  const isClaimed = and(isIt, eq(deliveries.state, "sending"), eq(deliveries.claimedAt, now));
  const [claimed, waiting, , found] = await db.batch([
    db
      .update(deliveries)
      .set({
        state: "sending",
        claimedAt: now,
        attempts: sql`${deliveries.attempts} + 1`,
        waiting: false,
        ...(byHand ? { resendFrom: sql`${deliveries.state}`, offSchedule: sql`${deliveries.offSchedule} + 1` } : {}),
      })
      .where(and(isIt, mayBeSent))
      .returning({ number: deliveries.attempts, offSchedule: deliveries.offSchedule }),
    // Still pending and due: it was its endpoint that had no place for it.
    db
      .update(deliveries)
      .set({ waiting: true })
      .where(and(isIt, eq(deliveries.state, "pending"), eq(deliveries.waiting, false), lte(deliveries.nextAttemptAt, now)))
      .returning({ restUntil: sql<number>`(SELECT rest_until FROM ${endpoints} WHERE id = ${deliveries}.endpoint_id)` }),
    db
      .insert(deliveryAttempts)
      .select(attemptUnderWay(db, now, byHand, isClaimed))
      .onConflictDoNothing(),
    db
      .select({
        name: events.name,
        body: events.body,
        environment: events.environment,
        endpointId: endpoints.id,
        url: endpoints.url,
        failingSince: endpoints.failingSince,
        revision: endpoints.revision,
        sealed: endpointSecrets.sealed,
      })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .innerJoin(endpoints, eq(endpoints.id, deliveries.endpointId))
      .innerJoin(endpointSecrets, and(eq(endpointSecrets.endpointId, endpoints.id), isValid(now)))
      .where(isClaimed)
      .orderBy(sql`${endpointSecrets.expiresAt} IS NOT NULL`),
    ...(onRecord === null ? [] : [onRecord]),
  ]);
  const [counts] = claimed;
  const [details] = found;
  if (counts === undefined || details === undefined) {
    return waiting[0] === undefined ? { kind: "nothing" } : { kind: "waits", restUntil: waiting[0].restUntil };
  }
  const { number, offSchedule } = counts;
  const { failingSince, sealed: _, ...rest } = details;
  const sealedSecrets = found.map(({ sealed }) => sealed);
  const count = { number, scheduledAttempts: number - offSchedule, byHand, wasFailing: failingSince !== null };
  return { kind: "claimed", delivery: { eventId, claimedAt: now, ...count, ...rest, sealedSecrets } };
}

/** The current secret, and the previous one while its grace lasts. */
function isValid(now: number) {
  return or(isNull(endpointSecrets.expiresAt), gt(endpointSecrets.expiresAt, now));
}

/** The row of an attempt that begins, if the claim just before it succeeded. */
function attemptUnderWay(db: Database, now: number, byHand: boolean, isClaimed: SQL | undefined) {
  return db
    .select({
      eventId: deliveries.eventId,
      number: sql<number>`${deliveries.attempts}`.as("number"),
      at: sql<number>`${now}`.as("at"),
      status: sql<null>`NULL`.as("status"),
      durationMs: sql<number>`0`.as("duration_ms"),
      errorClass: sql<"under_way">`'under_way'`.as("error_class"),
      byHand: sql<boolean>`${byHand ? 1 : 0}`.as("by_hand"),
      excerpt: sql<null>`NULL`.as("excerpt"),
    })
    .from(deliveries)
    .where(isClaimed);
}
