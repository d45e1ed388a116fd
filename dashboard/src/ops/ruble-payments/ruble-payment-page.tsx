import { Text } from "@mantine/core";
import { NotThere, ObjectPage } from "../../objects/object-page.tsx";
import { RUBLE_PAYMENTS, RubleDetail } from "../../objects/ruble-payments/detail.tsx";
import { Copied } from "../../shared/copy.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { texts } from "../../texts/index.ts";
import { type AnswerOf, api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { StoryCard } from "../shared/order-story.tsx";
import { words } from "../texts.ts";

const { rublePayments: own } = words;

/** One order at the bank: its payment, the bank's notifications, and its story. */
export function RublePaymentPage() {
  const order = useIdInPath("order");
  const { data, error, refetch } = api.useQuery("get", "/ops/bank/orders/{order}", { params: { path: { order } } });
  if (data === undefined) return <NotThere title={order} back={RUBLE_PAYMENTS} error={error} retry={() => void refetch()} />;
  const { payment, notifications } = data;
  const reports = <Notifications rows={notifications} />;
  if (payment === null)
    return (
      <ObjectPage back={RUBLE_PAYMENTS} title={order} state={null} id={order} what={texts.orders.id}>
        <Text size="sm">{own.noPayment}</Text>
        {reports}
        <StoryCard query={order} />
      </ObjectPage>
    );
  return (
    <RubleDetail
      payment={payment}
      actions={<Action call="bank-orders refresh" given={{ order }} label={own.refresh} isImmediate />}
      facts={[
        [own.bankId, <Copied key="bank" value={payment.bank_payment_id} what={own.bankId} />],
        [own.terminal, payment.terminal],
      ]}
    >
      {reports}
    </RubleDetail>
  );
}

type Notification = AnswerOf<"/ops/bank/orders/{order}">["notifications"][number];

/** What the bank reported about an order. */
const Notifications = ({ rows }: { readonly rows: readonly Notification[] }) => (
  <TableCard
    title={words.bank.title}
    rows={rows}
    keyOf={(row) => row.id}
    columns={[
      { header: texts.common.status, cell: (row) => <Status status={row.status} /> },
      { header: own.received, cell: (row) => <MomentText at={row.received_at} /> },
      { header: own.problem, cell: (row) => row.problem ?? "–" },
    ]}
  />
);
