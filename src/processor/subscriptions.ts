import type Stripe from "stripe";
import { SECOND } from "../core/clock.ts";
import type { Account } from "./account.ts";
import { callProcessor, type Reader } from "./calls.ts";
import type { SubscriptionFacts } from "./facts.ts";
import { retryWithNextKey } from "./next-key.ts";
import { listCreatedBetween } from "./pages.ts";
import type { Call } from "./port.ts";
import { idOf, toObject } from "./stripe-objects.ts";

/** The current state of a subscription. */
export async function retrieveSubscription({ stripe, ask }: Reader, subscriptionId: string): Promise<SubscriptionFacts> {
  return toFacts(await ask((options) => stripe.subscriptions.retrieve(subscriptionId, {}, options)));
}

/** The ids of the subscriptions, of every status, that were created between two times (Unix milliseconds), newest first, at most `limit`. */
export async function listSubscriptions({ stripe }: Account, from: number, to: number, limit: number, { budget }: Call): Promise<string[]> {
  const found = await listCreatedBetween({ from, to, limit, budget }, (params, timeout) =>
    stripe.subscriptions.list({ ...params, status: "all" }, { timeout }),
  );
  return found.map(({ id }) => id);
}

/** Schedules the end of a subscription at the end of its paid period, or removes this schedule. */
export async function setCancelAtPeriodEnd(
  { stripe }: Account,
  subscriptionId: string,
  cancelAtPeriodEnd: boolean,
  { budget }: Call,
): Promise<SubscriptionFacts> {
  const updated = await update({ cancel_at_period_end: cancelAtPeriodEnd });
  // An end that was set as a timestamp, as the customer portal does, is in another field. The flag does not remove it.
  return toFacts(cancelAtPeriodEnd || updated.cancel_at === null ? updated : await update({ cancel_at: "" }));

  /**
   * The same update twice changes nothing. So if a failure is stored under one key, the call is repeated with a new
   * key.
   */
  function update(params: Stripe.SubscriptionUpdateParams): Promise<Stripe.Subscription> {
    const underNewKey = () => {
      const idempotencyKey = crypto.randomUUID();
      return callProcessor(budget, (timeout) => stripe.subscriptions.update(subscriptionId, params, { idempotencyKey, timeout }));
    };
    return retryWithNextKey(budget, underNewKey, () => Promise.resolve(null));
  }
}

/** How often a price is charged; null if it is charged once. */
const periodOf = ({ recurring }: Stripe.Price): string | null => recurring && `${recurring.interval_count} ${recurring.interval}`;

/** The period is a field of the items (processor API, since 2025-03-31). All items of our links share one period and one currency. */
function toFacts(subscription: Stripe.Subscription): SubscriptionFacts {
  const items = subscription.items.data;
  const [first] = items;
  const periodEnd = first?.current_period_end;
  const hasOnePeriod = new Set(items.map(({ price }) => periodOf(price))).size === 1;
  const recurring = hasOnePeriod ? first?.price.recurring : null;
  return {
    id: subscription.id,
    status: subscription.status,
    startedAt: subscription.created * SECOND,
    endedAt: subscription.ended_at === null ? null : subscription.ended_at * SECOND,
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    cancelAt: subscription.cancel_at === null ? null : subscription.cancel_at * SECOND,
    currentPeriodEnd: periodEnd === undefined ? null : periodEnd * SECOND,
    collectionPaused: subscription.pause_collection !== null,
    items: items.map(({ price, quantity }) => ({
      productId: idOf(price.product) ?? "",
      priceId: price.id,
      quantity: quantity ?? 1,
      // What is metered costs what was used.
      unitAmount: price.recurring?.usage_type === "metered" ? null : price.unit_amount,
    })),
    currency: (first?.price.currency ?? subscription.currency).toUpperCase(),
    interval: recurring?.interval ?? null,
    intervalCount: recurring?.interval_count ?? null,
    metadata: subscription.metadata,
    object: toObject(subscription),
  };
}
