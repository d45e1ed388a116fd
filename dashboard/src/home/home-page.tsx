import { SimpleGrid } from "@mantine/core";
import { lazy, Suspense } from "react";
import { api } from "../api/client.ts";
import { Balances } from "../balance/balances.tsx";
import { orders } from "../objects/orders/list.tsx";
import { Empty } from "../shared/empty.tsx";
import { Card, Page } from "../shared/page.tsx";
import { PageLink } from "../shared/page-link.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { TableCard } from "../shared/table-card.tsx";
import { CreateButton } from "../shell/creations.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { useMay, useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { Attention } from "./attention.tsx";
import { Checklist } from "./checklist.tsx";
import { NextStatement } from "./next-statement.tsx";

const Figures = lazy(() => import("./figures.tsx"));

const { home: words } = texts;

/** What needs attention, the first steps, a period in figures, the balance, and the last orders. */
export function HomePage() {
  const { person } = useSession();
  const { environment } = useEnvironment();
  const maySeeMoney = useMay("balance_view");
  return (
    <Page title={words.title} about={words.about(person.name)}>
      <Attention />
      <Checklist />
      {maySeeMoney && (
        <>
          <Suspense fallback={<RowsSkeleton />}>
            <Figures environment={environment} />
          </Suspense>
          <Balances>
            <NextStatement />
          </Balances>
          <LastOrders />
        </>
      )}
      {!maySeeMoney && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Card>
            <Empty title={words.noMoney} next={words.noMoneyNext} />
          </Card>
        </SimpleGrid>
      )}
    </Page>
  );
}

function LastOrders() {
  const { environment } = useEnvironment();
  const query = api.useQuery("get", "/partner/orders", { params: { query: { environment, limit: 8 } } });
  return (
    <TableCard
      title={words.last}
      actions={<PageLink to="/orders">{texts.orders.all}</PageLink>}
      query={query}
      none={{ title: texts.orders.none, next: texts.orders.noneNext, action: <CreateButton to="/links/new" /> }}
      keyOf={orders.keyOf}
      pageOf={orders.pageOf}
      columns={orders.columns}
    />
  );
}
