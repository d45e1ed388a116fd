import { ObjectList } from "../objects/object-list.tsx";
import { orders } from "../objects/orders/list.tsx";
import { Page } from "../shared/page.tsx";
import { texts } from "../texts/index.ts";

/** All orders of an environment: of cards and rubles. */
export function OrdersPage() {
  return (
    <Page title={texts.orders.title} about={texts.orders.about}>
      <ObjectList of={orders} />
    </Page>
  );
}
