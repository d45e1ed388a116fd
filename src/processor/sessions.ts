import type Stripe from "stripe";
import type { Reader } from "./calls.ts";

/** The checkout of a payment or of a subscription; null if the processor has none that names it. */
export async function findSession(
  { stripe, ask }: Reader,
  filter: { readonly payment_intent: string } | { readonly subscription: string },
): Promise<Stripe.Checkout.Session | null> {
  const found = await ask((options) => stripe.checkout.sessions.list({ ...filter, limit: 1 }, options));
  return found.data[0] ?? null;
}
