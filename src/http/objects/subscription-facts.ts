import { endOfSubscription, hasEnded, nextChargeOf } from "../../core/object-states.ts";
import type { SubscriptionFacts } from "../../summaries/of-subscription.ts";

/** What is said of a subscription from its row alone: not what it sells. */
export function factsOfSubscription(
  row: Parameters<typeof nextChargeOf>[0] & Pick<SubscriptionFacts, "environment" | "endedAt">,
): SubscriptionFacts {
  return {
    environment: row.environment,
    sold: null,
    amount: null,
    currency: null,
    endsAt: endOfSubscription(row),
    hasBegun: row.status !== "incomplete",
    hasEnded: hasEnded(row),
    endedAt: row.endedAt,
    isPaused: row.collectionPaused || row.status === "paused",
    isPastDue: row.status === "past_due",
    isUnpaid: row.status === "unpaid",
    nextChargeAt: nextChargeOf(row),
  };
}
