import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { Part, Selection } from "../selection.tsx";
import { disputeKind } from "./words.ts";

const { disputes: words } = texts;

const STATES = ["needs_response", "under_review", "won", "lost", "closed"];

const orderOf = (row: { readonly payment_intent_id: string | null }) =>
  row.payment_intent_id === null ? null : `/orders/${row.payment_intent_id}`;

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
    {
      header: texts.common.amount,
      align: "right",
      sortBy: (row) => row.amount,
      cell: (row) => <Money amount={row.amount} currency={row.currency} strong />,
    },
    {
      header: texts.common.order,
      cell: (row) => {
        const to = orderOf(row);
        const shown = row.client_reference_id ?? row.payment_intent_id ?? row.id;
        return to === null ? shown : <RowLink to={to}>{shown}</RowLink>;
      },
    },
    { header: texts.common.status, from: "sm", sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
    { header: texts.common.reason, from: "md", cell: disputeKind },
    {
      header: words.dueBy,
      from: "sm",
      sort: "evidence_due_by",
      sortBy: (row) => row.evidence_due_by,
      cell: (row) => (row.evidence_due_by === null ? "–" : <MomentText at={row.evidence_due_by} />),
    },
    {
      header: words.opened,
      from: "md",
      sort: "created_at",
      sortBy: (row) => row.created_at,
      cell: (row) => <MomentText at={row.created_at} />,
    },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
