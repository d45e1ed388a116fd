import { Text } from "@mantine/core";
import { client } from "../api/client.ts";
import { type Subscription, SubscriptionDetail } from "../objects/subscriptions/detail.tsx";
import type { Changed } from "../objects/subscriptions/shown-state.ts";
import { Confirm } from "../shared/confirm.tsx";
import { momentText } from "../shared/moment-text.ts";
import { useMay, useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { subscriptions: words } = texts;

/** One subscription, with its end at the period's end. */
export const SubscriptionPage = () => <SubscriptionDetail actions={(of) => <Cancellation {...of} />} />;

interface CancellationProps {
  readonly subscription: Subscription;
  readonly isEnding: boolean;
  readonly onChanged: (changed: Changed) => void;
}

/** Schedules the end at the period's end, or takes the schedule away. */
function Cancellation({ subscription, isEnding, onChanged }: CancellationProps) {
  const { cancel_permission } = useSession();
  const mayChange = useMay(cancel_permission);
  if (subscription.has_ended) return <Text size="sm">{words.over}</Text>;
  if (!mayChange) return null;
  const change = async () => {
    const { data } = await client.PUT("/partner/subscriptions/{subscription}/cancel-at-period-end", {
      params: { path: { subscription: subscription.subscription_id } },
      body: { cancel_at_period_end: !isEnding },
    });
    if (data !== undefined) onChanged({ isEnding: !isEnding, endsAt: data.cancel_at, at: data.changed_at });
  };
  const end = subscription.current_period_end && momentText(subscription.current_period_end);
  return isEnding ? (
    <Confirm key="keep" label={words.keep} title={words.keepTitle} consequence={words.keepWhat(end)} act={change} />
  ) : (
    <Confirm key="end" label={words.end} title={words.endTitle} consequence={words.endWhat(end)} color="red" act={change} />
  );
}
