import { Group } from "@mantine/core";
import { PAGE_SIZE } from "../../objects/list-query.ts";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { moneyText } from "../../shared/money-text.ts";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Page } from "../../shared/page.tsx";
import { PageTabs } from "../../shared/page-tabs.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { keepingPage } from "../shared/use-list.ts";
import { words } from "../texts.ts";

const { ledger: own } = words;

/** What waits in the ledger for a person, and how far it was compared with the processor. */
export const LedgerPage = () => (
  <Page title={own.title} about={own.about} actions={<Action call="ledger refresh" given={{}} label={own.refresh} />}>
    <PageTabs
      tabs={[
        { name: "unattributed", label: own.tabs.unattributed, content: <Unattributed /> },
        { name: "parked", label: own.tabs.parked, content: <Ended state="parked" none={own.noneParked} next={own.noneParkedNext} /> },
        { name: "gone", label: own.tabs.gone, content: <Ended state="gone" none={own.noneGone} next={own.noneGoneNext} /> },
        { name: "compared", label: own.tabs.compared, content: <Compared /> },
      ]}
    />
  </Page>
);

function Unattributed() {
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/ops/ledger/unattributed", { params: { query: { limit: PAGE_SIZE, cursor } } }, keepingPage);
  return (
    <PagedList
      label={own.tabs.unattributed ?? ""}
      query={query}
      keyOf={(row) => row.id}
      columns={[
        { header: texts.common.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
        {
          header: texts.common.kind,
          // No order has such a movement yet, so there is no page to lead to.
          cell: ({ payment_intent_id, subscription_id, id }) => <span className="id">{payment_intent_id ?? subscription_id ?? id}</span>,
        },
        { header: texts.common.status, from: "sm", cell: (row) => <Status status={row.status} /> },
        { header: words.lists.environment, from: "md", cell: (row) => texts.environment[row.environment] },
        { header: texts.common.date, from: "sm", cell: (row) => <MomentText at={row.transaction_date} /> },
        {
          header: texts.keys.actions,
          cell: ({ id, amount, currency }) => (
            <Group gap="xs">
              <Action call="movements assign" given={{ id }} about={`${moneyText(amount, currency)} · ${id}`} label={own.assign} />
              <Action call="movements dismiss" given={{ id }} about={`${moneyText(amount, currency)} · ${id}`} label={own.dismiss} />
            </Group>
          ),
        },
      ]}
      empty={<Empty title={own.noneUnattributed} />}
    />
  );
}

/** Objects that are looked up no more: their look-ups failed too often, or the processor does not have them. */
function Ended({ state, none, next }: { readonly state: "parked" | "gone"; readonly none: string; readonly next: string }) {
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/ops/ledger/parked", { params: { query: { state, limit: PAGE_SIZE, cursor } } }, keepingPage);
  return (
    <PagedList
      label={own.tabs[state] ?? ""}
      query={query}
      keyOf={(row) => row.id}
      columns={[
        { header: words.partners.id, cell: (row) => <ObjectLink id={row.id} /> },
        { header: own.error, cell: (row) => row.last_error ?? "–" },
        { header: own.attempts, align: "right", from: "sm", cell: (row) => row.attempts },
        { header: own.since, from: "sm", cell: (row) => <MomentText at={row.since} /> },
        {
          header: texts.keys.actions,
          cell: ({ id }) => (
            <Group gap="xs">
              <Action call="parked-payments retry" given={{ id }} label={own.retry} isImmediate />
              <Action call="parked-payments dismiss" given={{ id }} about={id} label={own.giveUp} />
            </Group>
          ),
        },
      ]}
      empty={<Empty title={none} next={next} />}
    />
  );
}

function Compared() {
  const { data, error, refetch } = api.useQuery("get", "/ops/ledger");
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  return (
    <>
      <Group justify="flex-end" mb="md">
        <Action call="ledger compare-again" given={{}} label={own.again} />
      </Group>
      <div className="card">
        <DataTable
          label={own.tabs.compared ?? ""}
          rows={data.reconciliations}
          keyOf={(row) => row.name}
          columns={[
            { header: own.list, cell: (row) => row.name },
            { header: own.until, cell: (row) => <MomentText at={row.compared_until} /> },
            { header: own.missing, align: "right", cell: (row) => row.missing_count.toLocaleString() },
            { header: own.lastRun, from: "sm", cell: (row) => <MomentText at={row.last_run_at} /> },
          ]}
        />
      </div>
    </>
  );
}
