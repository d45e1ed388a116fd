import type Stripe from "stripe";
import { SECOND } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import { type Ask, callProcessor, callUnderNextKey } from "./calls.ts";
import type { SubscriptionFacts } from "./facts.ts";
import { idOf, toObject } from "./objects.ts";

/** {@link Processor.retrieveSubscription} */
export async function retrieveSubscription(stripe: Stripe, ask: Ask, subscriptionId: string): Promise<SubscriptionFacts> {
  return toFacts(await ask((options) => stripe.subscriptions.retrieve(subscriptionId, {}, options)));
}

/** {@link Processor.findLinkOfSubscription} */
export async function findLinkOfSubscription(
  stripe: Stripe,
  subscriptionId: string,
  { deadline }: { deadline: Deadline },
): Promise<string | null> {
  const filter = { subscription: subscriptionId, limit: 1 };
  const sessions = await callProcessor(deadline, (timeout) => stripe.checkout.sessions.list(filter, { timeout }));
  return idOf(sessions.data[0]?.payment_link ?? null);
}

/** {@link Processor.setCancelAtPeriodEnd} */
export async function setCancelAtPeriodEnd(
  stripe: Stripe,
  subscriptionId: string,
  cancelAtPeriodEnd: boolean,
  { deadline }: { deadline: Deadline },
): Promise<SubscriptionFacts> {
  const updated = await update({ cancel_at_period_end: cancelAtPeriodEnd });
  // An end that was set as a moment, as the customer's own pages do, is another field, and not taken back by the flag.
  return toFacts(cancelAtPeriodEnd || updated.cancel_at === null ? updated : await update({ cancel_at: "" }));

  /** Saying the same twice changes nothing, so a failure that is kept under a key is got round by the next. */
  function update(params: Stripe.SubscriptionUpdateParams): Promise<Stripe.Subscription> {
    const underNewKey = () => {
      const idempotencyKey = crypto.randomUUID();
      return callProcessor(deadline, (timeout) => stripe.subscriptions.update(subscriptionId, params, { idempotencyKey, timeout }));
    };
    return callUnderNextKey(deadline, underNewKey, () => Promise.resolve(null));
  }
}

/** The period stands on the items (processor API, since 2025-03-31); all items of ours share one. */
function toFacts(subscription: Stripe.Subscription): SubscriptionFacts {
  const periodEnd = subscription.items.data[0]?.current_period_end;
  return {
    id: subscription.id,
    status: subscription.status,
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    cancelAt: subscription.cancel_at === null ? null : subscription.cancel_at * SECOND,
    currentPeriodEnd: periodEnd === undefined ? null : periodEnd * SECOND,
    metadata: subscription.metadata,
    object: toObject(subscription),
  };
}
