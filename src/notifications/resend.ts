import { recordChange } from "../audit/audit-log.ts";
import { writeTogether } from "../db/client.ts";
import { claimForResend } from "./claims.ts";
import { type DeliveryTools, insist } from "./deliver.ts";
import { insertDelivery } from "./deliveries-store.ts";
import { stateOfDelivery } from "./oversight-store.ts";
import { type AttemptResult, recordFailedResend, recordSuccess } from "./results.ts";
import { sendDelivery } from "./send.ts";

export type Resent =
  | { readonly outcome: "sent"; readonly number: number; readonly result: AttemptResult }
  /** An attempt is being made at this moment; there is no endpoint to send it to; there is no such event. */
  | { readonly outcome: "under_way" | "no_endpoint" | "unknown_event" };

/**
 * Sends an event once more by an operator's wish, now, and tells what came of it: under the same id, signed with the
 * secrets of today, whatever the state of the delivery or of its endpoint. It is off the schedule and says nothing of the
 * endpoint's health; a failure leaves the delivery as it was. An event from before there was an endpoint goes to the
 * one that there is now. At most 15 seconds and four D1 round trips.
 */
export async function resendEvent(tools: DeliveryTools, eventId: string, actor: string): Promise<Resent> {
  const { db, clock } = tools;
  const now = clock.now();
  await writeTogether(db, [insertDelivery(db, eventId, now, "exhausted")]);
  const change = { actor, action: "delivery.resend", target: eventId };
  const claim = await claimForResend(db, eventId, now, (onlyIf) => recordChange(db, change, now, onlyIf));
  if (claim.kind !== "claimed") {
    const found = await stateOfDelivery(db, eventId);
    return { outcome: found === undefined ? "unknown_event" : found.state === null ? "no_endpoint" : "under_way" };
  }
  const { delivery } = claim;
  const { retryAfter: _, ...answer } = await sendDelivery(tools, delivery);
  const result: AttemptResult = { ...answer, endedAt: clock.now() };
  const { next } = await insist(() => (result.errorClass === null ? recordSuccess : recordFailedResend)(db, delivery, result));
  await tools.wakeDeliveries.send(next);
  return { outcome: "sent", number: delivery.number, result };
}
