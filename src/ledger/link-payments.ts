import type { Database, Statement } from "../db/client.ts";
import { countLinkPayment } from "../links/limits.ts";
import type { Refresh } from "./look-up.ts";

/** A subscription in one of these has not had its first payment. */
const NOT_BEGUN: ReadonlySet<string> = new Set(["incomplete", "incomplete_expired"]);

/** Counts what a look shows as a payment of its link, as the processor counts completed checkouts: what is pending, free or a trial counts too. */
export function linkPaymentRows(db: Database, { facts, attribution }: Refresh, now: number): readonly Statement[] {
  const { paymentLinkId, clientReferenceId, subscriptionReferenceId, charge } = facts;
  const id = completedId(facts);
  if (attribution.partnerId === null || paymentLinkId === null || id === null) return [];
  const reference = clientReferenceId ?? subscriptionReferenceId;
  const receipt = charge?.status === "succeeded" ? charge.receiptUrl : null;
  const beganAt = charge?.created ?? facts.freeCheckout?.created ?? null;
  return countLinkPayment(db, paymentLinkId, { id, reference, receipt, beganAt }, now);
}

function completedId({ charge, freeCheckout, paymentIntentId, subscriptionId, subscription }: Refresh["facts"]): string | null {
  if (freeCheckout !== null) return freeCheckout.id;
  if (charge !== null) return charge.status === "failed" ? null : (subscriptionId ?? paymentIntentId);
  return subscription === null || NOT_BEGUN.has(subscription.status) ? null : subscription.id;
}
