import { ObjectList } from "../objects/object-list.tsx";
import { orders } from "../objects/orders/list.tsx";
import { CodeDetail } from "../objects/promotion-codes/detail.tsx";
import { Card } from "../shared/page.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

/** One promotion code, with the orders in which it was entered. Only support stops it. */
export const PromotionCodePage = () => <CodeDetail actions={() => undefined}>{({ code }) => <Uses code={code} />}</CodeDetail>;

function Uses({ code }: { readonly code: string }) {
  if (!useMay("balance_view")) return null;
  return (
    <Card title={texts.promotionCodes.uses}>
      <ObjectList of={orders} only={{ promotion_code: code }} />
    </Card>
  );
}
