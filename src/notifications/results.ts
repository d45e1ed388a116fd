import { and, eq, gt, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { type attemptErrors, deliveries, deliveryAttempts, endpoints } from "../db/schema/notifications.ts";
import type { ClaimedDelivery } from "./claims.ts";
import { hasOnlyFailed, LONGEST_REST, MOST_AT_ONCE, restAfterFailure, stateBefore, stateByEndpoint } from "./endpoint-health.ts";

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

/** How a failed delivery goes on. */
export interface Retry {
  /** Null where no attempt is left. */
  readonly nextAttemptAt: number | null;
  /** For how long the receiver asked to be left alone, in milliseconds; 0 where it did not. */
  readonly patience: number;
}

/**
 * Records that a receiver has taken a delivery, also one that was given back meanwhile, unless somebody sends it at this
 * moment. An endpoint that had failed is well again, if it was not an operator who had it sent. One D1 round trip.
 */
export async function recordSuccess(db: Database, claimed: ClaimedDelivery, result: AttemptResult): Promise<Turn> {
  const { endpointId, eventId, wasFailing, byHand } = claimed;
  const isOpen = inArray(deliveries.state, ["pending", "suspended", "exhausted"]);
  // Well again; but a rest that began while this attempt was under way holds, however many such attempts succeed.
  const isOver = sql`${endpoints.failingSince} <= ${claimed.claimedAt} OR ${endpoints.restUntil} <= ${result.endedAt}`;
  const heal = db
    .update(endpoints)
    .set({ failingSince: null, failures: 0, restUntil: sql`CASE WHEN ${isOver} THEN 0 ELSE ${endpoints.restUntil} END` })
    .where(and(isSameEndpoint(claimed), or(isNotNull(endpoints.failingSince), gt(endpoints.restUntil, 0))));
  const [, , next] = await db.batch([
    endAttempt(db, claimed, result),
    db
      .update(deliveries)
      .set({ state: "succeeded", waiting: false, claimedAt: null, resendFrom: null })
      .where(and(eq(deliveries.eventId, eventId), or(isSentBy(claimed), isOpen))),
    letNextTry(db, endpointId, wasFailing ? MOST_AT_ONCE : 1),
    ...(byHand ? [] : [heal]),
  ]);
  return turnOf(next, 0, false);
}

/**
 * Records a failure on the schedule. The endpoint may be left alone for a while; one that is gone, or has only failed for
 * too long, is suspended with all that was on its way. Not one that was registered anew or resumed since. One D1 round
 * trip.
 */
export async function recordFailure(db: Database, claimed: ClaimedDelivery, result: AttemptResult, retry: Retry): Promise<Turn> {
  const { endpointId } = claimed;
  const { endedAt } = result;
  const gone = result.errorClass === "gone";
  const ended = { status: "suspended", suspendedAt: endedAt, suspendedFor: gone ? "gone" : "failing", updatedAt: endedAt } as const;
  const [, health, suspended, , , next] = await db.batch([
    endAttempt(db, claimed, result),
    db
      .update(endpoints)
      .set({
        failingSince: sql`COALESCE(${endpoints.failingSince}, ${endedAt})`,
        failures: sql`${endpoints.failures} + 1`,
        restUntil: restAfterFailure(endedAt, retry.patience),
        updatedAt: sql`CASE WHEN ${endpoints.failingSince} IS NULL THEN ${endedAt} ELSE ${endpoints.updatedAt} END`,
      })
      .where(isSameEndpoint(claimed))
      .returning({ restUntil: endpoints.restUntil }),
    db
      .update(endpoints)
      .set(ended)
      .where(and(isSameEndpoint(claimed), gone ? sql`TRUE` : hasOnlyFailed(endedAt)))
      .returning({ id: endpoints.id }),
    moveDelivery(db, claimed, {
      state: sql`CASE ${stateByEndpoint} WHEN 'suspended' THEN 'suspended' ELSE ${retry.nextAttemptAt === null ? "exhausted" : "pending"} END`,
      ...(retry.nextAttemptAt === null ? {} : { nextAttemptAt: retry.nextAttemptAt }),
    }),
    // Found by its endpoint only if that is suspended, so that nothing is searched where it is not.
    db
      .update(deliveries)
      .set({ state: "suspended", waiting: false })
      .where(
        and(
          sql`${deliveries.endpointId} = (SELECT id FROM ${endpoints} WHERE id = ${endpointId} AND status = 'suspended')`,
          eq(deliveries.state, "pending"),
        ),
      ),
    letNextTry(db, endpointId, 1),
  ]);
  return turnOf(next, health[0]?.restUntil ?? 0, suspended.length > 0);
}

/**
 * Records that an attempt failed by our own fault, before anything was sent: it is off the schedule, and the endpoint is
 * left alone for five minutes, in which somebody can mend it. One D1 round trip.
 */
export async function recordOwnFault(db: Database, claimed: ClaimedDelivery, result: AttemptResult): Promise<Turn> {
  const restUntil = result.endedAt + LONGEST_REST;
  const [, , , next] = await db.batch([
    endAttempt(db, claimed, result),
    db.update(endpoints).set({ restUntil }).where(isSameEndpoint(claimed)),
    moveDelivery(db, claimed, { state: stateByEndpoint, nextAttemptAt: restUntil, offSchedule: sql`${deliveries.offSchedule} + 1` }),
    letNextTry(db, claimed.endpointId, 1),
  ]);
  return turnOf(next, restUntil, false);
}

/** Records that an operator's attempt failed: the delivery is as it would be without it. One D1 round trip. */
export async function recordFailedResend(db: Database, claimed: ClaimedDelivery, result: AttemptResult): Promise<Turn> {
  const [, , next] = await db.batch([
    endAttempt(db, claimed, result),
    moveDelivery(db, claimed, { state: stateBefore }),
    letNextTry(db, claimed.endpointId, 1),
  ]);
  return turnOf(next, 0, false);
}

function turnOf(next: readonly { readonly eventId: string }[], restUntil: number, suspended: boolean): Turn {
  return { next: next.map(({ eventId }) => eventId), restUntil, suspended };
}

function endAttempt(db: Database, { eventId, number, claimedAt }: ClaimedDelivery, { endedAt, ...result }: AttemptResult) {
  return db
    .update(deliveryAttempts)
    .set({ ...result, durationMs: endedAt - claimedAt })
    .where(and(eq(deliveryAttempts.eventId, eventId), eq(deliveryAttempts.number, number)));
}

interface Move {
  readonly state: SQL;
  readonly nextAttemptAt?: number;
  readonly offSchedule?: SQL;
}

/** Only the claim that sent it moves a delivery: one that was given back meanwhile belongs to somebody else. */
function moveDelivery(db: Database, claimed: ClaimedDelivery, move: Move) {
  return db
    .update(deliveries)
    .set({ ...move, claimedAt: null, resendFrom: null })
    .where(and(eq(deliveries.eventId, claimed.eventId), isSentBy(claimed)));
}

function isSentBy({ claimedAt }: ClaimedDelivery) {
  return and(eq(deliveries.state, "sending"), eq(deliveries.claimedAt, claimedAt));
}

/** The endpoint, if it is still what the attempt was made to. */
function isSameEndpoint({ endpointId, revision }: ClaimedDelivery) {
  return and(eq(endpoints.id, endpointId), eq(endpoints.revision, revision), eq(endpoints.status, "active"));
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
