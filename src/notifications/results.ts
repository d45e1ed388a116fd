import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { type attemptErrors, deliveries, deliveryAttempts, endpoints } from "../db/schema/notifications.ts";
import type { ClaimedDelivery } from "./claims.ts";
import { hasOnlyFailed, MOST_AT_ONCE, mayEndEndpoint, restAfterFailure, stateByEndpoint } from "./endpoint-health.ts";

/** What came of an attempt, and at what moment (Unix milliseconds). */
export interface AttemptResult {
  /** Null for a success. */
  readonly errorClass: (typeof attemptErrors)[number] | null;
  /** The HTTP status, where there was an answer. */
  readonly status: number | null;
  readonly excerpt: string | null;
  readonly endedAt: number;
}

/** Whose turn it is after an attempt. */
export interface Turn {
  /** Deliveries of the same endpoint that waited longest. */
  readonly next: readonly string[];
  /** Before that the endpoint is left alone; 0 where it is not. */
  readonly restUntil: number;
  readonly suspended: boolean;
}

/**
 * Records that a receiver has taken a delivery. Only the claim that sent it moves it, here and below: one that was given
 * back meanwhile belongs to somebody else. An endpoint that had failed is well again, unless an operator had it sent.
 * One D1 round trip.
 */
export async function recordSuccess(db: Database, claimed: ClaimedDelivery, result: AttemptResult): Promise<Turn> {
  const [, , , next] = await db.batch([
    endAttempt(db, claimed, result),
    moveDelivery(db, claimed, { state: "succeeded" }),
    db
      .update(endpoints)
      .set({ failingSince: null, restUntil: 0 })
      .where(and(isSameEndpoint(claimed), isNotNull(endpoints.failingSince), countsForEndpoint(claimed))),
    letNextTry(db, claimed.endpointId, claimed.wasFailing ? MOST_AT_ONCE : 1),
  ]);
  return { next: next.map(({ eventId }) => eventId), restUntil: 0, suspended: false };
}

/**
 * Records a failure on the schedule. `nextAttemptAt` is null where no attempt is left. The endpoint rests or, where it is
 * gone or has only failed for too long, is suspended, with all that was on its way; not if it was registered anew or
 * resumed since, nor for a failure of our own. One D1 round trip.
 */
export async function recordFailure(
  db: Database,
  claimed: ClaimedDelivery,
  result: AttemptResult,
  nextAttemptAt: number | null,
): Promise<Turn> {
  const { endpointId } = claimed;
  const { endedAt } = result;
  const gone = result.errorClass === "gone";
  const isItsFault = result.errorClass === "secret" ? sql`FALSE` : sql`TRUE`;
  const mayEnd = mayEndEndpoint({ gone, scheduledAttempts: claimed.scheduledAttempts });
  const ends = mayEnd ? (gone ? sql`TRUE` : hasOnlyFailed(endedAt)) : sql`FALSE`;
  const [, health, ended, , , next] = await db.batch([
    endAttempt(db, claimed, result),
    db
      .update(endpoints)
      .set({ failingSince: sql`COALESCE(${endpoints.failingSince}, ${endedAt})`, restUntil: restAfterFailure(endedAt) })
      .where(and(isSameEndpoint(claimed), isItsFault))
      .returning({ restUntil: endpoints.restUntil }),
    db
      .update(endpoints)
      .set({ status: "suspended", suspendedAt: endedAt, suspendedFor: gone ? "gone" : "failing", updatedAt: endedAt })
      .where(and(isSameEndpoint(claimed), isItsFault, ends))
      .returning({ id: endpoints.id }),
    moveDelivery(db, claimed, {
      state: sql`CASE ${stateByEndpoint} WHEN 'suspended' THEN 'suspended' ELSE ${nextAttemptAt === null ? "exhausted" : "pending"} END`,
      ...(nextAttemptAt === null ? {} : { nextAttemptAt }),
    }),
    db
      .update(deliveries)
      .set({ state: "suspended", waiting: false })
      .where(and(eq(deliveries.endpointId, endpointId), eq(deliveries.state, "pending"), mayEnd ? isSuspended(endpointId) : sql`FALSE`)),
    letNextTry(db, endpointId, 1),
  ]);
  return { next: next.map(({ eventId }) => eventId), restUntil: health[0]?.restUntil ?? 0, suspended: ended.length > 0 };
}

/** Records that an operator's attempt failed: the delivery is as it was before. One D1 round trip. */
export async function recordFailedResend(db: Database, claimed: ClaimedDelivery, result: AttemptResult): Promise<void> {
  const before = sql`CASE ${deliveries.resendFrom} WHEN 'pending' THEN ${stateByEndpoint} ELSE ${deliveries.resendFrom} END`;
  await db.batch([endAttempt(db, claimed, result), moveDelivery(db, claimed, { state: before })]);
}

function endAttempt(db: Database, { eventId, number, claimedAt }: ClaimedDelivery, { endedAt, ...result }: AttemptResult) {
  return db
    .update(deliveryAttempts)
    .set({ ...result, durationMs: endedAt - claimedAt })
    .where(and(eq(deliveryAttempts.eventId, eventId), eq(deliveryAttempts.number, number)));
}

type Move = { readonly state: "succeeded" | SQL; readonly nextAttemptAt?: number };

function moveDelivery(db: Database, { eventId, claimedAt }: ClaimedDelivery, move: Move) {
  return db
    .update(deliveries)
    .set({ ...move, claimedAt: null, resendFrom: null })
    .where(and(eq(deliveries.eventId, eventId), eq(deliveries.state, "sending"), eq(deliveries.claimedAt, claimedAt)));
}

/** The endpoint, if it is still what the attempt was made to. */
function isSameEndpoint({ endpointId, revision }: ClaimedDelivery) {
  return and(eq(endpoints.id, endpointId), eq(endpoints.revision, revision), eq(endpoints.status, "active"));
}

function countsForEndpoint({ byHand }: ClaimedDelivery): SQL {
  return byHand ? sql`FALSE` : sql`TRUE`;
}

function isSuspended(endpointId: string): SQL {
  return sql`(SELECT status FROM ${endpoints} WHERE id = ${endpointId}) = 'suspended'`;
}

/** Those that waited longest for a place at their endpoint have their turn. */
function letNextTry(db: Database, endpointId: string, places: number) {
  const longest = sql`(SELECT event_id FROM ${deliveries} WHERE endpoint_id = ${endpointId} AND waiting = 1 ORDER BY next_attempt_at LIMIT ${places})`;
  return db
    .update(deliveries)
    .set({ waiting: false })
    .where(inArray(deliveries.eventId, longest))
    .returning({ eventId: deliveries.eventId });
}
