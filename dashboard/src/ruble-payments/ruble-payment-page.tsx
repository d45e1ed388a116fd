import { api } from "../api/client.ts";
import { NotThere, ObjectPage } from "../objects/object-page.tsx";
import { rubleFacts } from "../objects/ruble-payments/facts.tsx";
import { StoryCard } from "../orders/order-story.tsx";
import { Facts } from "../shared/facts.tsx";
import { moneyText } from "../shared/money-text.ts";
import { NotFound } from "../shared/not-found.tsx";
import { Card } from "../shared/page.tsx";
import { useIdInPath } from "../shared/search-texts.ts";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const { rublePayments: words } = texts;
const BACK = { to: "/ruble-payments", label: words.title };

/** One ruble payment: its status and its story. Its address is shown only when it is made. */
export function RublePaymentPage() {
  const order = useIdInPath("order");
  const { environment } = useEnvironment();
  const { data, error, refetch } = api.useQuery("get", "/partner/bank-payments", { params: { query: { environment, order, limit: 1 } } });
  if (data === undefined) return <NotThere title={order} back={BACK} error={error} retry={() => void refetch()} />;
  const [payment] = data.data;
  if (payment === undefined) return <NotFound />;
  return (
    <ObjectPage back={BACK} title={moneyText(payment.amount_rub, "RUB")} state={payment.status} id={order} what={words.orderId}>
      <Card title={texts.orders.facts}>
        <Facts facts={rubleFacts(payment)} />
      </Card>
      <StoryCard query={order} />
    </ObjectPage>
  );
}
