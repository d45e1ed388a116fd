import { Group, Stack } from "@mantine/core";
import { upcomingText } from "../../balance/upcoming.ts";
import { statementColumns } from "../../objects/statements/columns.tsx";
import { moneyColumn } from "../../shared/columns.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { CopySummary } from "../shared/copy-summary.tsx";
import { words } from "../texts.ts";

const { balance, statements } = texts;

/** What a partner has and is owed: its balance, its months, and its payouts. */
export function MoneyTab({ partner }: { readonly partner: string }) {
  const query = { params: { query: { partner } } };
  const now = api.useQuery("get", "/ops/balance", query);
  const months = api.useQuery("get", "/ops/statements", query);
  return (
    <Stack>
      <Group justify="flex-end" gap="xs">
        <Action call="statements close" given={{ partner }} label={words.books.close} />
        <Action call="payouts enter" given={{ partner }} label={words.payouts.enter} variant="filled" />
      </Group>
      <TableCard
        title={balance.now}
        query={now}
        none={{ title: balance.none }}
        keyOf={({ environment, currency }) => `${environment} ${currency}`}
        columns={[
          { header: words.lists.environment, cell: (row) => texts.environment[row.environment] },
          moneyColumn(texts.balance.title, "balance", { strong: true }),
          moneyColumn(balance.settled, "settled", { from: "sm" }),
          moneyColumn(balance.pending, "pending", { from: "sm" }),
          { header: words.keys.answer, cell: (row) => <CopySummary of={row.summary} /> },
          { header: balance.upcoming, from: "md", cell: ({ upcoming, currency }) => upcomingText(upcoming, currency) },
        ]}
      />
      <TableCard
        title={statements.title}
        query={months}
        none={{ title: statements.none }}
        keyOf={({ id }) => id}
        columns={statementColumns((_, text) => text)}
      />
    </Stack>
  );
}
