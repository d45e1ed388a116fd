import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { SimpleGrid, Stack, Text } from "@mantine/core";
import { api } from "../api/client.ts";
import type { AnswerOf } from "../api/paths.ts";
import { Failure } from "../shared/failure.tsx";
import { Figure, shortMoney } from "../shared/figures.tsx";
import { moneyText } from "../shared/money-text.ts";
import { Card } from "../shared/page.tsx";
import { shareOf } from "../shared/share.ts";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import type { Environment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { daysOf } from "./days-of.ts";

const { sales: words } = texts;
const DAYS = 30;

type Sales = AnswerOf<"/partner/reports/sales">;

/** Thirty days of the partner: what is left after fees and refunds, of cards and rubles alike, and how deliveries went. */
export default function Figures({ environment }: { readonly environment: Environment }) {
  const sales = api.useQuery("get", "/partner/reports/sales", { params: { query: { environment, days: DAYS, by: "day,currency" } } });
  const figures = api.useQuery("get", "/partner/figures", { params: { query: { environment, days: DAYS } } });
  const { data, error, refetch } = sales;
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  const [deliveries] = figures.data?.totals ?? [];
  if (data.totals.length === 0 && (deliveries?.events ?? 0) === 0) return null;
  return (
    <Card title={words.title(data.time_zone)}>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        {data.totals.map((total) => (
          <Totals key={total.currency} total={total} before={data.previous.totals.find(({ currency }) => currency === total.currency)} />
        ))}
        {deliveries !== undefined && <Figure name={words.delivered} value={shareOf(deliveries.delivered, deliveries.events)} />}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: data.totals.length > 1 ? 2 : 1 }}>
        {data.totals.map(({ currency, net }) => (
          <Picture key={currency} sales={data} currency={currency} net={net} />
        ))}
      </SimpleGrid>
    </Card>
  );
}

function Totals({ total, before }: { readonly total: Sales["totals"][number]; readonly before: Sales["totals"][number] | undefined }) {
  const { currency, net, gross, refunds } = total;
  return (
    <>
      <Figure name={words.kept(currency)} value={moneyText(net, currency)} details={words.before(moneyText(before?.net ?? 0, currency))} />
      <Figure name={words.gross(currency)} value={moneyText(gross, currency)} />
      {refunds !== 0 && <Figure name={words.refunds(currency)} value={moneyText(refunds, currency)} />}
      <Figure name={`${words.orders} (${currency})`} value={total.orders.toLocaleString()} />
    </>
  );
}

function Picture({ sales, currency, net }: { readonly sales: Sales; readonly currency: string; readonly net: number }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {words.kept(currency)}
      </Text>
      <BarChart
        h={150}
        data={daysOf(sales, currency)}
        dataKey="day"
        series={[{ name: "net", color: "accent.6" }]}
        valueFormatter={(value) => moneyText(value, currency)}
        yAxisProps={{ width: 64, tickCount: 3, tickFormatter: (value: number) => shortMoney(value, currency) }}
        gridAxis="x"
        xAxisProps={{ interval: 6 }}
        barProps={{ isAnimationActive: false }}
        role="img"
        aria-label={words.picture(currency, moneyText(net, currency))}
      />
    </Stack>
  );
}
