import { Anchor, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Copied } from "../../shared/copy.tsx";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Facts } from "../../shared/facts.tsx";
import { Failure } from "../../shared/failure.tsx";
import { MomentText, MomentWithUtc } from "../../shared/moment.tsx";
import { Money, moneyText } from "../../shared/money.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Card, Page } from "../../shared/page.tsx";
import { PageSkeleton } from "../../shared/skeletons.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api, type RowOf } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { Action } from "../calls/action.tsx";
import { useIdInPath, useSearchTexts } from "../shared/address.ts";
import { Notes } from "../shared/notes.tsx";
import { StoryCard } from "../shared/order-story.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";

type Movement = RowOf<"/ops/payments">;
const { payments: shared } = texts;
const { payments: own } = words;

/** One payment: what was paid, kept and given back, what can be done, notes, and its story. */
export function PaymentPage() {
  const payment = useIdInPath("payment");
  const { env } = useSearchTexts();
  const { data, error } = api.useQuery("get", "/ops/payments", { params: { query: { payment, limit: 100 } } });
  if (data === undefined) return error ? <Failure thrown={error} /> : <PageSkeleton />;
  const movements = data.data.toReversed();
  const { totals } = data;
  const first = movements.find(({ id }) => id === totals?.movement_id) ?? movements[0];
  const environment = first?.environment ?? (env === "test" ? "test" : "live");
  return (
    <Page
      back={{ to: "/payments", label: words.navigation.payments }}
      title={first === undefined ? payment : shared.titleOf(moneyText(first.amount, first.currency))}
      about={
        <Group gap="xs">
          {first !== undefined && <Status status={totals?.state ?? first.status} />}
          <Copied value={payment} what={shared.id} />
        </Group>
      }
      actions={
        <>
          <Action call="ledger refresh" given={{ environment, id: payment }} label={own.refresh} isImmediate />
          <Anchor size="sm" renderRoot={(props) => <Link to="/erase" search={{ payment }} {...props} />}>
            {own.erase}
          </Anchor>
        </>
      }
    >
      {first === undefined ? (
        <Card>
          <Empty title={own.noFacts} />
        </Card>
      ) : (
        <>
          <Card title={shared.facts}>
            <Facts facts={factsOf(first, totals)} />
          </Card>
          <Card title={shared.movements}>
            <DataTable
              label={shared.movements}
              rows={movements}
              keyOf={(row) => row.id}
              columns={[
                { header: shared.kind, cell: (row) => (row.type === null ? shared.unclassified : texts.movement[row.type]) },
                { header: shared.status, cell: (row) => <Status status={row.status} /> },
                { header: shared.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
                { header: shared.fee, align: "right", from: "sm", cell: (row) => <Money amount={row.fee} currency={row.currency} /> },
                {
                  header: shared.net,
                  align: "right",
                  from: "sm",
                  cell: (row) => <Money amount={row.net_amount} currency={row.currency} />,
                },
                { header: shared.date, from: "sm", cell: (row) => <MomentText at={row.transaction_date} /> },
              ]}
            />
          </Card>
        </>
      )}
      <Notes target={payment} />
      <StoryCard query={payment} />
    </Page>
  );
}

type Totals = paths["/ops/payments"]["get"]["responses"]["200"]["content"]["application/json"]["totals"];

function factsOf(first: Movement, totals: Totals) {
  const isUnpaid = totals?.state === "pending" || totals?.state === "failed";
  const amount = (value: number | null | undefined, key: string) =>
    value === null || value === undefined || value === 0 ? null : (
      <Money key={key} amount={value} currency={first.currency} strong={key === "net"} />
    );
  return [
    [words.lists.partner, <PartnerLink key="partner" id={first.partner_id} />],
    [words.lists.environment, texts.environment[first.environment]],
    [isUnpaid ? shared.date : shared.paidAt, <MomentWithUtc key="at" at={first.transaction_date} />],
    [
      shared.order,
      first.client_reference_id === null ? null : <Copied key="order" value={first.client_reference_id} what={shared.order} />,
    ],
    [shared.gross, <Money key="gross" amount={first.amount} currency={first.currency} />],
    [shared.fee, <Money key="fee" amount={totals?.fee ?? null} currency={first.currency} />],
    [shared.refunded, amount(totals?.refunded, "refunded")],
    [shared.disputed, amount(totals?.disputed, "disputed")],
    [shared.kept, amount(totals?.net, "net")],
    [
      shared.charged,
      first.charged_amount === null || first.charged_currency === null || first.charged_currency === first.currency ? null : (
        <Money key="charged" amount={first.charged_amount} currency={first.charged_currency} />
      ),
    ],
    [shared.link, first.payment_link_id === null ? null : <ObjectLink key="link" id={first.payment_link_id} />],
    [shared.subscription, first.subscription_id === null ? null : <ObjectLink key="subscription" id={first.subscription_id} />],
    [shared.description, first.description],
  ] as const;
}
