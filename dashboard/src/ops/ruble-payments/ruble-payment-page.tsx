import { Text } from "@mantine/core";
import { NotThere, ObjectPage } from "../../objects/object-page.tsx";
import { rubleFacts } from "../../objects/ruble-payments/facts.tsx";
import { Copied } from "../../shared/copy.tsx";
import { DataTable } from "../../shared/data-table.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { moneyText } from "../../shared/money-text.ts";
import { Card } from "../../shared/page.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { operatorsAudience } from "../audience.tsx";
import { Action } from "../calls/action.tsx";
import { Notes } from "../shared/notes.tsx";
import { StoryCard } from "../shared/order-story.tsx";
import { words } from "../texts.ts";

const { rublePayments: own } = words;

const BACK = { to: "/ruble-payments", label: words.navigation.rublePayments };

/** One order at the bank: its payment, the bank's notifications, and its story. */
export function RublePaymentPage() {
  const order = useIdInPath("order");
  const { data, error, refetch } = api.useQuery("get", "/ops/bank/orders/{order}", { params: { path: { order } } });
  if (data === undefined) return <NotThere title={order} back={BACK} error={error} retry={() => void refetch()} />;
  const { payment, notifications } = data;
  return (
    <ObjectPage
      back={BACK}
      title={payment === null ? order : own.title(moneyText(payment.amount_rub, "RUB"))}
      state={payment?.status ?? null}
      id={order}
      what={own.ours}
      actions={payment !== null && <Action call="bank-orders refresh" given={{ order }} label={own.refresh} isImmediate />}
    >
      <Card title={texts.orders.facts}>
        {payment === null ? (
          <Text size="sm">{own.noPayment}</Text>
        ) : (
          <Facts
            facts={[
              ...operatorsAudience.ownerFacts(payment),
              ...rubleFacts(payment),
              [own.bankId, <Copied key="bank" value={payment.bank_payment_id} what={own.bankId} />],
              [own.terminal, payment.terminal],
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
    </ObjectPage>
  );
}
