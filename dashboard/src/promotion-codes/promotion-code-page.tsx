import { Text } from "@mantine/core";
import { api } from "../api/client.ts";
import { ObjectList } from "../objects/object-list.tsx";
import { orders } from "../objects/orders/list.tsx";
import { CodeDetail, type ShownCode } from "../objects/promotion-codes/detail.tsx";
import { moneyText } from "../shared/money-text.ts";
import { Card } from "../shared/page.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { promotionCodes: words } = texts;

/** In milliseconds: the longest time from the beginning of a checkout to its end. */
const A_CHECKOUT = 24 * 60 * 60_000;

/** One promotion code, with the orders in which it was entered. Only support stops it. */
export const PromotionCodePage = () => <CodeDetail actions={() => undefined}>{(code) => <Uses of={code} />}</CodeDetail>;

function Uses({ of: { code, environment, max_redemptions, created_at, deactivated_at } }: { readonly of: ShownCode }) {
  const mayRead = useMay("balance_view");
  // Another code may have had the same text before, or have it since. A checkout that had begun by then may end later.
  const only = {
    environment,
    promotion_code: code,
    since: created_at,
    ...(deactivated_at !== null && { until: new Date(Date.parse(deactivated_at) + A_CHECKOUT).toISOString() }),
  };
  const query = { ...only, limit: 1 };
  const { data } = api.useQuery("get", "/partner/orders", { params: { query } }, { enabled: mayRead });
  if (!mayRead) return null;
  const given = (data?.sums ?? []).filter(({ discounts }) => discounts !== 0);
  return (
    <Card title={words.uses}>
      {data !== undefined && (
        <Text size="sm">
          {typeof data.count === "number" ? words.used(data.count, max_redemptions) : texts.list.most}
          {given.length > 0 && ` ${words.given(given.map((sum) => moneyText(sum.discounts, sum.currency)).join(", "))}`}
        </Text>
      )}
      <ObjectList of={orders} only={only} size={20} />
    </Card>
  );
}
