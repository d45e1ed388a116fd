import type { RowOf } from "../../api/paths.ts";
import { MomentText } from "../../shared/moment.tsx";
import { momentText } from "../../shared/moment-text.ts";
import { Money } from "../../shared/money.tsx";
import { moneyWithCode } from "../../shared/money-text.ts";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { shownZone } from "../../shared/time-zone.ts";
import { TwoLines } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import { amountFilters, byCurrency, type ObjectListOf, periodFilters } from "../object-list.tsx";
import { Part, Selection } from "../selection.tsx";
import { itemsText } from "./items-text.ts";

const { orders: words } = texts;

type Order = RowOf<"/partner/orders">;

const STATUSES = ["paid", "partly_refunded", "refunded", "disputed", "pending", "failed", "expired"];

/** The currencies that customers pay in most; any other can stand in the address. */
const CURRENCIES = ["USD", "EUR", "GBP", "BRL", "RUB"];

const pageOf = ({ id }: Order): string => `/orders/${id}`;

/** Whose order it is, as far as it is known. */
const customerOf = ({ customer }: Order): string | null => customer?.email ?? customer?.name ?? null;

const isUnpaid = ({ charged, paid_at }: Order): boolean => charged === 0 && paid_at === null;

/** What tells an order from another of the same amount. */
const nameOf = (row: Order): string =>
  [
    isUnpaid(row) ? words.notPaid : moneyWithCode(row.charged, row.currency),
    customerOf(row),
    row.client_reference_id,
    texts.status[row.status],
    momentText(row.created_at),
  ]
    .filter(Boolean)
    .join(", ");

const isOfRefunds = (status: string | undefined): boolean => status === "refunded" || status === "partly_refunded";

/** What customers bought: each with what is left of it. */
export const orders: ObjectListOf<"/partner/orders"> = {
  path: "/partner/orders",
  name: "orders",
  file: "orders",
  label: words.title,
  periodLabel: words.ordered,
  filters: ({ currency, paid_since, paid_until, refunded_since, refunded_until, settled_in, ...search }) => [
    { kind: "choice", name: "status", label: texts.common.status, choices: STATUSES },
    { kind: "text", name: "email", label: texts.common.email },
    { kind: "text", name: "reference", label: texts.common.reference },
    { kind: "text", name: "product", label: texts.common.product },
    ...amountFilters(CURRENCIES, currency),
    // A part of a period's sales leads to its orders.
    ...(["link", "method", "promotion_code"] as const).flatMap((name) =>
      search[name] === undefined ? [] : [{ kind: "text", name, label: texts.sales.parts[name] } as const],
    ),
    // A figure of Home leads to the orders that it counts: those that were paid in its period.
    ...(paid_since === undefined && paid_until === undefined && settled_in === undefined
      ? []
      : ([
          { kind: "date", name: "paid_since", label: words.paidSince(shownZone()) },
          { kind: "date", name: "paid_until", label: words.paidUntil(shownZone()) },
          { kind: "choice", name: "settled_in", label: words.settledIn, choices: CURRENCIES },
        ] as const)),
    // An order may have been given back in another month than that of its payment.
    ...(refunded_since === undefined && refunded_until === undefined && !isOfRefunds(search.status)
      ? []
      : ([
          { kind: "date", name: "refunded_since", label: words.refundedSince(shownZone()) },
          { kind: "date", name: "refunded_until", label: words.refundedUntil(shownZone()) },
        ] as const)),
    ...periodFilters(),
  ],
  summary: ({ count, sums }) => (
    <Selection count={count} say={words.count} sums={sums}>
      {({ currency, charged, kept, refunded, disputed, discounts }) => (
        <>
          <Part name={words.kept} amount={kept} currency={currency} strong />
          <Part name={words.of} amount={charged} currency={currency} />
          {refunded !== 0 && <Part name={`· ${texts.sales.refunds.toLowerCase()}`} amount={refunded} currency={currency} />}
          {disputed !== 0 && <Part name={`· ${texts.sales.disputes.toLowerCase()}`} amount={disputed} currency={currency} />}
          {discounts !== 0 && <Part name={`· ${words.discounts}`} amount={discounts} currency={currency} />}
        </>
      )}
    </Selection>
  ),
  keyOf: ({ id }) => id,
  pageOf,
  columns: [
    {
      header: words.charged,
      align: "right",
      sort: "charged",
      sortNeeds: byCurrency,
      cell: (row) => (
        <RowLink to={pageOf(row)} label={nameOf(row)}>
          {isUnpaid(row) ? words.notPaid : <Money amount={row.charged} currency={row.currency} strong />}
        </RowLink>
      ),
    },
    { header: texts.common.status, from: "sm", cell: (row) => <Status status={row.status} /> },
    { header: texts.common.customer, cell: (row) => <TwoLines first={customerOf(row)} second={row.client_reference_id} /> },
    { header: words.items, from: "md", cell: (row) => <TwoLines first={itemsText(row.items)} second={row.payment_method} /> },
    {
      header: words.kept,
      align: "right",
      from: "md",
      cell: (row) => (
        <>
          <Money amount={row.charged === 0 ? null : row.kept} currency={row.currency} />
          {row.refunded !== 0 && (
            <div className="dimmed">
              <small>{texts.sales.refunds}</small> <Money amount={row.refunded} currency={row.currency} />
            </div>
          )}
        </>
      ),
    },
    {
      header: texts.common.date,
      from: "sm",
      sort: "created_at",
      cell: (row) => (
        <>
          <MomentText at={row.created_at} />
          {row.refunded_at !== null && (
            <div className="dimmed">
              <small>{texts.sales.refunds}</small> <MomentText at={row.refunded_at} />
            </div>
          )}
        </>
      ),
    },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
