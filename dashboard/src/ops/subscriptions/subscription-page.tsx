import { Group } from "@mantine/core";
import { Copied } from "../../shared/copy.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Card, Page } from "../../shared/page.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { useIdInPath } from "../shared/address.ts";
import { Notes } from "../shared/notes.tsx";
import { ObjectFailure } from "../shared/object-failure.tsx";
import { StoryCard } from "../shared/order-story.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";

const { subscriptions: own } = words;

const BACK = { to: "/subscriptions", label: words.navigation.subscriptions };

const moment = (at: string | null) => (at === null ? null : <MomentWithUtc at={at} />);

/** One subscription and its story. */
export function SubscriptionPage() {
  const subscription = useIdInPath("subscription");
  const { data, error, refetch } = api.useQuery("get", "/ops/subscriptions/{subscription}", { params: { path: { subscription } } });
  if (data === undefined) return <ObjectFailure title={subscription} back={BACK} error={error} retry={() => void refetch()} />;
  return (
    <Page
      back={BACK}
      title={own.title}
      about={
        <Group gap="xs">
          <Status status={data.state} />
          <Copied value={subscription} what={own.title} />
        </Group>
      }
      actions={<Action call="ledger refresh" given={{ environment: data.environment, id: subscription }} label={own.refresh} isImmediate />}
    >
      <Card title={texts.payments.facts}>
        <Facts
          facts={[
            [words.lists.partner, <PartnerLink key="partner" id={data.partner_id} />],
            [words.lists.environment, texts.environment[data.environment]],
            [own.periodEnd, moment(data.current_period_end)],
            [own.ends, moment(data.cancel_at)],
            [texts.payments.status, data.collection_paused ? own.paused : null],
            [texts.payments.link, data.payment_link_id === null ? null : <ObjectLink key="link" id={data.payment_link_id} />],
            [texts.payments.order, data.client_reference_id],
            [own.updated, moment(data.updated_at)],
          ]}
        />
      </Card>
      <Notes target={subscription} />
      <StoryCard query={subscription} />
    </Page>
  );
}
