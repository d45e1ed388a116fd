import { Anchor, Button, SimpleGrid } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { api } from "../api/client.ts";
import { kindOf, paymentPageOf } from "../objects/movements/words.ts";
import { DataTable } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { MomentText } from "../shared/moment.tsx";
import { Money } from "../shared/money.tsx";
import { Card, Page } from "../shared/page.tsx";
import { RowLink } from "../shared/row-link.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { useMay, useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { Attention } from "./attention.tsx";
import { Checklist } from "./checklist.tsx";

const Figures = lazy(() => import("./figures.tsx"));

const { home: words } = texts;

/** What needs attention, the first steps, thirty days in pictures, and the last payments. */
export function HomePage() {
  const { person } = useSession();
  const { environment } = useEnvironment();
  const maySeeMoney = useMay("balance_view");
  return (
    <Page title={words.title} about={words.about(person.name, texts.environment[environment])}>
      <Attention />
      <Checklist />
      {maySeeMoney && (
        <>
          <Suspense fallback={<RowsSkeleton />}>
            <Figures environment={environment} />
          </Suspense>
          <LastPayments />
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

function LastPayments() {
  const { environment } = useEnvironment();
  const { data, error, refetch } = api.useQuery("get", "/partner/payments", { params: { query: { environment, limit: 8 } } });
  return (
    <Card
      title={words.last}
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link to="/payments" {...props} />}>
          {words.all}
        </Anchor>
      }
    >
      {data === undefined && (error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />)}
      {data !== undefined && data.data.length === 0 && (
        <Empty
          title={texts.payments.none}
          next={texts.payments.noneNext}
          action={
            <Button size="xs" renderRoot={(props) => <Link to="/links/new" {...props} />}>
              {texts.links.create}
            </Button>
          }
        />
      )}
      {data !== undefined && data.data.length > 0 && (
        <DataTable
          label={words.last}
          rows={data.data}
          keyOf={({ id }) => id}
          pageOf={paymentPageOf}
          columns={[
            {
              header: texts.payments.amount,
              align: "right",
              cell: (row) => <Money amount={row.amount} currency={row.currency} strong />,
            },
            {
              header: texts.payments.kind,
              cell: (row) => {
                const to = paymentPageOf(row);
                return to === null ? kindOf(row) : <RowLink to={to}>{kindOf(row)}</RowLink>;
              },
            },
            { header: texts.payments.status, cell: (row) => <Status status={row.status} /> },
            { header: texts.payments.order, from: "md", cell: (row) => row.client_reference_id ?? "–" },
            { header: texts.payments.date, from: "sm", cell: (row) => <MomentText at={row.transaction_date} /> },
          ]}
        />
      )}
    </Card>
  );
}
