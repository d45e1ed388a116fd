import { SimpleGrid } from "@mantine/core";
import { api } from "../api/client.ts";
import { Figure } from "../shared/figure.tsx";
import { moneyText } from "../shared/money-text.ts";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const { subscriptions: words } = texts;

/** What the subscriptions of an environment bring a month, by currency. */
export function Monthly() {
  const { environment } = useEnvironment();
  const { data } = api.useQuery("get", "/partner/reports/subscriptions", { params: { query: { environment } } });
  if (data === undefined || data.totals.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      {data.totals.map(({ currency, active, monthly }) => (
        <Figure key={currency} name={words.monthly} value={moneyText(monthly, currency)} details={words.monthlyWhat(active)} />
      ))}
    </SimpleGrid>
  );
}
