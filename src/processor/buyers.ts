import type Stripe from "stripe";
import type { Deadline } from "../core/deadline.ts";
import { idOf } from "./objects.ts";
import { listCreatedBetween } from "./pages.ts";
import type { BuyerPayment } from "./port.ts";

/** {@link Processor.findPaymentsOfBuyer} */
export async function findPaymentsOfBuyer(
  stripe: Stripe,
  email: string,
  until: number,
  limit: number,
  { deadline }: { deadline: Deadline },
): Promise<BuyerPayment[]> {
  const found = await listCreatedBetween({ from: 0, to: until, limit, deadline }, (params, timeout) =>
    stripe.checkout.sessions.list({ ...params, customer_details: { email } }, { timeout }),
  );
  return found.map(({ payment_intent, subscription }) => ({ paymentIntentId: idOf(payment_intent), subscriptionId: idOf(subscription) }));
}
