import { Group, Text } from "@mantine/core";
import { Copied } from "../../shared/copy.tsx";
import { DataTable } from "../../shared/data-table.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentText, MomentWithUtc } from "../../shared/moment.tsx";
import { moneyText } from "../../shared/money.tsx";
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

const { orders: own } = words;

const BACK = { to: "/orders", label: words.navigation.orders };

/** One order at the bank: its payment, the bank's notifications, and its story. */
export function OrderPage() {
  const order = useIdInPath("order");
  const { data, error, refetch } = api.useQuery("get", "/ops/bank/orders/{order}", { params: { path: { order } } });
  if (data === undefined) return <ObjectFailure title={order} back={BACK} error={error} retry={() => void refetch()} />;
  const { payment, notifications } = data;
  return (
    <Page
      back={BACK}
      title={payment === null ? order : own.title(moneyText(payment.amount_rub, "RUB"))}
      about={
        <Group gap="xs">
          {payment !== null && <Status status={payment.status} />}
          <Copied value={order} what={own.ours} />
        </Group>
      }
      actions={payment !== null && <Action call="bank-orders refresh" given={{ order }} label={own.refresh} isImmediate />}
    >
      <Card title={texts.payments.facts}>
        {payment === null ? (
          <Text size="sm">{own.noPayment}</Text>
        ) : (
          <Facts
            facts={[
              [words.lists.partner, <PartnerLink key="partner" id={payment.partner_id} />],
              [words.lists.environment, texts.environment[payment.environment]],
              [own.order, payment.external_order_id],
              [own.bankId, <Copied key="bank" value={payment.bank_payment_id} what={own.bankId} />],
              [own.terminal, payment.terminal],
              [words.lists.made, <MomentWithUtc key="made" at={payment.created_at} />],
              [own.paid, payment.paid_at === null ? null : <MomentWithUtc key="paid" at={payment.paid_at} />],
            ]}
          />
        )}
      </Card>
      {notifications.length > 0 && (
        <Card title={own.notifications}>
          <DataTable
            label={own.notifications}
            rows={notifications}
            keyOf={(row) => row.id}
            columns={[
              { header: texts.payments.status, cell: (row) => <Status status={row.status} /> },
              { header: own.received, cell: (row) => <MomentText at={row.received_at} /> },
              { header: own.problem, cell: (row) => row.problem ?? "–" },
            ]}
          />
        </Card>
      )}
      {payment !== null && <Notes target={`bank/${payment.order_id}`} />}
      <StoryCard query={order} />
    </Page>
  );
}
