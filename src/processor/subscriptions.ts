import type Stripe from "stripe";
import { SECOND } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import { callProcessor } from "./calls.ts";
import { toObject } from "./objects.ts";
import type { ProcessorCall, SubscriptionFacts } from "./port.ts";

/** {@link Processor.retrieveSubscription} */
export async function retrieveSubscription(
  stripe: Stripe,
  subscriptionId: string,
  { deadline }: { deadline: Deadline },
): Promise<SubscriptionFacts> {
  return toFacts(await callProcessor(deadline, (timeout) => stripe.subscriptions.retrieve(subscriptionId, {}, { timeout })));
}

/** {@link Processor.setCancelAtPeriodEnd} */
export async function setCancelAtPeriodEnd(
  stripe: Stripe,
  subscriptionId: string,
  cancelAtPeriodEnd: boolean,
  { key, deadline }: ProcessorCall,
): Promise<SubscriptionFacts> {
  const params = { cancel_at_period_end: cancelAtPeriodEnd };
  return toFacts(
    await callProcessor(deadline, (timeout) => stripe.subscriptions.update(subscriptionId, params, { idempotencyKey: key, timeout })),
  );
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
