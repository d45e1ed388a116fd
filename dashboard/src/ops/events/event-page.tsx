import { Code, Group, Text } from "@mantine/core";
import { Copied } from "../../shared/copy.tsx";
import { DataTable } from "../../shared/data-table.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentText, MomentWithUtc } from "../../shared/moment.tsx";
import { Card, Page } from "../../shared/page.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { useIdInPath } from "../shared/address.ts";
import { ObjectFailure } from "../shared/object-failure.tsx";
import { StoryCard } from "../shared/order-story.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";

const { events: own } = words;

const BACK = { to: "/events", label: words.navigation.events };

/** One event: every attempt to deliver it, what is sent, and the story of its order. */
export function EventPage() {
  const event = useIdInPath("event");
  const { data, error, refetch } = api.useQuery("get", "/ops/deliveries/{event}", { params: { path: { event } } });
  if (data === undefined) return <ObjectFailure title={event} back={BACK} error={error} retry={() => void refetch()} />;
  return (
    <Page
      back={BACK}
      title={data.type}
      about={
        <Group gap="xs">
          <Status status={data.state} />
          <Copied value={event} what={own.title} />
        </Group>
      }
      actions={<Action call="deliveries resend" given={{ event }} label={own.resend} isImmediate />}
    >
      <Card title={texts.payments.facts}>
        <Facts
          facts={[
            [words.lists.partner, <PartnerLink key="partner" id={data.partner_id} />],
            [words.lists.environment, texts.environment[data.environment]],
            [words.lists.made, <MomentWithUtc key="made" at={data.created_at} />],
            [own.next, data.next_attempt_at === null ? null : <MomentWithUtc key="next" at={data.next_attempt_at} />],
          ]}
        />
      </Card>
      <Card title={own.attemptList}>
        {data.attempt_list.length === 0 ? (
          <Text size="sm" c="dimmed">
            {own.noAttempt}
          </Text>
        ) : (
          <DataTable
            label={own.attemptList}
            rows={data.attempt_list}
            keyOf={(row) => String(row.number)}
            columns={[
              { header: "#", cell: (row) => row.number },
              { header: own.answer, cell: (row) => (row.status === null ? row.error : `HTTP ${row.status}`) },
              { header: texts.payments.facts, from: "md", cell: (row) => <span className="id">{row.answer ?? "–"}</span> },
              { header: own.took, align: "right", from: "sm", cell: (row) => `${row.duration_ms.toLocaleString()} ms` },
              { header: texts.payments.date, from: "sm", cell: (row) => <MomentText at={row.at} /> },
            ]}
          />
        )}
      </Card>
      <Card title={own.message}>
        <Code block tabIndex={0} mah={360} style={{ overflow: "auto" }}>
          {JSON.stringify(data.message, null, 2)}
        </Code>
      </Card>
      <StoryCard query={event} />
    </Page>
  );
}
