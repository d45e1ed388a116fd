import { api } from "../api/client.ts";
import { Empty } from "../shared/empty.tsx";
import { Money } from "../shared/money.tsx";
import { Card } from "../shared/page.tsx";
import { PagedList } from "../shared/paged-list.tsx";
import { useSearchTexts } from "../shared/search-texts.ts";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const { payouts: words } = texts;

/** What was paid out of live data, newest first. */
export function Payouts() {
  const { environment } = useEnvironment();
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/partner/payouts", { params: { query: { limit: 100, cursor } } }, { enabled: environment === "live" });
  if (environment === "test") return <Card title={words.title}>{words.liveOnly}</Card>;
  return (
    <PagedList
      label={words.title}
      query={query}
      keyOf={({ id }) => id}
      columns={[
        { header: words.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
        { header: words.state, cell: (row) => <Status status={row.state} /> },
        { header: words.date, cell: (row) => row.date },
        { header: words.reference, from: "sm", cell: (row) => <span className="clamped">{row.bank_reference}</span> },
        { header: words.reason, from: "md", cell: (row) => row.reason ?? "–" },
      ]}
      empty={<Empty title={words.none} next={words.noneNext} />}
    />
  );
}
