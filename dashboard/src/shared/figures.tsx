import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { SimpleGrid, Stack, Text } from "@mantine/core";
import { texts } from "../texts/index.ts";
import { moneyText } from "./money.tsx";
import { Card } from "./page.tsx";

/** The figures of one day (UTC), amounts in major units. */
interface Day {
  readonly day: string;
  readonly payments: number;
  readonly failures: number;
  readonly refunds: number;
  readonly events: number;
  readonly delivered: number;
  readonly given_up: number;
  readonly amounts: readonly { readonly currency: string; readonly paid: number; readonly refunded: number }[];
}

const { figures: words } = texts;
const dayLabel = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

const sumIn = (of: "paid" | "refunded") => (currency: string) => (day: Day) =>
  day.amounts.filter((one) => one.currency === currency).reduce((sum, amounts) => sum + amounts[of], 0);
const paidIn = sumIn("paid");
const refundedIn = sumIn("refunded");

/** The share of the events that were delivered, rounded down: 100 % is all of them. */
export function shareOf(delivered: number, events: number): string {
  return events === 0 ? "–" : `${(Math.floor((delivered / events) * 1000) / 10).toFixed(1)} %`;
}

/** An amount as short as a picture's axis needs it: `$1.2K`. */
const shortMoney = (amount: number, currency: string) =>
  new Intl.NumberFormat(undefined, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    notation: "compact",
    maximumFractionDigits: 1,
  }).format(amount);

/** Some days: what was paid by currency, and how payments and deliveries went. Today is counted up to now. */
export function FiguresCard({ data, title }: { readonly data: { readonly days: readonly Day[] }; readonly title: string }) {
  const currencies = [...new Set(data.days.flatMap(({ amounts }) => amounts.map(({ currency }) => currency)))].toSorted();
  const isEmpty = data.days.every(({ payments, events }) => payments === 0 && events === 0);
  if (isEmpty) return null;
  const total = (of: (day: Day) => number) => data.days.reduce((sum, day) => sum + of(day), 0);
  const delivered = total((day) => day.delivered);
  const events = total((day) => day.events);
  const given = currencies.filter((currency) => total(refundedIn(currency)) !== 0);
  const rows = data.days.map((day) => ({
    day: dayLabel.format(new Date(day.day)),
    ...Object.fromEntries(currencies.map((currency) => [currency, paidIn(currency)(day)])),
  }));
  return (
    <Card title={title}>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        {currencies.map((currency) => (
          <Figure key={currency} name={words.paidIn(currency)} value={moneyText(total(paidIn(currency)), currency)} />
        ))}
        {given.map((currency) => (
          <Figure
            key={`refunded ${currency}`}
            name={words.refundedIn(currency)}
            value={moneyText(Math.abs(total(refundedIn(currency))), currency)}
          />
        ))}
        <Figure name={words.payments} value={total((day) => day.payments).toLocaleString()} />
        <Figure name={words.failures} value={total((day) => day.failures).toLocaleString()} />
        <Figure name={words.refunds} value={total((day) => day.refunds).toLocaleString()} />
        <Figure name={words.delivered} value={shareOf(delivered, events)} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: currencies.length > 1 ? 2 : 1 }}>
        {currencies.map((currency) => (
          <Stack key={currency} gap={4}>
            <Text size="sm" fw={600}>
              {words.paidIn(currency)}
            </Text>
            <BarChart
              h={150}
              data={rows}
              dataKey="day"
              series={[{ name: currency, color: "accent.6" }]}
              valueFormatter={(value) => moneyText(value, currency)}
              yAxisProps={{ width: 64, tickCount: 3, tickFormatter: (value: number) => shortMoney(value, currency) }}
              gridAxis="x"
              xAxisProps={{ interval: 6 }}
              barProps={{ isAnimationActive: false }}
              role="img"
              aria-label={words.picture(currency, moneyText(total(paidIn(currency)), currency))}
            />
          </Stack>
        ))}
      </SimpleGrid>
    </Card>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <Stack gap={0}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={650} fz={{ base: "md", sm: "lg" }} className="amount">
        {value}
      </Text>
    </Stack>
  );
}
