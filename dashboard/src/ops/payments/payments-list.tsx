import type { Column } from "../../shared/data-table.tsx";
import type { Filter } from "../../shared/filters.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { queryOf } from "../../shared/query.ts";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api, client, type QueryOf, type RowOf } from "../api/client.ts";
import { END, environmentFilter, partnerFilter, periodFilters } from "../shared/list-filters.ts";
import { Browse } from "../shared/list-page.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { keepingPage, useListSearch } from "../shared/use-list.ts";
import { words } from "../texts.ts";

type Movement = RowOf<"/ops/payments">;

const { payments: shared } = texts;
const STATUSES = ["completed", "pending", "failed", "refunded", "disputed", "dispute_won"];
const TYPES = [
  "processor_payment_in",
  "processor_payment_failure",
  "processor_refund",
  "processor_refund_failure",
  "processor_dispute_freeze",
  "processor_dispute_return",
];
const CURRENCIES = ["USD", "EUR", "GBP", "BRL"];
const NAMES = ["reference", "status", "type", "currency", "amount_from", "amount_to", "since", "until"];

const pageOf = ({ payment_intent_id: id }: Movement) => (id === null ? null : `/payments/${id}`);

const columns: readonly Column<Movement>[] = [
  {
    header: shared.amount,
    align: "right",
    sortBy: (row) => row.amount,
    cell: (row) => <Money amount={row.amount} currency={row.currency} strong />,
  },
  {
    header: shared.kind,
    cell: (row) => {
      const to = pageOf(row);
      const kind = row.type === null ? shared.unclassified : (texts.movement[row.type] ?? row.type);
      return (
        <>
          {to === null ? kind : <RowLink to={to}>{kind}</RowLink>}
          <span className="details until-sm">
            <Status status={row.status} />
            <MomentText at={row.transaction_date} />
            {row.client_reference_id}
          </span>
        </>
      );
    },
  },
  { header: shared.status, from: "sm", sortBy: (row) => row.status, cell: (row) => <Status status={row.status} /> },
  {
    header: shared.order,
    from: "md",
    sortBy: (row) => row.client_reference_id,
    cell: (row) => (
      <span className="clamped" title={row.client_reference_id ?? undefined}>
        {row.client_reference_id ?? "–"}
      </span>
    ),
  },
  {
    header: shared.net,
    align: "right",
    from: "lg",
    sortBy: (row) => row.net_amount,
    cell: (row) => <Money amount={row.net_amount} currency={row.currency} />,
  },
  {
    header: shared.date,
    from: "sm",
    sortBy: (row) => row.transaction_date,
    cell: (row) => <MomentText at={row.transaction_date} />,
  },
];

/** Money movements: of one partner, or of all. */
export function PaymentsList({ partner }: { readonly partner?: string }) {
  const { query, cursor } = useListSearch(NAMES, partner);
  const asked = queryOf<QueryOf<"/ops/payments">>(query);
  const list = api.useQuery("get", "/ops/payments", { params: { query: { ...asked, cursor } } }, keepingPage);
  const filters: readonly Filter[] = [
    environmentFilter,
    ...(partner === undefined ? [partnerFilter] : []),
    { kind: "text", name: "reference", label: shared.order },
    { kind: "choice", name: "status", label: shared.status, choices: STATUSES },
    { kind: "choice", name: "type", label: shared.kind, choices: TYPES },
    { kind: "choice", name: "currency", label: shared.currency, choices: CURRENCIES },
    ...("currency" in query
      ? ([
          { kind: "number", name: "amount_from", label: shared.atLeast },
          { kind: "number", name: "amount_to", label: shared.atMost },
        ] as const)
      : []),
    ...periodFilters,
  ];
  return (
    <Browse
      name="payments"
      label={shared.title}
      query={list}
      filters={filters}
      keyOf={(row) => row.id}
      pageOf={pageOf}
      columns={partner === undefined ? [...columns.slice(0, 3), partnerColumn, ...columns.slice(3)] : columns}
      read={async (next) => (await client.GET("/ops/payments", { params: { query: { ...asked, cursor: next } } })).data ?? END}
    />
  );
}

const partnerColumn: Column<Movement> = {
  header: words.lists.partner,
  from: "md",
  sortBy: (row) => row.partner_id,
  cell: (row) => <PartnerLink id={row.partner_id} />,
};
