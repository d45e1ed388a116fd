import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import type { AnswerOf } from "../api/paths.ts";
import { DataTable } from "../shared/data-table.tsx";
import { Failure } from "../shared/failure.tsx";
import { Money } from "../shared/money.tsx";
import { PageLink } from "../shared/page-link.tsx";
import { useSearchTexts } from "../shared/search-texts.ts";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { TwoLines } from "../shared/two-lines.tsx";
import type { Environment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { ownLocale } from "../texts/own-language.ts";
import { bestOf, moreOfPart, nameOfPart, ordersOfPart, type Part, parts } from "./best-of.ts";

const { sales: words } = texts;

type Row = AnswerOf<"/partner/reports/sales">["rows"][number];

interface BestProps {
  readonly environment: Environment;
  readonly currency: string;
  readonly period: { readonly from: string; readonly to: string };
}

/** What brought most in a period, in one currency: products, links, methods, or codes. The orders that each counts are a list. */
export function Best({ environment, currency, period }: BestProps) {
  const navigate = useNavigate();
  const { part: asked } = useSearchTexts();
  const part = parts.find((one) => one === asked) ?? "product";
  const query = { environment, ...period, by: `${part},currency` };
  const { data, error, refetch } = api.useQuery("get", "/partner/reports/sales", { params: { query } });
  const show = (wanted: string) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, part: wanted }), replace: true, resetScroll: false });
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Text fw={600} size="sm">
          {words.best(currency)}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={words.bestBy}
          value={part}
          onChange={show}
          data={parts.map((one) => ({ value: one, label: words.partTabs[one] }))}
        />
      </Group>
      {data === undefined && (error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />)}
      {data !== undefined && (
        <DataTable
          label={words.best(currency)}
          rows={bestOf(data.rows, currency)}
          keyOf={(row) => row[part] ?? ""}
          columns={[
            {
              header: words.parts[part],
              cell: (row) => <TwoLines first={nameIn(row, part)} second={moreOfPart(row, part)} />,
            },
            { header: texts.orders.title, align: "right", cell: ordersCell(part, period) },
            { header: words.refunds, align: "right", from: "sm", cell: (row) => <Money amount={row.refunds} currency={currency} /> },
            { header: words.net, align: "right", cell: (row) => <Money amount={row.net} currency={currency} strong /> },
          ]}
        />
      )}
    </Stack>
  );
}

/** The name of a row in the person's language. */
const nameIn = (row: Row, part: Part): string =>
  (part === "method" ? words.methods[row.method ?? ""] : undefined) ?? nameOfPart(row, part) ?? words.withoutPart[part];

const ordersCell = (part: Part, period: BestProps["period"]) =>
  function OrdersCell(row: Row) {
    const [to, count] = [ordersOfPart(row, part, period), row.orders.toLocaleString(ownLocale())];
    return to === null ? count : <PageLink to={to}>{count}</PageLink>;
  };
