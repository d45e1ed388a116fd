import type { RowOf } from "../../api/paths.ts";
import { linkColumn, momentColumn } from "../../shared/columns.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { Part, Selection } from "../selection.tsx";

const { rublePayments: words } = texts;

/** Statuses of the bank. */
const STATUSES = [
  "NEW",
  "FORM_SHOWED",
  "AUTHORIZED",
  "CONFIRMED",
  "REJECTED",
  "CANCELED",
  "DEADLINE_EXPIRED",
  "REFUNDED",
  "PARTIAL_REFUNDED",
];

const pageOf = (row: RowOf<"/partner/bank-payments">): string => `/ruble-payments/${row.order_id}`;

/** Payments at the bank. */
export const rublePayments: ObjectListOf<"/partner/bank-payments"> = {
  path: "/partner/bank-payments",
  name: "ruble-payments",
  file: "ruble-payments",
  label: words.title,
  periodLabel: words.created,
  filters: () => [
    { kind: "choice", name: "status", label: texts.common.status, choices: STATUSES },
    { kind: "text", name: "order", label: texts.common.reference },
    ...periodFilters(),
  ],
  summary: ({ count, sums }) => (
    <Selection count={count} say={words.count} sums={sums}>
      {({ currency, amount, paid }) => (
        <>
          <Part name={texts.sales.gross} amount={paid} currency={currency} strong />
          <Part name={texts.orders.of} amount={amount} currency={currency} />
        </>
      )}
    </Selection>
  ),
  keyOf: (row) => row.order_id,
  pageOf,
  columns: [
    linkColumn(texts.common.reference, pageOf, (row) => row.external_order_id ?? row.order_id),
    { header: texts.common.status, from: "sm", sortBy: (row) => row.status, cell: (row) => <Status status={row.status} /> },
    {
      header: texts.common.amount,
      align: "right",
      sort: "amount_rub",
      sortBy: (row) => row.amount_rub,
      cell: (row) => <Money amount={row.amount_rub} currency="RUB" strong />,
    },
    momentColumn(words.created, "created_at", { from: "sm", sort: true }),
    { header: texts.orders.paidAt, from: "md", cell: (row) => (row.paid_at === null ? "–" : <MomentText at={row.paid_at} />) },
    { header: words.id, from: "lg", cell: (row) => <span className="id">{row.payment_id}</span> },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
