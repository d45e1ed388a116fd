import type Stripe from "stripe";
import type { CallBudget } from "../core/call-budget.ts";
import { listCreatedBetween } from "./pages.ts";
import type { BuyerPayment } from "./port.ts";
import { idOf } from "./stripe-objects.ts";

/** {@link Processor.findPaymentsOfBuyer} */
export function findPaymentsOfBuyer(stripe: Stripe, email: string, until: number, limit: number, call: { budget: CallBudget }) {
  return findPayments(stripe, { customer_details: { email } }, until, limit, call);
}

/** {@link Processor.findPaymentsOfLink} */
export function findPaymentsOfLink(stripe: Stripe, paymentLinkId: string, until: number, limit: number, call: { budget: CallBudget }) {
  return findPayments(stripe, { payment_link: paymentLinkId }, until, limit, call);
}

async function findPayments(
  stripe: Stripe,
  filter: Pick<Stripe.Checkout.SessionListParams, "customer_details" | "payment_link">,
  until: number,
  limit: number,
  { budget }: { budget: CallBudget },
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
