import { PAGE_SIZE } from "../../objects/list-query.ts";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Filters } from "../../shared/filters.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { Card, Page } from "../../shared/page.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { SecondLine } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { keepingPage } from "../shared/use-list.ts";
import { words } from "../texts.ts";

const { platform: own } = words;

/** What moved between the processor or the bank and us: it is in no partner's books. */
export function PlatformPage() {
  const { cursor, type, since, until, environment } = useSearchTexts();
  const query = api.useQuery(
    "get",
    "/ops/platform-transactions",
    { params: { query: { limit: PAGE_SIZE, cursor, type, since, until, environment: environment === "test" ? "test" : "live" } } },
    keepingPage,
  );
  return (
    <Page title={own.title} about={own.about} actions={<Action call="bank-fees enter" given={{}} label={own.enter} variant="filled" />}>
      <Filters
        filters={[
          { kind: "text", name: "type", label: own.type },
          {
            kind: "choice",
            name: "environment",
            label: words.lists.environment,
            choices: ["live", "test"],
            words: texts.environment,
            fallback: "live",
          },
          { kind: "date", name: "since", label: own.since },
          { kind: "date", name: "until", label: own.until },
        ]}
      />
      {query.data !== undefined && query.data.sums.length > 0 && (
        <Card title={own.sums}>
          <DataTable
            label={own.sums}
            rows={query.data.sums}
            keyOf={(row) => `${row.type} ${row.currency}`}
            columns={[
              { header: own.type, cell: (row) => row.type },
              { header: own.count, align: "right", cell: (row) => row.count.toLocaleString() },
              { header: own.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
              { header: own.fee, align: "right", cell: (row) => <Money amount={row.fee} currency={row.currency} /> },
            ]}
          />
        </Card>
      )}
      <PagedList
        label={own.title}
        query={query}
        keyOf={({ id }) => id}
        columns={[
          { header: own.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
          {
            header: own.type,
            cell: (row) => (
              <>
                {row.type}
                <SecondLine text={row.description} />
              </>
            ),
          },
          { header: own.fee, align: "right", from: "sm", cell: (row) => <Money amount={row.fee} currency={row.currency} /> },
          { header: words.lists.environment, from: "lg", cell: (row) => texts.environment[row.environment] },
          { header: own.at, cell: (row) => <MomentText at={row.at} /> },
          { header: own.available, from: "md", cell: (row) => (row.available_at === null ? "–" : <MomentText at={row.available_at} />) },
          {
            header: words.partners.id,
            from: "lg",
            cell: (row) => (
              <>
                <span className="id">{row.id}</span>
                <SecondLine text={row.entered_by === null ? null : words.payouts.enteredBy(row.entered_by)} />
              </>
            ),
          },
        ]}
        empty={<Empty title={own.none} next={own.noneNext} />}
      />
    </Page>
  );
}
