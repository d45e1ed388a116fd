import { Group } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { OrderStory } from "../payments/order-story.tsx";
import { Copied } from "../shared/copy.tsx";
import { Facts } from "../shared/facts.tsx";
import { Failure } from "../shared/failure.tsx";
import { MomentWithUtc } from "../shared/moment.tsx";
import { moneyText } from "../shared/money.tsx";
import { NotFound } from "../shared/not-found.tsx";
import { Card, Page } from "../shared/page.tsx";
import { PageSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const route = getRouteApi("/shell/ruble-payments/$order");
const { rublePayments: words } = texts;

/** One ruble payment: its status and its story. Its address is shown only when it is made. */
export function RublePaymentPage() {
  const { order } = route.useParams();
  const { environment } = useEnvironment();
  const mayReadStory = useMay("balance_view");
  const { data, error, refetch } = api.useQuery("get", "/partner/bank-payments", { params: { query: { environment, order, limit: 1 } } });
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <PageSkeleton />;
  const [payment] = data.data;
  if (payment === undefined) return <NotFound />;
  return (
    <Page
      back={{ to: "/ruble-payments", label: words.title }}
      title={moneyText(payment.amount_rub, "RUB")}
      about={
        <Group gap="xs">
          <Status status={payment.status} />
          <Copied value={order} what={words.orderId} />
        </Group>
      }
    >
      <Card title={texts.payments.facts}>
        <Facts
          facts={[
            [
              words.order,
              payment.external_order_id === null ? null : <Copied key="order" value={payment.external_order_id} what={words.order} />,
            ],
            [words.id, <Copied key="id" value={String(payment.payment_id)} what={words.id} />],
            [words.created, <MomentWithUtc key="created" at={payment.created_at} />],
            [words.paid, payment.paid_at === null ? null : <MomentWithUtc key="paid" at={payment.paid_at} />],
          ]}
        />
      </Card>
      {mayReadStory && (
        <Card title={texts.story.title}>
          <OrderStory query={order} />
        </Card>
      )}
    </Page>
  );
}
