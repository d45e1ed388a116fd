import { SimpleGrid } from "@mantine/core";
import type { ReactNode } from "react";
import { api } from "../api/client.ts";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { Figure } from "../shared/figure.tsx";
import { moneyText } from "../shared/money-text.ts";
import { Card } from "../shared/page.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { upcomingText } from "./upcoming.ts";

const { balance: words } = texts;

/** The balance of each currency of the environment. */
export function Balances({ children }: { readonly children?: ReactNode }) {
  const { environment } = useEnvironment();
  const { data, error, refetch } = api.useQuery("get", "/partner/balance", {});
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  const own = data.data.filter((row) => row.environment === environment);
  return (
    <Card title={words.now}>
      {own.length === 0 && <Empty title={words.none} next={words.noneNext} />}
      {own.map(({ currency, balance, settled, pending, upcoming }) => (
        <SimpleGrid key={currency} cols={{ base: 1, xs: 3 }}>
          <Figure name={words.total(currency)} value={moneyText(balance, currency)} />
          <Figure name={words.settled} value={moneyText(settled, currency)} details={words.settledWhat} />
          <Figure
            name={words.pending}
            value={moneyText(pending, currency)}
            details={upcoming.length === 0 ? words.pendingWhat : upcomingText(upcoming, currency)}
          />
        </SimpleGrid>
      ))}
      {children}
    </Card>
  );
}
