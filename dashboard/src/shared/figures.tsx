import type { AnswerOf } from "../api/paths.ts";
import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { SimpleGrid, Stack, Text } from "@mantine/core";
import { texts } from "../texts/index.ts";
import { ownLocale } from "../texts/own-language.ts";
import { Figure } from "./figure.tsx";
import { moneyText } from "./money-text.ts";
import { Card } from "./page.tsx";
import { shareOf } from "./share.ts";

/** Some days (UTC) of one environment, and what they come to. Amounts in major units. */
type Figures = Pick<AnswerOf<"/partner/figures">, "totals" | "days">;

const { figures: words } = texts;
const dayLabel = new Intl.DateTimeFormat(ownLocale(), { day: "numeric", month: "short", timeZone: "UTC" });

/** An amount as short as a picture's axis needs it: `$1.2K`. */
export const shortMoney = (amount: number, currency: string) =>
  new Intl.NumberFormat(ownLocale(), {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    notation: "compact",
    maximumFractionDigits: 1,
  }).format(amount);

/** Some days: what was paid by currency, and how payments and deliveries went. Today is counted up to now. */
export function FiguresCard({ data: { totals, days }, title }: { readonly data: Figures; readonly title: string }) {
  const [all] = totals;
  if (all === undefined || (all.payments === 0 && all.events === 0)) return null;
  const rows = days.map(({ day, sums }) => ({
    day: dayLabel.format(new Date(day)),
    ...Object.fromEntries(all.sums.map(({ currency }) => [currency, sums.find((one) => one.currency === currency)?.paid ?? 0])),
  }));
  return (
    <Card title={title}>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        {all.sums.map(({ currency, paid }) => (
          <Figure key={currency} name={words.paidIn(currency)} value={moneyText(paid, currency)} />
        ))}
        {all.sums
          .filter(({ refunded }) => refunded !== 0)
          .map(({ currency, refunded }) => (
            <Figure key={`refunded ${currency}`} name={words.refundedIn(currency)} value={moneyText(refunded, currency)} />
          ))}
        <Figure name={texts.statements.payments} value={all.payments.toLocaleString(ownLocale())} />
        <Figure name={words.failures} value={all.failures.toLocaleString(ownLocale())} />
        <Figure name={texts.statements.refunds} value={all.refunds.toLocaleString(ownLocale())} />
        <Figure name={words.delivered} value={shareOf(all.delivered, all.events)} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: all.sums.length > 1 ? 2 : 1 }}>
        {all.sums.map(({ currency, paid }) => (
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
              aria-label={words.picture(currency, moneyText(paid, currency))}
            />
          </Stack>
        ))}
      </SimpleGrid>
    </Card>
  );
}
