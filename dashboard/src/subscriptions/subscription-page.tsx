import { Group, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { statusOf } from "../api/failure.ts";
import { refreshAll } from "../api/queries.ts";
import { OrderStory } from "../payments/order-story.tsx";
import { Confirm } from "../shared/confirm.tsx";
import { Copied } from "../shared/copy.tsx";
import { Facts } from "../shared/facts.tsx";
import { Failure } from "../shared/failure.tsx";
import { MomentWithUtc } from "../shared/moment.tsx";
import { NotFound } from "../shared/not-found.tsx";
import { ObjectLink } from "../shared/object-link.tsx";
import { Card, Page } from "../shared/page.tsx";
import { PageSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironmentOf } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { type Subscription, shownStatusOf } from "./subscriptions-page.tsx";

const route = getRouteApi("/shell/subscriptions/$subscription");
const { subscriptions: words } = texts;

/** One subscription: its state, its story, and its end at the period's end. */
export function SubscriptionPage() {
  const { subscription } = route.useParams();
  const { data, error, refetch } = api.useQuery("get", "/partner/subscriptions/{subscription}", { params: { path: { subscription } } });
  const [answered, setAnswered] = useState<{ readonly isEnding: boolean; readonly at: string } | null>(null);
  useEnvironmentOf(data);
  if (data === undefined) {
    if (statusOf(error) === 404) return <NotFound />;
    return error ? <Failure thrown={error} retry={() => void refetch()} /> : <PageSkeleton />;
  }
  // The list follows when the processor has reported the change; until then the answer counts.
  const isReported = shownStatusOf(data) === "ending";
  const isNews = answered !== null && data.updated_at <= answered.at && isReported !== answered.isEnding;
  const isEnding = isNews ? answered.isEnding : isReported;
  return (
    <Page
      back={{ to: "/subscriptions", label: words.title }}
      title={words.one}
      about={
        <Group gap="xs">
          <Status status={isEnding ? "ending" : data.status} />
          <Copied value={subscription} what={words.id} />
        </Group>
      }
      actions={<Cancellation subscription={data} isEnding={isEnding} onChanged={(next, at) => setAnswered({ isEnding: next, at })} />}
    >
      {isNews && (
        <Text size="sm" role="status">
          {isEnding ? words.willEnd : words.willGoOn}
        </Text>
      )}
      <Card title={texts.payments.facts}>
        <Facts
          facts={[
            [words.periodEnd, data.current_period_end === null ? null : <MomentWithUtc key="period" at={data.current_period_end} />],
            [words.endsAt, data.cancel_at === null ? null : <MomentWithUtc key="end" at={data.cancel_at} />],
            [words.collection, data.collection_paused ? words.paused : null],
            [texts.payments.order, data.client_reference_id],
            [texts.payments.link, data.payment_link_id === null ? null : <ObjectLink key="link" id={data.payment_link_id} />],
            [words.seen, <MomentWithUtc key="seen" at={data.updated_at} />],
          ]}
        />
      </Card>
      <Card title={texts.story.title}>
        <OrderStory query={subscription} />
      </Card>
    </Page>
  );
}

interface CancellationProps {
  readonly subscription: Subscription;
  readonly isEnding: boolean;
  readonly onChanged: (isEnding: boolean, at: string) => void;
}

/** Schedules the end at the period's end, or takes the schedule away. */
function Cancellation({ subscription, isEnding, onChanged }: CancellationProps) {
  if (["canceled", "incomplete_expired"].includes(subscription.status)) return <Text size="sm">{words.over}</Text>;
  const change = async () => {
    const { data } = await client.PUT("/partner/subscriptions/{subscription}/cancel-at-period-end", {
      params: { path: { subscription: subscription.subscription_id } },
      body: { cancel_at_period_end: !isEnding },
    });
    if (data !== undefined) onChanged(!isEnding, data.changed_at);
    await refreshAll();
  };
  return isEnding ? (
    <Confirm key="keep" label={words.keep} title={words.keepTitle} consequence={words.keepWhat} act={change} />
  ) : (
    <Confirm key="end" label={words.end} title={words.endTitle} consequence={words.endWhat} color="red" act={change} />
  );
}
