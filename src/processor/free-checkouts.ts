import type Stripe from "stripe";
import { SECOND } from "../core/clock.ts";
import type { Reader } from "./calls.ts";
import { buyerOf } from "./customers.ts";
import { promotionCodeOf } from "./discounts.ts";
import type { PaymentFacts } from "./facts.ts";
import { listLines, toLinkItems } from "./links.ts";
import { idOf } from "./stripe-objects.ts";

/**
 * Whether a one-time checkout is complete without a payment. No other object shows such a checkout. A subscription that
 * starts without a payment is different: its subscription shows it.
 */
export function isFree({ mode, status, payment_status, payment_intent, amount_total }: Stripe.Checkout.Session): boolean {
  const isDone = status === "complete" && payment_status !== "unpaid";
  return mode === "payment" && isDone && payment_intent === null && amount_total === 0;
}

/** The facts of such a checkout. Its items are those of its link. One call, and another one for a promotion code. */
export async function factsOfFreeCheckout(
  reader: Reader,
  session: Stripe.Checkout.Session,
): Promise<Pick<PaymentFacts, "freeCheckout" | "metadata" | "paymentLinkId" | "clientReferenceId" | "buyer">> {
  const paymentLinkId = idOf(session.payment_link);
  const items = paymentLinkId === null ? [] : toLinkItems(await reader.ask((options) => listLines(reader.stripe, paymentLinkId, options)));
  return {
    metadata: session.metadata ?? {},
    paymentLinkId,
    clientReferenceId: session.client_reference_id,
    buyer: buyerOf(session.customer_details),
    freeCheckout: {
      id: session.id,
      created: session.created * SECOND,
      discount: session.total_details?.amount_discount ?? 0,
      amountTotal: session.amount_total ?? 0,
      currency: (session.currency ?? "").toUpperCase(),
      items,
      ...(await promotionCodeOf(reader, session.discounts)),
    },
  };
}

/** The facts of a checkout that ended unpaid. No call. */
export function factsOfExpiredCheckout(
  session: Stripe.Checkout.Session,
): Pick<PaymentFacts, "expiredCheckout" | "metadata" | "paymentLinkId" | "clientReferenceId"> {
  return {
    metadata: session.metadata ?? {},
    paymentLinkId: idOf(session.payment_link),
    clientReferenceId: session.client_reference_id,
    expiredCheckout: {
      id: session.id,
      expiredAt: session.expires_at * SECOND,
      amountTotal: session.amount_total ?? 0,
      currency: (session.currency ?? "").toUpperCase(),
    },
  };
}
