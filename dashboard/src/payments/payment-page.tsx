import { Accordion, Code, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client.ts";
import { callOperation } from "../api/operations.ts";
import type { paths } from "../api/schema.d.ts";
import { Copied } from "../shared/copy.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { Facts } from "../shared/facts.tsx";
import { Failure } from "../shared/failure.tsx";
import { MomentText, MomentWithUtc } from "../shared/moment.tsx";
import { Money, moneyText } from "../shared/money.tsx";
import { NotFound } from "../shared/not-found.tsx";
import { ObjectLink } from "../shared/object-link.tsx";
import { Card, Page } from "../shared/page.tsx";
import { PageSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import type { Movement } from "./movement.ts";
import { OrderStory } from "./order-story.tsx";

const route = getRouteApi("/shell/payments/$payment");
const { payments: words } = texts;

/** One payment: its facts, what followed, its story, and the processor's objects. */
export function PaymentPage() {
  const { payment } = route.useParams();
  const { environment } = useEnvironment();
  const { data, error, refetch } = api.useQuery("get", "/partner/payments", { params: { query: { environment, payment, limit: 100 } } });
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <PageSkeleton />;
  const movements = data.data.toReversed();
  const { totals } = data;
  const first = movements.find(({ id }) => id === totals?.movement_id) ?? movements[0];
  if (first === undefined) return <NotFound />;
  return (
    <Page
      back={{ to: "/payments", label: words.title }}
      title={words.titleOf(moneyText(first.amount, first.currency))}
      about={
        <Group gap="xs">
          <Status status={totals?.state ?? first.status} />
          <Copied value={payment} what={words.id} />
        </Group>
      }
    >
      <Card title={words.facts}>
        <Facts facts={factsOf(first, totals)} />
      </Card>
      <Card title={words.movements}>
        <DataTable
          label={words.movements}
          rows={movements}
          keyOf={(row) => row.id}
          columns={[
            { header: words.kind, cell: (row) => (row.type === null ? words.unclassified : texts.movement[row.type]) },
            { header: words.status, cell: (row) => <Status status={row.status} /> },
            { header: words.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
            { header: words.fee, align: "right", from: "sm", cell: (row) => <Money amount={row.fee} currency={row.currency} /> },
            { header: words.net, align: "right", from: "sm", cell: (row) => <Money amount={row.net_amount} currency={row.currency} /> },
            { header: words.date, from: "sm", cell: (row) => <MomentText at={row.transaction_date} /> },
          ]}
        />
      </Card>
      <Card title={texts.story.title}>
        <OrderStory query={payment} />
      </Card>
      <Snapshot payment={payment} />
    </Page>
  );
}

type Totals = paths["/partner/payments"]["get"]["responses"]["200"]["content"]["application/json"]["totals"];

/** Whether no money has come, so far or for good. */
const isUnpaid = (totals: Totals) => totals?.state === "pending" || totals?.state === "failed";

/** An amount that is left out where there is none. */
const amountIn = (amount: number | null | undefined, currency: string, key: string) =>
  amount === null || amount === undefined || amount === 0 ? null : (
    <Money key={key} amount={amount} currency={currency} strong={key === "kept"} />
  );

function factsOf(first: Movement, totals: Totals) {
  return [
    [isUnpaid(totals) ? words.date : words.paidAt, <MomentWithUtc key="at" at={first.transaction_date} />],
    [words.order, first.client_reference_id === null ? null : <Copied key="order" value={first.client_reference_id} what={words.order} />],
    [words.gross, <Money key="gross" amount={first.amount} currency={first.currency} />],
    [words.fee, <Money key="fee" amount={totals?.fee ?? null} currency={first.currency} />],
    [words.refunded, amountIn(totals?.refunded, first.currency, "refunded")],
    [words.disputed, amountIn(totals?.disputed, first.currency, "disputed")],
    [words.kept, amountIn(totals?.net, first.currency, "kept")],
    [
      words.charged,
      first.charged_amount === null || first.charged_currency === null || first.charged_currency === first.currency ? null : (
        <Money key="charged" amount={first.charged_amount} currency={first.charged_currency} />
      ),
    ],
    [words.link, first.payment_link_id === null ? null : <ObjectLink key="link" id={first.payment_link_id} />],
    [words.subscription, first.subscription_id === null ? null : <ObjectLink key="subscription" id={first.subscription_id} />],
    [words.description, first.description],
  ] as const;
}

/** The processor's own objects, asked for when they are unfolded. */
function Snapshot({ payment }: { readonly payment: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({
    queryKey: ["snapshot", payment],
    queryFn: () => callOperation("get-partner-processor-payment", { payment_intent_id: payment }),
    enabled: isOpen,
    retry: false,
  });
  return (
    <Accordion variant="separated" onChange={(open) => setOpen(open !== null)}>
      <Accordion.Item value="objects">
        <Accordion.Control>{words.objects}</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            {error !== null && <Failure thrown={error} />}
            {data !== undefined && (
              <Code block tabIndex={0} mah={480} style={{ overflow: "auto" }}>
                {Object.keys(data.payment.snapshot).length === 0 ? words.noObjects : JSON.stringify(data.payment.snapshot, null, 2)}
              </Code>
            )}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
