import { Group, Text } from "@mantine/core";
import { DownloadButton } from "../../objects/save-button.tsx";
import { statementColumns } from "../../objects/statements/columns.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Card, Note } from "../../shared/page.tsx";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { Summary } from "../../shared/summary.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";
import { SumsTable } from "./sums-table.tsx";

const { books: own } = words;

/** A month of all partners, from our own books. */
export function MonthSums({ month }: { readonly month: string }) {
  const { data, error, refetch } = api.useQuery(
    "get",
    "/ops/books/months/{month}",
    { params: { path: { month } } },
    // It sums a month of all partners: once, where a person asks.
    { retry: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY },
  );
  if (data === undefined || typeof data === "string")
    return error ? (
      <Failure thrown={error} retry={() => void refetch()} />
    ) : (
      <Card title={own.processor}>
        <RowsSkeleton />
      </Card>
    );
  const { summary, is_over, compared_until, processor, bank, statements, totals, not_closed } = data;
  return (
    <>
      <Summary of={summary} />
      <Group justify="flex-end">
        <DownloadButton href={`/ops/books/months/${month}?format=csv&locale=${globalThis.navigator.language}`} />
      </Group>
      <Card title={own.processor}>
        {!is_over && <Text size="sm">{own.goesOn}</Text>}
        {compared_until !== null && (
          <Note>
            {own.comparedUntil} <MomentText at={compared_until} />
          </Note>
        )}
        {processor.length === 0 ? (
          <Empty title={own.noMoney} />
        ) : (
          <SumsTable
            label={own.sum}
            positions={own.ofProcessor}
            columns={processor.map((sums) => ({ name: sums.currency, currency: sums.currency, sums }))}
          />
        )}
      </Card>
      {bank.length > 0 && (
        <Card title={own.bank}>
          <SumsTable
            label={own.sum}
            positions={own.ofBank}
            columns={bank.map((sums) => ({ name: sums.terminal, currency: sums.currency, sums }))}
          />
        </Card>
      )}
      <TableCard
        title={own.notClosed}
        about={own.notClosedWhat}
        rows={not_closed}
        keyOf={(row) => `${row.partner_id} ${row.currency}`}
        columns={[
          { header: texts.list.partner, cell: (row) => <PartnerLink id={row.partner_id} /> },
          { header: texts.common.currency, cell: (row) => row.currency },
          {
            header: texts.keys.actions,
            cell: (row) => <Action call="statements close" given={{ partner: row.partner_id, month }} label={own.close} />,
          },
        ]}
      />
      {totals.length > 0 && (
        <Card title={own.owed}>
          <SumsTable
            label={own.sum}
            positions={own.ofPartners}
            columns={totals.map((sums) => ({ name: sums.currency, currency: sums.currency, sums }))}
          />
        </Card>
      )}
      <TableCard
        title={texts.statements.title}
        rows={statements}
        keyOf={({ id }) => id}
        columns={[
          { header: texts.list.partner, cell: (row) => <PartnerLink id={row.partner_id} /> },
          ...statementColumns<(typeof statements)[number]>((_, text) => text),
        ]}
      />
    </>
  );
}
