import type Stripe from "stripe";
import { partnerIdIn } from "./attribution.ts";
import type { ReadCall } from "./calls.ts";
import type { PaymentFacts } from "./facts.ts";
import { idOf } from "./objects.ts";
import { retrieveSubscription } from "./subscriptions.ts";

/**
 * The facts of a subscription without a payment. If its metadata names no partner, the link that it was started with
 * shows it; `session` is its checkout session, if that is known.
 */
export async function factsOfSubscription(
  stripe: Stripe,
  ask: ReadCall,
  subscriptionId: string,
  session: Stripe.Checkout.Session | null,
): Promise<Pick<PaymentFacts, "subscription" | "subscriptionId" | "metadata" | "paymentLinkId">> {
  const subscription = await retrieveSubscription(stripe, ask, subscriptionId);
  const isOurs = partnerIdIn(subscription.metadata) !== null;
  const found = session === null && !isOurs ? await findSession() : session;
  return { subscription, subscriptionId, metadata: subscription.metadata, paymentLinkId: idOf(found?.payment_link ?? null) };

  async function findSession(): Promise<Stripe.Checkout.Session | null> {
    const filter = { subscription: subscriptionId, limit: 1 };
    const sessions = await ask((options) => stripe.checkout.sessions.list(filter, options));
    return sessions.data[0] ?? null;
  }
}
