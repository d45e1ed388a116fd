import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Cell } from "../../db/client.ts";
import { endpoints, events } from "../../db/schema/webhooks.ts";
import { isInState } from "../endpoints/delivery-state.ts";
import { newlyDue } from "../outbox/store.ts";
import { type AttemptResult, insertAttempts, longestFirst, type Taken, takeWaiting } from "./attempts.ts";
import type { ClaimedDelivery } from "./claims.ts";
import { cooldownAfterFailure, MAX_COOLDOWN, restoredState, shouldSuspend, stateByEndpoint } from "./endpoint-health.ts";
import { noticesOfFailure, recordNotices } from "./notices.ts";

/** What to deliver next to the endpoint after a failed attempt. */
export interface NextDeliveries {
  /** The longest waiting deliveries of the same endpoint, the longest first. */
  readonly next: readonly string[];
  /** The end of the endpoint's cooldown; 0 without a cooldown. */
  readonly cooldownUntil: number;
  readonly suspended: boolean;
  /** The deliveries of the notices about this failure. */
  readonly notices: readonly string[];
}

/** When to retry a failed delivery. */
export interface Retry {
  /** Null if no attempt is left. */
  readonly nextAttemptAt: number | null;
  /** The delay that the receiver requested by `Retry-After`, in milliseconds; 0 if it requested none, or for this event only. */
  readonly requestedCooldown: number;
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
  const notices = await noticesOfFailure(claimed, result, retry.nextAttemptAt === null);
  const ended = { status: "suspended", suspendedAt: endedAt, suspensionReason: gone ? "gone" : "failing", updatedAt: endedAt } as const;
  const [, health, suspended, , , next, ...recorded] = await db.batch([
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
      state: sql`CASE ${stateByEndpoint} WHEN 'pending' THEN ${retry.nextAttemptAt === null ? "exhausted" : "pending"} ELSE ${stateByEndpoint} END`,
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
    ...recordNotices(db, notices, endedAt),
  ]);
  return { ...nextDeliveriesOf(next, health[0]?.cooldownUntil ?? 0, suspended.length > 0), notices: newlyDue(recorded.flat()) };
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

function nextDeliveriesOf(taken: readonly Taken[], cooldownUntil: number, suspended: boolean): NextDeliveries {
  return { next: longestFirst(taken).map(({ eventId }) => eventId), cooldownUntil, suspended, notices: [] };
}

interface DeliveryUpdate {
  readonly state: SQL;
  readonly nextAttemptAt?: number;
  readonly unscheduledAttempts?: SQL;
}

/** Updates a delivery only under the claim of this attempt: if it was released in the meantime, nothing changes. */
function updateDelivery(db: Cell, claimed: ClaimedDelivery, update: DeliveryUpdate) {
  return db
    .update(events)
    .set({ ...update, claimedAt: null, stateBeforeResend: null })
    .where(and(eq(events.id, claimed.deliveryId), holdsClaim(claimed)));
}

function holdsClaim({ claimedAt }: ClaimedDelivery) {
  return and(eq(events.state, "sending"), eq(events.claimedAt, claimedAt));
}

/** Matches the endpoint only if it is active and has the same revision as when the attempt started. */
function isSameEndpoint({ endpointId, revision }: ClaimedDelivery) {
  return and(eq(endpoints.id, endpointId), eq(endpoints.revision, revision), eq(endpoints.status, "active"));
}
