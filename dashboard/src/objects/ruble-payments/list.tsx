import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { RowLink } from "../../shared/row-link.tsx";
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
          <Part name={words.sumPaid} amount={paid} currency={currency} strong />
          <Part name={texts.orders.of} amount={amount} currency={currency} />
        </>
      )}
    </Selection>
  ),
  keyOf: (row) => row.order_id,
  pageOf: (row) => `/ruble-payments/${row.order_id}`,
  columns: [
    {
      header: texts.common.reference,
      cell: (row) => <RowLink to={`/ruble-payments/${row.order_id}`}>{row.external_order_id ?? row.order_id}</RowLink>,
    },
    { header: texts.common.status, from: "sm", sortBy: (row) => row.status, cell: (row) => <Status status={row.status} /> },
    {
      header: texts.common.amount,
      align: "right",
      sort: "amount_rub",
      sortBy: (row) => row.amount_rub,
      cell: (row) => <Money amount={row.amount_rub} currency="RUB" strong />,
    },
    {
      header: words.created,
      from: "sm",
      sort: "created_at",
      sortBy: (row) => row.created_at,
      cell: (row) => <MomentText at={row.created_at} />,
    },
    { header: words.paid, from: "md", cell: (row) => (row.paid_at === null ? "–" : <MomentText at={row.paid_at} />) },
    { header: words.id, from: "lg", cell: (row) => <span className="id">{row.payment_id}</span> },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
