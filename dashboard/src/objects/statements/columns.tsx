import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import type { RowOf } from "../../api/paths.ts";
import type { Column } from "../../shared/data-table.tsx";
import { monthText } from "../../shared/day-text.ts";
import { Money } from "../../shared/money.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";

const { statements: words } = texts;

/** What a list of statements shows of one. */
export type StatementRow = Pick<
  RowOf<"/partner/statements">,
  "id" | "month" | "currency" | "state" | "number" | "opening" | "payments" | "payouts" | "closing"
>;

/** The columns of every list of statements. `link` makes the first cell a link to the statement's page. */
export function statementColumns<Row extends StatementRow>(link: (row: Row, text: string) => ReactNode): Column<Row>[] {
  return [
    {
      header: words.month,
      cell: (row) => (
        <Group gap="xs">
          {link(row, `${monthText(row.month)}, ${row.currency}`)}
          <Status status={row.state === "open" ? "current" : "closed"} />
        </Group>
      ),
    },
    { header: words.number, from: "md", cell: (row) => row.number ?? "–" },
    { header: words.opening, align: "right", from: "md", cell: (row) => <Money amount={row.opening} currency={row.currency} /> },
    { header: words.payments, align: "right", from: "sm", cell: (row) => <Money amount={row.payments} currency={row.currency} /> },
    { header: texts.payouts.title, align: "right", from: "sm", cell: (row) => <Money amount={row.payouts} currency={row.currency} /> },
    { header: words.closing, align: "right", cell: (row) => <Money amount={row.closing} currency={row.currency} strong /> },
  ];
}
