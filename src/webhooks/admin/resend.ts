import { not } from "drizzle-orm";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { runBatch } from "../../db/client.ts";
import type { AttemptResult } from "../delivery/attempts.ts";
import { claimForResend } from "../delivery/claims.ts";
import { type DeliveryDeps, withRetry } from "../delivery/deliver.ts";
import { recordFailedResend } from "../delivery/failures.ts";
import { sendDelivery } from "../delivery/send.ts";
import { recordSuccesses } from "../delivery/successes.ts";
import { isHeldOf } from "../endpoints/store.ts";
import { allowResend } from "../outbox/store.ts";
import { partnerOfEvent, stateOfDelivery } from "./store.ts";

export type ResendResult =
  | { readonly outcome: "sent"; readonly number: number; readonly result: AttemptResult }
  /** Another attempt is in progress; the partner has no endpoint; others suspended it; the event does not exist. */
  | { readonly outcome: "in_progress" | "no_endpoint" | "held" | "unknown_event" };

/**
 * Resends an event manually, for an operator or for its partner, at once, and returns the result. The event keeps its id and is signed with
 * the current secrets. The state of the delivery and of its endpoint does not matter. The attempt does not count for
 * the schedule or for the endpoint's health; after a failure the delivery returns to its previous state. An event that
 * is older than the endpoint is sent to the current endpoint. A partner cannot
 * send to an endpoint that an operator has suspended. About 15 seconds at most; three D1 round trips.
 */
export async function resendEvent(
  deps: DeliveryDeps,
  eventId: string,
  actor: Actor,
  by: "operator" | "partner" = "operator",
): Promise<ResendResult> {
  const { db, clock } = deps;
  const now = clock.now();
  const change = { actor, action: "delivery.resend" as const, target: eventId, partnerId: partnerOfEvent(eventId) };
  const isAllowed = by === "partner" ? not(isHeldOf(eventId)) : undefined;
  await runBatch(db, [allowResend(db, eventId, isAllowed)]);
  const claim = await claimForResend(db, eventId, now, { isAllowed, auditStatement: (onlyIf) => auditRow(db, change, now, onlyIf) });
  if (claim.kind !== "claimed") {
    const found = await stateOfDelivery(db, eventId);
    if (found === undefined) return { outcome: "unknown_event" };
    if (by === "partner" && found.isHeld) return { outcome: "held" };
    return { outcome: found.state === "no_endpoint" || found.hasEndpoint === 0 ? "no_endpoint" : "in_progress" };
  }
  const { delivery } = claim;
  const { retryAfter: _, ...answer } = await sendDelivery(deps, delivery);
  const result: AttemptResult = { ...answer, endedAt: clock.now() };
  const next = await withRetry(async () =>
    result.errorClass === null
      ? (await recordSuccesses(db, [{ claimed: delivery, result }])).flat()
      : (await recordFailedResend(db, delivery, result)).next,
  );
  await deps.deliveryQueue.send(next);
  return { outcome: "sent", number: delivery.number, result };
}
