import type Stripe from "stripe";
import { partnerIdIn } from "./attribution-metadata.ts";
import type { Reader } from "./calls.ts";
import type { PaymentFacts } from "./facts.ts";
import { findSession } from "./sessions.ts";
import { idOf } from "./stripe-objects.ts";
import { retrieveSubscription } from "./subscriptions.ts";

const HAS_BEGUN: ReadonlySet<string> = new Set(["active", "trialing"]);

/**
 * The facts of a subscription without a payment. Its checkout session shows the link that started it, and the order
 * reference. `session` is that session, if known.
 */
export async function factsOfSubscription(
  reader: Reader,
  subscriptionId: string,
  session: Stripe.Checkout.Session | null,
): Promise<Pick<PaymentFacts, "subscription" | "subscriptionId" | "metadata" | "paymentLinkId" | "subscriptionReferenceId" | "missing">> {
  const subscription = await retrieveSubscription(reader, subscriptionId);
  const found = session ?? (await findSession(reader, { subscription: subscriptionId }));
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
}
