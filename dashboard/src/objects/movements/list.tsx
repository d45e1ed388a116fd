import type { RowOf } from "../../api/paths.ts";
import { linkColumn, momentColumn, moneyColumn } from "../../shared/columns.tsx";
import { momentText } from "../../shared/moment-text.ts";
import { moneyText } from "../../shared/money-text.ts";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { amountFilters, byCurrency, type ObjectListOf, periodFilters } from "../object-list.tsx";
import { Part, Selection } from "../selection.tsx";
import { kindOf, paymentPageOf } from "./words.ts";

const { payments: words } = texts;

const STATUSES = ["completed", "pending", "failed", "refunded", "disputed", "dispute_won"];

/** The currencies that links are settled in most; any other can stand in the address. */
const CURRENCIES = ["USD", "EUR", "GBP", "BRL"];

/** What tells a movement from another of its kind. */
const nameOf = (row: RowOf<"/partner/payments">): string =>
  [kindOf(row), moneyText(row.amount, row.currency), row.client_reference_id, momentText(row.transaction_date)].filter(Boolean).join(", ");

/** Money movements: payments, refunds, disputes. */
export const movements: ObjectListOf<"/partner/payments"> = {
  path: "/partner/payments",
  name: "payments",
  file: "movements",
  label: words.title,
  periodLabel: texts.common.date,
  filters: ({ currency }) => [
    { kind: "choice", name: "status", label: texts.common.status, choices: STATUSES },
    { kind: "choice", name: "kind", label: texts.common.kind, choices: Object.keys(words.kinds), words: words.kinds },
    { kind: "text", name: "reference", label: texts.common.reference },
    ...amountFilters(CURRENCIES, currency),
    ...periodFilters(),
  ],
  summary: ({ count, sums }) => (
    <Selection count={count} say={words.count} sums={sums}>
      {({ currency, amount, fee, net }) => (
        <>
          <Part name={texts.common.amount} amount={amount} currency={currency} strong />
          <Part name={`· ${words.fees}`} amount={fee} currency={currency} />
          <Part name={`· ${texts.orders.net.toLowerCase()}`} amount={net} currency={currency} />
        </>
      )}
    </Selection>
  ),
  keyOf: (row) => row.id,
  pageOf: paymentPageOf,
  columns: [
    moneyColumn(texts.common.amount, "amount", { sort: true, sortNeeds: byCurrency, strong: true }),
    linkColumn(texts.common.kind, paymentPageOf, kindOf, { label: nameOf }),
    { header: texts.common.status, from: "sm", sortBy: (row) => row.status, cell: (row) => <Status status={row.status} /> },
    {
      header: texts.common.reference,
      from: "sm",
      cell: (row) => (
        <span className={row.client_reference_id === null ? "dimmed" : "clamped"} title={row.client_reference_id ?? undefined}>
          {row.client_reference_id ?? "–"}
        </span>
      ),
    },
    moneyColumn(texts.common.fee, "fee", { from: "lg" }),
    moneyColumn(texts.orders.net, "net_amount", { from: "lg" }),
    momentColumn(texts.common.date, "transaction_date", { from: "sm", sort: true }),
  ],
  none: words.none,
  noneNext: words.noneNext,
};
