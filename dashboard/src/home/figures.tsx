import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { Anchor, Group, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client.ts";
import type { AnswerOf } from "../api/paths.ts";
import { DataTable } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { shortMoney } from "../shared/figures.tsx";
import { Money } from "../shared/money.tsx";
import { moneyText } from "../shared/money-text.ts";
import { Card } from "../shared/page.tsx";
import { useSearchTexts } from "../shared/search-texts.ts";
import { shareOf } from "../shared/share.ts";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import type { Environment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { ownLocale } from "../texts/own-language.ts";
import { daysOf, type Measure, measures } from "./days-of.ts";

const { sales: words } = texts;

/** The periods to choose from, in days up to today. */
const PERIODS = [1, 7, 30, 90, 365] as const;
const USUAL = 30;

type Sales = AnswerOf<"/partner/reports/sales">;

/** A period of the partner: what is left after fees and refunds, of cards and rubles alike, beside the period before. */
export default function Figures({ environment }: { readonly environment: Environment }) {
  const asked = Number(useSearchTexts().days);
  const days = PERIODS.find((one) => one === asked) ?? USUAL;
  const sales = api.useQuery("get", "/partner/reports/sales", { params: { query: { environment, days, by: "day,currency" } } });
  const { data, error, refetch } = sales;
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  return (
    <Card title={words.title(data.time_zone)} actions={<Period days={days} />}>
      {data.totals.length === 0 ? (
        <Empty title={words.none} next={words.noneNext} />
      ) : (
        <>
          <Totals sales={data} />
          {days > 1 && <Picture sales={data} />}
        </>
      )}
      <Anchor size="sm" renderRoot={(props) => <Link to="/orders" search={{ since: data.from, until: data.to }} {...props} />}>
        {words.toOrders}
      </Anchor>
      <Delivered environment={environment} days={days} />
    </Card>
  );
}

function Period({ days }: { readonly days: number }) {
  const navigate = useNavigate();
  return (
    <Select
      size="xs"
      w={140}
      aria-label={words.period}
      allowDeselect={false}
      data={PERIODS.map((one) => ({ value: String(one), label: words.days(one) }))}
      value={String(days)}
      onChange={(wanted) =>
        void navigate({ to: ".", search: (before: object) => ({ ...before, days: wanted ?? undefined }), replace: true })
      }
    />
  );
}

function Totals({ sales: { totals, previous } }: { readonly sales: Sales }) {
  const before = new Map(previous.totals.map((total) => [total.currency, total.net]));
  return (
    <DataTable
      label={words.net}
      rows={totals}
      keyOf={({ currency }) => currency}
      columns={[
        { header: words.net, align: "right", cell: (row) => <Money amount={row.net} currency={row.currency} strong /> },
        {
          header: words.before,
          align: "right",
          from: "sm",
          cell: (row) => <Money amount={before.get(row.currency) ?? 0} currency={row.currency} />,
        },
        { header: words.gross, align: "right", from: "sm", cell: (row) => <Money amount={row.gross} currency={row.currency} /> },
        { header: words.refunds, align: "right", from: "md", cell: (row) => <Money amount={row.refunds} currency={row.currency} /> },
        { header: words.fees, align: "right", from: "md", cell: (row) => <Money amount={row.fees} currency={row.currency} /> },
        { header: words.orders, align: "right", cell: ({ orders }) => orders.toLocaleString(ownLocale()) },
      ]}
    />
  );
}

/** One picture, of a chosen currency and measure. */
function Picture({ sales }: { readonly sales: Sales }) {
  const { totals } = sales;
  const [measure, setMeasure] = useState<Measure>("net");
  const [wanted, setCurrency] = useState<string | null>(null);
  const total = totals.find(({ currency }) => currency === wanted) ?? totals.toSorted((one, other) => other.orders - one.orders)[0];
  if (total === undefined) return null;
  const { currency } = total;
  const say = (value: number) => (measure === "orders" ? value.toLocaleString(ownLocale()) : moneyText(value, currency));
  const days = daysOf(sales, currency, measure);
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={words.measure}
          value={measure}
          onChange={setMeasure}
          data={measures.map((one) => ({ value: one, label: words.measures[one] }))}
        />
        {totals.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={words.currency}
            value={currency}
            onChange={setCurrency}
            data={totals.map((one) => one.currency)}
          />
        )}
      </Group>
      <BarChart
        h={190}
        data={days}
        dataKey="day"
        series={[{ name: "value", label: words.measures[measure], color: "accent.6" }]}
        valueFormatter={say}
        yAxisProps={{
          width: 64,
          tickCount: 3,
          allowDecimals: false,
          tickFormatter: (value: number) => (measure === "orders" ? value.toLocaleString(ownLocale()) : shortMoney(value, currency)),
        }}
        gridAxis="x"
        xAxisProps={{ interval: Math.max(0, Math.ceil(days.length / 5) - 1) }}
        barProps={{ isAnimationActive: false }}
        role="img"
        aria-label={words.picture(words.measures[measure], currency, say(total[measure]))}
      />
    </Stack>
  );
}

/** How deliveries went in the period, of 30 days at most. */
function Delivered({ environment, days }: { readonly environment: Environment; readonly days: number }) {
  const { data } = api.useQuery("get", "/partner/figures", { params: { query: { environment, days: Math.min(days, 30) } } });
  const [all] = data?.totals ?? [];
  if (all === undefined || all.events === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {words.delivered(shareOf(all.delivered, all.events), Math.min(days, 30))}
    </Text>
  );
}
