import type { RowOf } from "../../api/paths.ts";
import { linkColumn, momentColumn, moneyColumn } from "../../shared/columns.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { Part, Selection } from "../selection.tsx";
import { disputeKind } from "./words.ts";

const { disputes: words } = texts;

const STATES = ["needs_response", "under_review", "won", "lost", "closed"];

const orderOf = (row: RowOf<"/partner/disputes">) => (row.payment_intent_id === null ? null : `/orders/${row.payment_intent_id}`);

/** Disputes and inquiries, newest first. Each leads to its order. */
export const disputes: ObjectListOf<"/partner/disputes"> = {
  path: "/partner/disputes",
  name: "disputes",
  file: "disputes",
  label: words.title,
  periodLabel: words.opened,
  filters: () => [{ kind: "choice", name: "state", label: texts.common.status, choices: STATES }, ...periodFilters()],
  summary: ({ count, sums }) => (
    <Selection count={count} say={words.count} sums={sums}>
      {({ currency, amount }) => <Part name={texts.common.amount} amount={amount} currency={currency} strong />}
    </Selection>
  ),
  keyOf: (row) => row.id,
  pageOf: orderOf,
  columns: [
    moneyColumn(texts.common.amount, "amount", { strong: true }),
    linkColumn(texts.common.order, orderOf, (row) => row.client_reference_id ?? row.payment_intent_id ?? row.id),
    { header: texts.common.status, from: "sm", sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
    { header: texts.common.reason, from: "md", cell: disputeKind },
    momentColumn(words.dueBy, "evidence_due_by", { from: "sm", sort: true }),
    momentColumn(words.opened, "created_at", { from: "md", sort: true }),
  ],
  none: words.none,
  noneNext: words.noneNext,
};
