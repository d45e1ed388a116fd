import { ObjectList } from "../../objects/object-list.tsx";
import { orders } from "../../objects/orders/list.tsx";
import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";

/** The orders of all partners. */
export function OrdersPage() {
  return (
    <Page title={words.navigation.orders} about={words.orders.about}>
      <ObjectList of={orders} />
    </Page>
  );
}
