import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { disputes } from "../objects/disputes/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { orders } from "../objects/orders/list.tsx";
import { Page } from "../shared/page.tsx";
import { texts } from "../texts/index.ts";

const route = getRouteApi("/shell/orders");
const { orders: words } = texts;

/** All orders of an environment, of cards and rubles, and those that customers dispute. */
export function OrdersPage() {
  const { tab } = route.useSearch();
  const navigate = useNavigate();
  return (
    <Page title={words.title} about={words.about}>
      <Tabs
        value={tab === "disputes" ? "disputes" : "orders"}
        onChange={(next) => void navigate({ to: "/orders", search: next === "disputes" ? { tab: next } : {} })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="orders">{words.all}</Tabs.Tab>
          <Tabs.Tab value="disputes">{texts.disputes.title}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="orders">
          <ObjectList of={orders} />
        </Tabs.Panel>
        <Tabs.Panel value="disputes">
          <ObjectList of={disputes} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
