import { SubscriptionDetail } from "../../objects/subscriptions/detail.tsx";
import { Action } from "../calls/action.tsx";
import { words } from "../texts.ts";

/** One subscription, with what operators can do about it. */
export const SubscriptionPage = () => (
  <SubscriptionDetail
    actions={({ subscription: { environment, subscription_id: id } }) => (
      <Action call="ledger refresh" given={{ environment, id }} label={words.payments.refresh} isImmediate />
    )}
  />
);
