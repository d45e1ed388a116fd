import type Stripe from "stripe";
import { partnerIdIn } from "./attribution-metadata.ts";
import type { ReadCall } from "./calls.ts";
import type { PaymentFacts } from "./facts.ts";
import { idOf } from "./stripe-objects.ts";
import { retrieveSubscription } from "./subscriptions.ts";

const HAS_BEGUN: ReadonlySet<string> = new Set(["active", "trialing"]);

/**
 * The facts of a subscription without a payment. Its checkout session shows the link that started it, and the order
 * reference. `session` is that session, if known.
 */
export async function factsOfSubscription(
  stripe: Stripe,
  ask: ReadCall,
  subscriptionId: string,
  session: Stripe.Checkout.Session | null,
): Promise<Pick<PaymentFacts, "subscription" | "subscriptionId" | "metadata" | "paymentLinkId" | "subscriptionReferenceId" | "missing">> {
  const subscription = await retrieveSubscription(stripe, ask, subscriptionId);
  const found = session ?? (await findSession());
  // All subscriptions of this service start with a link, so the session exists. It may not name the subscription yet.
  const awaitsSession = found === null && partnerIdIn(subscription.metadata) !== null && HAS_BEGUN.has(subscription.status);
  return {
    subscription,
    subscriptionId,
    metadata: subscription.metadata,
    paymentLinkId: idOf(found?.payment_link ?? null),
    subscriptionReferenceId: found?.client_reference_id ?? null,
    missing: awaitsSession ? "checkout_session" : null,
  };

  async function findSession(): Promise<Stripe.Checkout.Session | null> {
    const filter = { subscription: subscriptionId, limit: 1 };
    const sessions = await ask((options) => stripe.checkout.sessions.list(filter, options));
    return sessions.data[0] ?? null;
  }
}
