import { and, eq, gt, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { type Cell, inList } from "../../db/client.ts";
import { type attemptErrors, deliveryAttempts, endpoints, events } from "../../db/schema/webhooks.ts";
import { isInState } from "../endpoints/delivery-state.ts";
import type { ClaimedDelivery } from "./claims.ts";
import {
  cooldownAfterFailure,
  MAX_CONCURRENT_ATTEMPTS,
  MAX_COOLDOWN,
  restoredState,
  shouldSuspend,
  stateByEndpoint,
} from "./endpoint-health.ts";

/** The result of an attempt, and the time when it ended (Unix milliseconds). */
export interface AttemptResult {
  /** Null for a success. */
  readonly errorClass: (typeof attemptErrors)[number] | null;
  /** The HTTP status, or null without a response. */
  readonly status: number | null;
  readonly excerpt: string | null;
  readonly endedAt: number;
}

/** What to deliver next to the endpoint after an attempt. */
export interface NextDeliveries {
  /** The longest waiting deliveries of the same endpoint, the longest first. */
  readonly next: readonly string[];
  /** The end of the endpoint's cooldown; 0 without a cooldown. */
  readonly cooldownUntil: number;
  readonly suspended: boolean;
}

/** When to retry a failed delivery. */
export interface Retry {
  /** Null if no attempt is left. */
  readonly nextAttemptAt: number | null;
  /** The delay that the receiver requested by `Retry-After`, in milliseconds; 0 if it requested none, or for this event only. */
  readonly requestedCooldown: number;
}

/** An attempt that succeeded. */
export interface Success {
  readonly claimed: ClaimedDelivery;
  readonly result: AttemptResult;
}

/** Successes that are recorded at once: the values of their attempts must fit into the parameters of one statement. */
export const MAX_SUCCESSES = 10;

/**
 * Records successful deliveries, also if the sweep released them meanwhile, but for one that another consumer is sending
 * now. Failing endpoints become healthy again, unless the attempt was manual. One D1 round trip.
 * @returns what comes next for each, in their order: together what their endpoints have free slots for.
 */
export async function recordSuccesses(db: Cell, successes: readonly Success[]): Promise<NextDeliveries[]> {
  const slots = new Map<string, number>();
  for (const { claimed } of successes) {
    const freed = claimed.wasFailing ? MAX_CONCURRENT_ATTEMPTS : 1;
    slots.set(claimed.endpointId, Math.min(MAX_CONCURRENT_ATTEMPTS, (slots.get(claimed.endpointId) ?? 0) + freed));
  }
  const [, , taken] = await db.batch([
    insertAttempts(db, successes),
    db
      .update(events)
      .set({ state: "succeeded", waiting: false, claimedAt: null, stateBeforeResend: null })
      .where(
        and(
          inArray(events.id, inList(successes.map(({ claimed }) => claimed.eventId))),
          or(inArray(events.state, ["pending", "suspended", "exhausted"]), holdsOneOf(successes)),
        ),
      ),
    takeWaiting(db, slots),
    heal(db, successes),
  ]);
  const next = Map.groupBy(longestFirst(taken), ({ endpointId }) => endpointId);
  return successes.map(({ claimed: { endpointId } }, index) => {
    const ofEndpoint = next.get(endpointId) ?? [];
    const isLast = successes.findLastIndex(({ claimed }) => claimed.endpointId === endpointId) === index;
    // Each goes on with one; what is left is for the last.
    const mine = isLast ? ofEndpoint.splice(0) : ofEndpoint.splice(0, 1);
    return { next: mine.map(({ eventId }) => eventId), cooldownUntil: 0, suspended: false };
  });
}

/** Whether a delivery is being sent under the claim of one of these attempts. */
function holdsOneOf(successes: readonly Success[]): SQL {
  const claims = JSON.stringify(successes.map(({ claimed: { eventId, claimedAt } }) => [eventId, claimedAt]));
  return sql`(${events.state} = 'sending' AND EXISTS (SELECT 1 FROM json_each(${claims})
    WHERE value ->> 0 = ${events.id} AND value ->> 1 = ${events.claimedAt}))`;
}

/**
 * Endpoints that took a delivery become healthy, if they are active and have the same revision as when the attempt
 * started, and have not begun to fail after it ended. A cooldown that started during the attempt stays, even if many succeed.
 */
function heal(db: Cell, successes: readonly Success[]) {
  const scheduled = successes.filter(({ claimed }) => !claimed.manual);
  const proofs = JSON.stringify(
    scheduled.map(({ claimed: { endpointId, revision, claimedAt }, result }) => [endpointId, revision, claimedAt, result.endedAt]),
  );
  const proof = sql`SELECT 1 FROM json_each(${proofs}) WHERE value ->> 0 = ${endpoints.id} AND value ->> 1 = ${endpoints.revision}`;
  const hasRecovered = sql`EXISTS (${proof} AND ${endpoints.failingSince} <= value ->> 3)`;
  const isOver = sql`EXISTS (${proof} AND (${endpoints.failingSince} <= value ->> 2 OR ${endpoints.cooldownUntil} <= value ->> 3))`;
  return db
    .update(endpoints)
    .set({
      failingSince: sql`CASE WHEN ${hasRecovered} THEN NULL ELSE ${endpoints.failingSince} END`,
      failures: sql`CASE WHEN ${hasRecovered} THEN 0 ELSE ${endpoints.failures} END`,
      cooldownUntil: sql`CASE WHEN ${isOver} THEN 0 ELSE ${endpoints.cooldownUntil} END`,
    })
    .where(
      and(
        inArray(endpoints.id, inList(scheduled.map(({ claimed }) => claimed.endpointId))),
        eq(endpoints.status, "active"),
        or(isNotNull(endpoints.failingSince), gt(endpoints.cooldownUntil, 0)),
        sql`EXISTS (${proof})`,
      ),
    );
}

/**
 * Records a failed scheduled attempt. The endpoint may get a cooldown. If it returned 410, or had only failures for too
 * long, it is suspended with its pending events. An endpoint that was registered again or resumed since the attempt
 * started is not changed. One D1 round trip.
 */
export async function recordFailure(db: Cell, claimed: ClaimedDelivery, result: AttemptResult, retry: Retry): Promise<NextDeliveries> {
  const { endpointId } = claimed;
  const { endedAt } = result;
  const gone = result.errorClass === "gone";
  const ended = { status: "suspended", suspendedAt: endedAt, suspensionReason: gone ? "gone" : "failing", updatedAt: endedAt } as const;
  const [, health, suspended, , , next] = await db.batch([
    insertAttempts(db, [{ claimed, result }]),
    db
      .update(endpoints)
      .set({
        failingSince: sql`COALESCE(${endpoints.failingSince}, ${endedAt})`,
        failures: sql`${endpoints.failures} + 1`,
        cooldownUntil: cooldownAfterFailure(endedAt, retry.requestedCooldown),
        updatedAt: sql`CASE WHEN ${endpoints.failingSince} IS NULL THEN ${endedAt} ELSE ${endpoints.updatedAt} END`,
      })
      .where(isSameEndpoint(claimed))
      .returning({ cooldownUntil: endpoints.cooldownUntil }),
    db
      .update(endpoints)
      .set(ended)
      .where(and(isSameEndpoint(claimed), gone ? sql`TRUE` : shouldSuspend(endedAt)))
      .returning({ id: endpoints.id }),
    updateDelivery(db, claimed, {
      state: sql`CASE ${stateByEndpoint} WHEN 'suspended' THEN 'suspended' ELSE ${retry.nextAttemptAt === null ? "exhausted" : "pending"} END`,
      ...(retry.nextAttemptAt === null ? {} : { nextAttemptAt: retry.nextAttemptAt }),
    }),
    // The subquery is empty unless the endpoint is suspended, so that an active endpoint costs no search.
    db
      .update(events)
      .set({ state: "suspended", waiting: false })
      .where(
        and(
          sql`${events.endpointId} = (SELECT id FROM ${endpoints} WHERE id = ${endpointId} AND status = 'suspended')`,
          isInState("pending"),
        ),
      ),
    takeWaiting(db, new Map([[endpointId, 1]])),
  ]);
  return nextDeliveriesOf(next, health[0]?.cooldownUntil ?? 0, suspended.length > 0);
}

/**
 * Records that an attempt failed because of an internal error, before anything was sent. The attempt does not count for
 * the schedule. The endpoint gets a cooldown of five minutes, so that an operator can fix the error. One D1 round trip.
 */
export async function recordInternalError(db: Cell, claimed: ClaimedDelivery, result: AttemptResult): Promise<NextDeliveries> {
  const cooldownUntil = result.endedAt + MAX_COOLDOWN;
  const [, , , next] = await db.batch([
    insertAttempts(db, [{ claimed, result }]),
    db.update(endpoints).set({ cooldownUntil }).where(isSameEndpoint(claimed)),
    updateDelivery(db, claimed, {
      state: stateByEndpoint,
      nextAttemptAt: cooldownUntil,
      unscheduledAttempts: sql`${events.unscheduledAttempts} + 1`,
    }),
    takeWaiting(db, new Map([[claimed.endpointId, 1]])),
  ]);
  return nextDeliveriesOf(next, cooldownUntil, false);
}

/** Records a failed manual attempt: the delivery returns to its previous state. One D1 round trip. */
export async function recordFailedResend(db: Cell, claimed: ClaimedDelivery, result: AttemptResult): Promise<NextDeliveries> {
  const [, , next] = await db.batch([
    insertAttempts(db, [{ claimed, result }]),
    updateDelivery(db, claimed, { state: restoredState }),
    takeWaiting(db, new Map([[claimed.endpointId, 1]])),
  ]);
  return nextDeliveriesOf(next, 0, false);
}

type Taken = Awaited<ReturnType<typeof takeWaiting>>[number];

function nextDeliveriesOf(taken: readonly Taken[], cooldownUntil: number, suspended: boolean): NextDeliveries {
  return { next: longestFirst(taken).map(({ eventId }) => eventId), cooldownUntil, suspended };
}

/** An update returns its rows in no order. */
function longestFirst(taken: readonly Taken[]): Taken[] {
  return taken.toSorted((left, right) => left.nextAttemptAt - right.nextAttemptAt);
}

/** Writes attempts with their results. The sweep may have written one as lost meanwhile: then its result is known now. */
function insertAttempts(db: Cell, ended: readonly Success[]) {
  return db
    .insert(deliveryAttempts)
    .values(
      ended.map(({ claimed: { eventId, number, claimedAt, manual }, result: { endedAt, ...result } }) => {
        return { eventId, number, at: claimedAt, manual, ...result, durationMs: endedAt - claimedAt };
      }),
    )
    .onConflictDoUpdate({
      target: [deliveryAttempts.eventId, deliveryAttempts.number],
      set: {
        errorClass: sql`excluded.error_class`,
        status: sql`excluded.status`,
        excerpt: sql`excluded.excerpt`,
        durationMs: sql`excluded.duration_ms`,
      },
    });
}

interface DeliveryUpdate {
  readonly state: SQL;
  readonly nextAttemptAt?: number;
  readonly unscheduledAttempts?: SQL;
}

/** Updates a delivery only under the claim of this attempt: if it was released meanwhile, nothing is changed. */
function updateDelivery(db: Cell, claimed: ClaimedDelivery, update: DeliveryUpdate) {
  return db
    .update(events)
    .set({ ...update, claimedAt: null, stateBeforeResend: null })
    .where(and(eq(events.id, claimed.eventId), holdsClaim(claimed)));
}

function holdsClaim({ claimedAt }: ClaimedDelivery) {
  return and(eq(events.state, "sending"), eq(events.claimedAt, claimedAt));
}

/** Matches the endpoint only if it is active and has the same revision as when the attempt started. */
function isSameEndpoint({ endpointId, revision }: ClaimedDelivery) {
  return and(eq(endpoints.id, endpointId), eq(endpoints.revision, revision), eq(endpoints.status, "active"));
}

/** Ends the wait of the longest waiting deliveries of endpoints, as many as the slots that became free, and returns them. */
function takeWaiting(db: Cell, slots: ReadonlyMap<string, number>) {
  const lanes = JSON.stringify([...slots]);
  const first = sql`(SELECT id FROM ${events} AS first WHERE first.endpoint_id = lane.value ->> 0 AND first.state = 'pending' AND first.waiting = 1
    ORDER BY first.next_attempt_at LIMIT ${Math.max(...slots.values())})`;
  const longest = sql`SELECT waits.id, lane.value ->> 1 AS slots,
      ROW_NUMBER() OVER (PARTITION BY waits.endpoint_id ORDER BY waits.next_attempt_at) AS place
    FROM json_each(${lanes}) AS lane JOIN ${events} AS waits ON waits.id IN ${first}`;
  return db
    .update(events)
    .set({ waiting: false })
    .where(sql`${events.id} IN (SELECT id FROM (${longest}) WHERE place <= slots)`)
    .returning({ eventId: events.id, endpointId: events.endpointId, nextAttemptAt: events.nextAttemptAt });
}
