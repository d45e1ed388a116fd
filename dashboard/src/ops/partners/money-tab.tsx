import { Group, Stack } from "@mantine/core";
import { upcomingText } from "../../balance/upcoming.ts";
import { statementColumns } from "../../objects/statements/columns.tsx";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { Money } from "../../shared/money.tsx";
import { Card } from "../../shared/page.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { CopySummary } from "../shared/copy-summary.tsx";
import { words } from "../texts.ts";

const { balance, statements } = texts;

/** What a partner has and is owed: its balance, its months, and its payouts. */
export function MoneyTab({ partner }: { readonly partner: string }) {
  const { data: now, error: noBalance, refetch } = api.useQuery("get", "/ops/balance", { params: { query: { partner } } });
  const { data: months, error: noMonths, refetch: again } = api.useQuery("get", "/ops/statements", { params: { query: { partner } } });
  return (
    <Stack>
      <Group justify="flex-end" gap="xs">
        <Action call="statements close" given={{ partner }} label={words.books.close} />
        <Action call="payouts enter" given={{ partner }} label={words.payouts.enter} variant="filled" />
      </Group>
      {noBalance !== null && <Failure thrown={noBalance} retry={() => void refetch()} />}
      {noMonths !== null && <Failure thrown={noMonths} retry={() => void again()} />}
      {now !== undefined && (
        <Card title={balance.now}>
          {now.data.length === 0 ? (
            <Empty title={balance.none} />
          ) : (
            <DataTable
              label={balance.now}
              rows={now.data}
              keyOf={({ environment, currency }) => `${environment} ${currency}`}
              columns={[
                { header: words.lists.environment, cell: (row) => texts.environment[row.environment] },
                {
                  header: words.books.balance,
                  align: "right",
                  cell: (row) => <Money amount={row.balance} currency={row.currency} strong />,
                },
                {
                  header: balance.settled,
                  align: "right",
                  from: "sm",
                  cell: (row) => <Money amount={row.settled} currency={row.currency} />,
                },
                {
                  header: balance.pending,
                  align: "right",
                  from: "sm",
                  cell: (row) => <Money amount={row.pending} currency={row.currency} />,
                },
                { header: words.keys.answer, cell: (row) => <CopySummary of={row.summary} /> },
                { header: balance.upcoming, from: "md", cell: ({ upcoming, currency }) => upcomingText(upcoming, currency) },
              ]}
            />
          )}
        </Card>
      )}
      {months !== undefined && (
        <Card title={statements.title}>
          {months.data.length === 0 ? (
            <Empty title={statements.none} />
          ) : (
            <DataTable label={statements.title} rows={months.data} keyOf={({ id }) => id} columns={statementColumns((_, text) => text)} />
          )}
        </Card>
      )}
    </Stack>
  );
}
