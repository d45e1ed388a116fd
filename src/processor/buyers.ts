import type Stripe from "stripe";
import type { Account } from "./account.ts";
import { listCreatedBetween } from "./pages.ts";
import type { BuyerPayment, Call } from "./port.ts";
import { idOf } from "./stripe-objects.ts";

/**
 * The payments and subscriptions of a buyer until a time (Unix milliseconds), by the e-mail address of the checkout,
 * newest first, at most `limit`. An id is null if the checkout has no such object.
 */
export function findPaymentsOfBuyer({ stripe }: Account, email: string, until: number, limit: number, call: Call) {
  return findPayments(stripe, { customer_details: { email } }, until, limit, call);
}

/** The payments and subscriptions through a payment link, newest first, at most `limit`. */
export function findPaymentsOfLink({ stripe }: Account, paymentLinkId: string, until: number, limit: number, call: Call) {
  return findPayments(stripe, { payment_link: paymentLinkId }, until, limit, call);
}

async function findPayments(
  stripe: Stripe,
  filter: Pick<Stripe.Checkout.SessionListParams, "customer_details" | "payment_link">,
  until: number,
  limit: number,
  { budget }: Call,
): Promise<BuyerPayment[]> {
  const found = await listCreatedBetween({ from: 0, to: until, limit, budget }, (params, timeout) =>
    stripe.checkout.sessions.list({ ...params, ...filter }, { timeout }),
  );
  return found.map(({ id, payment_intent, subscription }) => ({
    checkoutSessionId: id,
    paymentIntentId: idOf(payment_intent),
    subscriptionId: idOf(subscription),
  }));
}
