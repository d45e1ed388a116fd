import { disputes } from "../objects/disputes/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { orders } from "../objects/orders/list.tsx";
import { useProductFilter } from "../products/product-filter.ts";
import { Page } from "../shared/page.tsx";
import { PageTabs } from "../shared/page-tabs.tsx";
import { texts } from "../texts/index.ts";

const { orders: words } = texts;

/** All orders of an environment, of cards and rubles, and those that customers dispute. */
const Orders = () => <ObjectList of={orders} filters={useProductFilter()} />;

export const OrdersPage = () => (
  <Page title={words.title} about={words.about}>
    <PageTabs
      tabs={[
        { name: "orders", label: words.all, content: <Orders /> },
        { name: "disputes", label: texts.disputes.title, content: <ObjectList of={disputes} /> },
      ]}
    />
  </Page>
);
