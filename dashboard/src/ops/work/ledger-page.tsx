import { Group } from "@mantine/core";
import { ObjectList } from "../../objects/object-list.tsx";
import { DataTable } from "../../shared/data-table.tsx";
import { Failure } from "../../shared/failure.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { moneyText } from "../../shared/money-text.ts";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Page } from "../../shared/page.tsx";
import { PageTabs } from "../../shared/page-tabs.tsx";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import type { OpsListOf } from "../shared/ops-list.ts";
import { words } from "../texts.ts";

const { ledger: own } = words;

/** Payments that have no partner. */
const unattributed: OpsListOf<"/ops/ledger/unattributed"> = {
  path: "/ops/ledger/unattributed",
  name: "unattributed",
  label: own.tabs.unattributed,
  hasEnvironment: false,
  isOfAll: false,
  keyOf: (row) => row.id,
  columns: [
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
  ],
  none: own.noneUnattributed,
};

/** Objects that are looked up no more: their look-ups failed too often, or the processor does not have them. */
const ended = (state: "parked" | "gone", none: string, noneNext: string): OpsListOf<"/ops/ledger/parked"> => ({
  path: "/ops/ledger/parked",
  name: state,
  always: { state },
  label: own.tabs[state],
  hasEnvironment: false,
  isOfAll: false,
  keyOf: (row) => row.id,
  columns: [
    { header: words.partners.id, cell: (row) => <ObjectLink id={row.id} /> },
    { header: own.error, cell: (row) => row.last_error ?? "–" },
    { header: texts.webhooks.attempts, align: "right", from: "sm", cell: (row) => row.attempts },
    { header: words.partners.since, from: "sm", cell: (row) => <MomentText at={row.since} /> },
    {
      header: texts.keys.actions,
      cell: ({ id }) => (
        <Group gap="xs">
          <Action call="parked-payments retry" given={{ id }} label={own.retry} isImmediate />
          <Action call="parked-payments dismiss" given={{ id }} about={id} label={own.giveUp} />
        </Group>
      ),
    },
  ],
  none,
  noneNext,
});
const parked = ended("parked", own.noneParked, own.noneParkedNext);
const gone = ended("gone", own.noneGone, own.noneGoneNext);

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

/** What waits in the ledger for a person, and how far it was compared with the processor. */
export const LedgerPage = () => (
  <Page title={own.title} about={own.about} actions={<Action call="ledger refresh" given={{}} label={own.refresh} />}>
    <PageTabs
      tabs={[
        { name: "unattributed", label: own.tabs.unattributed, content: <ObjectList of={unattributed} /> },
        { name: "parked", label: own.tabs.parked, content: <ObjectList of={parked} /> },
        { name: "gone", label: own.tabs.gone, content: <ObjectList of={gone} /> },
        { name: "compared", label: own.tabs.compared, content: <Compared /> },
      ]}
    />
  </Page>
);
