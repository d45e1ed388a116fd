import { Text } from "@mantine/core";
import { ObjectList } from "../objects/object-list.tsx";
import { orders } from "../objects/orders/list.tsx";
import { CodeDetail, type ShownCode } from "../objects/promotion-codes/detail.tsx";
import { moneyText } from "../shared/money-text.ts";
import { Card } from "../shared/page.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { promotionCodes: words } = texts;

/** One promotion code, with the orders in which it was entered. Only support stops it. */
export const PromotionCodePage = () => <CodeDetail actions={() => undefined}>{(code) => <Uses of={code} />}</CodeDetail>;

function Uses({ of: { promotion_code_id, environment, used, discounts } }: { readonly of: ShownCode }) {
  const mayRead = useMay("balance_view");
  if (!mayRead) return null;
  const given = (discounts ?? []).filter(({ amount }) => amount !== 0);
  return (
    <Card title={words.uses}>
      <Text size="sm">
        {used === null ? texts.list.most : words.used(used)}
        {given.length > 0 && ` ${words.given(given.map(({ amount, currency }) => moneyText(amount, currency)).join(", "))}`}
      </Text>
      <ObjectList of={orders} only={{ environment, promotion_code_id }} size={20} />
    </Card>
  );
}
