import { PageLink } from "../shared/page-link.tsx";
import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { Group, SegmentedControl, Stack } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import type { AnswerOf } from "../api/paths.ts";
import { periodFilters } from "../objects/object-list.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { dayText } from "../shared/day-text.ts";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { shortMoney } from "../shared/figures.tsx";
import { Filters } from "../shared/filters.tsx";
import { Money } from "../shared/money.tsx";
import { moneyText } from "../shared/money-text.ts";
import { Card, Note } from "../shared/page.tsx";
import { datesOf } from "../shared/periods.ts";
import { type Texts, useSearchTexts } from "../shared/search-texts.ts";
import { shareOf } from "../shared/share.ts";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { shownZone } from "../shared/time-zone.ts";
import type { Environment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { ownLocale } from "../texts/own-language.ts";
import { Best } from "./best.tsx";
import { daysOf, measures, shownTotal } from "./days-of.ts";
import { listOf, paidOrders } from "./list-of.ts";

const { sales: words } = texts;

const USUAL = "last_30_days";

type Sales = AnswerOf<"/partner/reports/sales">;

/** The period of the address; the last thirty days where it has none. A report ends today where no end is said. */
function periodIn({ since, until }: Texts) {
  const { since: from, until: to } =
    since === undefined && until === undefined ? datesOf(USUAL, new Date(), shownZone()) : { since, until };
  return { ...(from && { from }), ...(to && { to }) };
}

/** A period of the partner: what is left after fees and refunds, of cards and rubles alike, beside the period before. */
export default function Figures({ environment }: { readonly environment: Environment }) {
  const search = useSearchTexts();
  const period = periodIn(search);
  const query = { environment, ...period, by: "day,currency" };
  const { data, error, refetch } = api.useQuery("get", "/partner/reports/sales", { params: { query } });
  const shown = shownTotal(data?.totals ?? [], search.currency);
  return (
    <Card title={words.title(data?.time_zone ?? shownZone())}>
      <Filters filters={periodFilters()} usual={USUAL} />
      {data === undefined && (error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />)}
      {data !== undefined && currenciesOf(data).length === 0 && <Empty title={words.none} next={words.noneNext} />}
      {data !== undefined && currenciesOf(data).length > 0 && (
        <>
          <Totals sales={data} />
          <Note>{words.beforeIs(dayText(data.previous.from), dayText(data.previous.to))}</Note>
          {shown !== undefined && (
            <>
              <CurrencyChoice currencies={data.totals.map((one) => one.currency)} chosen={shown.currency} />
              {data.from !== data.to && <Picture sales={data} total={shown} />}
              <Best environment={environment} currency={shown.currency} period={{ from: data.from, to: data.to }} />
            </>
          )}
        </>
      )}
      <Delivered environment={environment} />
    </Card>
  );
}

/** The currencies of a period and of the one before. */
const currenciesOf = ({ totals, previous }: Sales): readonly string[] => [
  ...new Set([...totals, ...previous.totals].map(({ currency }) => currency)),
];

const Before = ({ value }: { readonly value: string }) => (
  <div className="dimmed">
    <small className="amount">{words.beforeThat(value)}</small>
  </div>
);

/** The part of what was paid that may still fail. */
const Pending = ({ of }: { readonly of: Sales["totals"][number] | undefined }) =>
  of !== undefined &&
  of.pending !== 0 && (
    <div className="dimmed">
      <small>{words.pending(moneyText(of.pending, of.currency))}</small>
    </div>
  );

/**
 * What a period came to by currency, each beside the period before. Amounts lead to the movements that they add up, and in rubles to the
 * orders that were paid or given back in the period.
 */
function Totals({ sales }: { readonly sales: Sales }) {
  const now = new Map(sales.totals.map((total) => [total.currency, total]));
  const before = new Map(sales.previous.totals.map((total) => [total.currency, total]));
  const isDisputed = [...sales.totals, ...sales.previous.totals].some(({ disputes }) => disputes !== 0);
  const amount = (of: "disputes" | "fees" | "gross" | "net" | "refunds", strong = false) =>
    function AmountCell(currency: string) {
      const shown = (
        <>
          <Money amount={now.get(currency)?.[of] ?? 0} currency={currency} strong={strong} />
          {of === "gross" && <Pending of={now.get(currency)} />}
          <Before value={moneyText(before.get(currency)?.[of] ?? 0, currency)} />
        </>
      );
      const to = listOf(of, currency, sales);
      return to === null ? shown : <PageLink to={to}>{shown}</PageLink>;
    };
  const Orders = (currency: string) => (
    <PageLink to={paidOrders(currency, sales)}>
      {(now.get(currency)?.orders ?? 0).toLocaleString(ownLocale())}
      <Before value={(before.get(currency)?.orders ?? 0).toLocaleString(ownLocale())} />
    </PageLink>
  );
  return (
    <DataTable
      label={words.net}
      rows={currenciesOf(sales)}
      keyOf={(currency) => currency}
      columns={[
        { header: words.net, align: "right", cell: amount("net", true) },
        { header: words.gross, align: "right", from: "sm", cell: amount("gross") },
        { header: words.refunds, align: "right", from: "sm", cell: amount("refunds") },
        ...(isDisputed ? [{ header: words.disputes, align: "right", from: "sm", cell: amount("disputes") } as const] : []),
        { header: words.fees, align: "right", from: "sm", cell: amount("fees") },
        { header: texts.orders.title, align: "right", from: "sm", cell: Orders },
      ]}
    />
  );
}

/** Sets what stands in the address, in its place. */
function useShow() {
  const navigate = useNavigate();
  return (wanted: Texts) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...wanted }), replace: true, resetScroll: false });
}

/** The currency of what stands below, which is of one. */
function CurrencyChoice({ currencies, chosen }: { readonly currencies: readonly string[]; readonly chosen: string }) {
  const show = useShow();
  if (currencies.length < 2) return null;
  return (
    <Group>
      <SegmentedControl
        size="xs"
        aria-label={texts.common.currency}
        value={chosen}
        onChange={(currency) => show({ currency })}
        data={[...currencies]}
      />
    </Group>
  );
}

/** One picture, of a currency and a measure, which stand in the address. */
function Picture({ sales, total }: { readonly sales: Sales; readonly total: Sales["totals"][number] }) {
  const show = useShow();
  const search = useSearchTexts();
  const measure = measures.find((one) => one === search.measure) ?? "net";
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
          onChange={(wanted) => show({ measure: wanted })}
          data={measures.map((one) => ({ value: one, label: words.measures[one] }))}
        />
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

/** How deliveries went in the last thirty days. */
function Delivered({ environment }: { readonly environment: Environment }) {
  const { data } = api.useQuery("get", "/partner/figures", { params: { query: { environment, days: 30 } } });
  const [all] = data?.totals ?? [];
  if (all === undefined || all.events === 0) return null;
  return <Note>{words.delivered(shareOf(all.delivered, all.events))}</Note>;
}
