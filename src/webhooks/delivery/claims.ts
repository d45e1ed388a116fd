import { and, eq, inArray, lte, notInArray, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../../core/environment.ts";
import { eventInDelivery } from "../../core/ids.ts";
import { type Cell, inList, type Statement } from "../../db/client.ts";
import { type channels, endpointSecrets, endpoints, events } from "../../db/schema/webhooks.ts";
import { bodyOf } from "../../views/event-body.ts";
import { isValidSecret } from "../endpoints/secrets-store.ts";
import { hasEndpoint } from "../endpoints/store.ts";
import { freeSlots } from "./endpoint-health.ts";

/** A delivery that only this consumer may send now, with all data needed to send it. */
export interface ClaimedDelivery {
  /** Its id, which its queue message, its row and its attempts have. */
  readonly deliveryId: string;
  /** The event that is sent. */
  readonly eventId: string;
  readonly partnerId: string;
  readonly claimedAt: number;
  /** The number of this attempt, starting at 1. */
  readonly number: number;
  /** The number of attempts that count for the schedule, including this one. */
  readonly scheduledAttempts: number;
  /** A manual resend. The attempt does not count for the schedule or for the endpoint's health. */
  readonly manual: boolean;
  readonly name: string;
  readonly body: string;
  readonly environment: Environment;
  readonly endpointId: string;
  readonly url: string;
  /** Null: a webhook, which gets the signed body. Otherwise a message about the event goes to the address in the secret. */
  readonly channel: (typeof channels)[number] | null;
  /** The endpoint's name for its partner: null for the first webhook, and for a channel. */
  readonly endpointName: string | null;
  /** Since when the endpoint was failing as this attempt started; null if it was not. */
  readonly failingSince: number | null;
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
 * Claims due deliveries by compare-and-set, counts their attempts, and reads all data needed to send them: for each
 * endpoint as many as it has free slots, longest due first. The others are marked as waiting. One D1 round trip.
 * @returns a claim for each id, in order. A repeated id is claimed once.
 */
export async function claimDeliveries(db: Cell, deliveryIds: readonly string[], now: number): Promise<Claim[]> {
  const isAsked = inArray(events.id, inList(deliveryIds));
  const due = sql`SELECT due.id, ROW_NUMBER() OVER (PARTITION BY due.endpoint_id ORDER BY due.next_attempt_at, due.id) AS place,
      ${freeSlots(sql`slot`)} AS slots
    FROM ${events} AS due JOIN ${endpoints} AS slot ON slot.id = due.endpoint_id
    WHERE due.id IN ${inList(deliveryIds)} AND due.state = 'pending' AND due.next_attempt_at <= ${now}
      AND slot.status = 'active' AND slot.cooldown_until <= ${now}`;
  const [claimed, waiting, found] = await db.batch([
    startAttempts(db, now, {}, sql`${events.id} IN (SELECT id FROM (${due}) WHERE place <= slots)`),
    // Deliveries that are still pending and due had no free slot.
    db
      .update(events)
      .set({ waiting: true })
      .where(and(isAsked, eq(events.state, "pending"), eq(events.waiting, false), lte(events.nextAttemptAt, now)))
      .returning({ id: events.id, cooldownUntil: sql<number>`(SELECT cooldown_until FROM ${endpoints} WHERE id = ${events}.endpoint_id)` }),
    detailsOf(db, isAsked, now),
  ]);
  const details = Map.groupBy(found, ({ id }) => id);
  const claims = new Map<string, Claim>([
    ...claimed.flatMap(({ id, ...counts }) => {
      const claim = claimOf(counts, details.get(id) ?? [], now, false);
      return claim === null ? [] : ([[id, claim]] as const);
    }),
    ...waiting.map(({ id, cooldownUntil }) => [id, { kind: "waits", cooldownUntil }] as const),
  ]);
  return deliveryIds.map((id, index) => (deliveryIds.indexOf(id) === index ? claims.get(id) : undefined) ?? { kind: "nothing" });
}

/**
 * Claims a delivery for a manual resend. Ignores the state of the delivery, the state of its endpoint and the schedule.
 * Returns `nothing` if the delivery is being sent already, if the event has no delivery, or if `isAllowed` is false.
 * `auditStatement` builds the audit statement; it takes effect only if the claim succeeds. One D1 round trip.
 */
export async function claimForResend(
  db: Cell,
  eventId: string,
  now: number,
  { isAllowed, auditStatement }: { readonly isAllowed?: SQL | undefined; readonly auditStatement: (onlyIf: SQL) => Statement },
): Promise<Claim> {
  const isClaimed = sql`EXISTS (SELECT 1 FROM ${events} WHERE id = ${eventId} AND claimed_at = ${now} AND state_before_resend IS NOT NULL)`;
  const isThisEvent = eq(events.id, eventId);
  const asResend = { stateBeforeResend: sql`${events.state}`, unscheduledAttempts: sql`${events.unscheduledAttempts} + 1` };
  const [[counts], found] = await db.batch([
    startAttempts(db, now, asResend, and(isThisEvent, notInArray(events.state, ["sending", "no_endpoint"]), hasEndpoint, isAllowed)),
    detailsOf(db, isThisEvent, now),
    auditStatement(isClaimed),
  ]);
  return (counts && claimOf(counts, found, now, true)) ?? { kind: "nothing" };
}

function startAttempts(
  db: Cell,
  now: number,
  asResend: { readonly stateBeforeResend?: SQL; readonly unscheduledAttempts?: SQL },
  mayBeSent: SQL | undefined,
) {
  return db
    .update(events)
    .set({ state: "sending", claimedAt: now, attempts: sql`${events.attempts} + 1`, waiting: false, ...asResend })
    .where(mayBeSent)
    .returning({ id: events.id, number: events.attempts, unscheduledAttempts: events.unscheduledAttempts });
}

/**
 * The data to send the deliveries that were claimed at this time, one row for each valid secret, the current one first.
 */
function detailsOf(db: Cell, isAsked: SQL, now: number) {
  return db
    .select({
      id: events.id,
      partnerId: events.partnerId,
      name: events.name,
      environment: events.environment,
      createdAt: events.createdAt,
      payload: events.payload,
      endpointId: events.endpointId,
      url: endpoints.url,
      channel: endpoints.channel,
      // A batch gives rows by their columns' names, and the event has a name too.
      endpointName: sql<string | null>`${endpoints.name}`.as("endpoint_name"),
      failingSince: endpoints.failingSince,
      revision: endpoints.revision,
      encrypted: endpointSecrets.encrypted,
    })
    .from(events)
    .innerJoin(endpoints, eq(endpoints.id, events.endpointId))
    .innerJoin(endpointSecrets, and(eq(endpointSecrets.endpointId, endpoints.id), isValidSecret(now)))
    .where(and(isAsked, eq(events.state, "sending"), eq(events.claimedAt, now)))
    .orderBy(sql`${endpointSecrets.expiresAt} IS NOT NULL`);
}

/** Null if the endpoint has no secret. */
function claimOf(
  { number, unscheduledAttempts }: { readonly number: number; readonly unscheduledAttempts: number },
  found: Awaited<ReturnType<typeof detailsOf>>,
  now: number,
  manual: boolean,
): Claim | null {
  const [details] = found;
  if (details === undefined) return null;
  const { id, partnerId, name, environment, endpointId, endpointName, url, channel, revision, failingSince } = details;
  const encryptedSecrets = found.map(({ encrypted }) => encrypted);
  const count = { number, scheduledAttempts: number - unscheduledAttempts, manual, failingSince };
  const body = bodyOf(details);
  const endpoint = { endpointId, endpointName, url, channel, revision, encryptedSecrets };
  return {
    kind: "claimed",
    delivery: { deliveryId: id, eventId: eventInDelivery(id), partnerId, claimedAt: now, ...count, name, body, environment, ...endpoint },
  };
}
