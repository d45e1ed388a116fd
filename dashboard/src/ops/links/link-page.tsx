import { Group, Text } from "@mantine/core";
import { Copied } from "../../shared/copy.tsx";
import { DataTable } from "../../shared/data-table.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { Card, Page } from "../../shared/page.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { wordsOfValue } from "../calls/names.ts";
import { useIdInPath } from "../shared/address.ts";
import { Notes } from "../shared/notes.tsx";
import { ObjectFailure } from "../shared/object-failure.tsx";
import { StoryCard } from "../shared/order-story.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";

const { links: own } = words;

const BACK = { to: "/links", label: words.navigation.links };

/** One payment link: its facts, what was paid through it, what can be done, and its story. */
export function LinkPage() {
  const link = useIdInPath("link");
  const { data, error, refetch } = api.useQuery("get", "/ops/payment-links/{link}", { params: { path: { link } } });
  if (data === undefined) return <ObjectFailure title={link} back={BACK} error={error} retry={() => void refetch()} />;
  const isOpen = data.disabled_at === null;
  return (
    <Page
      back={BACK}
      title={own.title}
      about={
        <Group gap="xs">
          <Status status={isOpen ? "open" : "disabled"} />
          <Copied value={link} what={own.title} />
        </Group>
      }
      actions={
        <>
          {data.short_url === null && <Action call="short-links complete" given={{ link }} label={own.complete} isImmediate />}
          <Action
            call={isOpen ? "payment-links disable" : "payment-links enable"}
            given={{ link }}
            label={isOpen ? own.disable : own.enable}
            isImmediate={!isOpen}
          />
        </>
      }
    >
      <Card title={texts.payments.facts}>
        <Facts
          facts={[
            [words.lists.partner, <PartnerLink key="partner" id={data.partner_id} />],
            [words.lists.environment, texts.environment[data.environment]],
            [own.shortUrl, data.short_url === null ? null : <Copied key="url" value={data.short_url} what={own.shortUrl} />],
            [own.source, wordsOfValue(data.source)],
            [own.mode, wordsOfValue(data.mode)],
            [own.currency, data.currency],
            [own.products, data.product_ids.length === 0 ? null : data.product_ids.join(", ")],
            [words.lists.made, <MomentWithUtc key="made" at={data.created_at} />],
            [own.disabledAt, data.disabled_at === null ? null : <MomentWithUtc key="disabled" at={data.disabled_at} />],
            [own.disabledBy, data.disabled_by],
          ]}
        />
      </Card>
      <Card title={own.paid}>
        {data.paid.length === 0 ? (
          <Text size="sm" c="dimmed">
            {own.nothingPaid}
          </Text>
        ) : (
          <DataTable
            label={own.paid}
            rows={data.paid}
            keyOf={(row) => `${row.type} ${row.status} ${row.currency}`}
            columns={[
              { header: texts.payments.kind, cell: (row) => (row.type === null ? texts.payments.unclassified : texts.movement[row.type]) },
              { header: texts.payments.status, cell: (row) => <Status status={row.status} /> },
              { header: own.count, align: "right", cell: (row) => row.count.toLocaleString() },
              {
                header: texts.payments.amount,
                align: "right",
                cell: (row) => <Money amount={row.amount} currency={row.currency} strong />,
              },
            ]}
          />
        )}
      </Card>
      <Notes target={link} />
      <StoryCard query={link} />
    </Page>
  );
}
