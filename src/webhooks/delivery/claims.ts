import { and, eq, gt, isNull, lte, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../../core/environment.ts";
import type { Cell, Statement } from "../../db/client.ts";
import { endpointSecrets, endpoints, events } from "../../db/schema/webhooks.ts";
import { bodyOf } from "../../views/event-body.ts";
import { hasFreeSlot } from "./endpoint-health.ts";

/** A delivery that only this consumer may send now, with all data needed to send it. */
export interface ClaimedDelivery {
  readonly eventId: string;
  readonly partnerId: string;
  readonly claimedAt: number;
  /** The number of this attempt, starting at 1. */
  readonly number: number;
  /** The number of attempts that count for the schedule, including this one. */
  readonly scheduledAttempts: number;
  /** An operator resends it manually. The attempt does not count for the schedule or for the endpoint's health. */
  readonly manual: boolean;
  readonly name: string;
  readonly body: string;
  readonly environment: Environment;
  readonly endpointId: string;
  readonly url: string;
  /** Whether the endpoint was failing when this attempt started. */
  readonly wasFailing: boolean;
  /** The endpoint's revision when this attempt started. */
  readonly revision: number;
  /** The current secret first, then the previous secret while it is valid. */
  readonly encryptedSecrets: readonly string[];
}

export type Claim =
  | { readonly kind: "claimed"; readonly delivery: ClaimedDelivery }
  /** Waits for a free slot of its endpoint. The timestamp is the end of the endpoint's cooldown. */
  | { readonly kind: "waits"; readonly cooldownUntil: number }
  /** Another consumer has claimed it, it is not due, it is already waiting, or it is finished. */
  | { readonly kind: "nothing" };

/**
 * Claims a due delivery by compare-and-set, counts the attempt, and reads all data needed to send it.
 * If its endpoint has no free slot, marks the delivery as waiting instead. One D1 round trip.
 */
export function claimDelivery(db: Cell, eventId: string, now: number): Promise<Claim> {
  const isDue = sql`${events.state} = 'pending' AND ${events.nextAttemptAt} <= ${now} AND ${hasFreeSlot(now)}`;
  return claim(db, eventId, now, isDue, null);
}

/**
 * Claims a delivery for a manual resend. Ignores the state of the delivery, the state of its endpoint and the schedule.
 * Returns `nothing` if the delivery is being sent already, or if the event has no delivery. `auditStatement` builds the audit
 * statement; it takes effect only if the claim succeeds. One D1 round trip.
 */
export function claimForResend(db: Cell, eventId: string, now: number, auditStatement: (onlyIf: SQL) => Statement): Promise<Claim> {
  const isClaimedForResend = sql`EXISTS (SELECT 1 FROM ${events} WHERE id = ${eventId} AND claimed_at = ${now} AND state_before_resend IS NOT NULL)`;
  const mayBeSent = notInArray(events.state, ["sending", "no_endpoint"]);
  return claim(db, eventId, now, mayBeSent, auditStatement(isClaimedForResend));
}

async function claim(db: Cell, eventId: string, now: number, mayBeSent: SQL, auditStatement: Statement | null): Promise<Claim> {
  const manual = auditStatement !== null;
  const isThisEvent = eq(events.id, eventId);
  const isClaimed = and(isThisEvent, eq(events.state, "sending"), eq(events.claimedAt, now));
  const [claimed, waiting, found] = await db.batch([
    db
      .update(events)
      .set({
        state: "sending",
        claimedAt: now,
        attempts: sql`${events.attempts} + 1`,
        waiting: false,
        ...(manual ? { stateBeforeResend: sql`${events.state}`, unscheduledAttempts: sql`${events.unscheduledAttempts} + 1` } : {}),
      })
      .where(and(isThisEvent, mayBeSent))
      .returning({ number: events.attempts, unscheduledAttempts: events.unscheduledAttempts }),
    // The delivery is still pending and due, so its endpoint had no free slot.
    db
      .update(events)
      .set({ waiting: true })
      .where(and(isThisEvent, eq(events.state, "pending"), eq(events.waiting, false), lte(events.nextAttemptAt, now)))
      .returning({ cooldownUntil: sql<number>`(SELECT cooldown_until FROM ${endpoints} WHERE id = ${events}.endpoint_id)` }),
    db
      .select({
        id: events.id,
        partnerId: events.partnerId,
        name: events.name,
        environment: events.environment,
        createdAt: events.createdAt,
        payload: events.payload,
        endpointId: events.endpointId,
        url: endpoints.url,
        failingSince: endpoints.failingSince,
        revision: endpoints.revision,
        encrypted: endpointSecrets.encrypted,
      })
      .from(events)
      .innerJoin(endpoints, eq(endpoints.id, events.endpointId))
      .innerJoin(endpointSecrets, and(eq(endpointSecrets.endpointId, endpoints.id), isValid(now)))
      .where(isClaimed)
      .orderBy(sql`${endpointSecrets.expiresAt} IS NOT NULL`),
    ...(auditStatement === null ? [] : [auditStatement]),
  ]);
  const [counts] = claimed;
  const [details] = found;
  if (counts === undefined || details === undefined) {
    return waiting[0] === undefined ? { kind: "nothing" } : { kind: "waits", cooldownUntil: waiting[0].cooldownUntil };
  }
  const { number, unscheduledAttempts } = counts;
  const { partnerId, name, environment, endpointId, url, revision, failingSince } = details;
  const encryptedSecrets = found.map(({ encrypted }) => encrypted);
  const count = { number, scheduledAttempts: number - unscheduledAttempts, manual, wasFailing: failingSince !== null };
  const body = bodyOf(details);
  return {
    kind: "claimed",
    delivery: { eventId, partnerId, claimedAt: now, ...count, name, body, environment, endpointId, url, revision, encryptedSecrets },
  };
}

/** The current secret, and the previous secret during its grace period (interface 11.4). */
function isValid(now: number) {
  return or(isNull(endpointSecrets.expiresAt), gt(endpointSecrets.expiresAt, now));
}
