import type { Column } from "../../shared/data-table.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { Page } from "../../shared/page.tsx";
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

type Order = RowOf<"/ops/bank/orders">;
const { orders: own } = words;
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

const columns: readonly Column<Order>[] = [
  {
    header: own.amount,
    align: "right",
    sortBy: (row) => row.amount_rub,
    cell: (row) => <Money amount={row.amount_rub} currency="RUB" strong />,
  },
  { header: own.order, cell: (row) => <RowLink to={`/orders/${row.order_id}`}>{row.external_order_id ?? row.order_id}</RowLink> },
  { header: texts.payments.status, sortBy: (row) => row.status, cell: (row) => <Status status={row.status} /> },
  { header: words.lists.partner, from: "sm", sortBy: (row) => row.partner_id, cell: (row) => <PartnerLink id={row.partner_id} /> },
  { header: own.paid, from: "md", cell: (row) => (row.paid_at === null ? "–" : <MomentText at={row.paid_at} />) },
  { header: words.lists.made, from: "sm", sortBy: (row) => row.created_at, cell: (row) => <MomentText at={row.created_at} /> },
];

/** The ruble payments of all partners. */
export function OrdersPage() {
  const { query, cursor } = useListSearch(["status", "order", "since", "until"], undefined);
  const asked = queryOf<QueryOf<"/ops/bank/orders">>(query);
  const list = api.useQuery("get", "/ops/bank/orders", { params: { query: { ...asked, cursor } } }, keepingPage);
  return (
    <Page title={words.navigation.orders} about={own.about}>
      <Browse
        name="ruble-payments"
        label={words.navigation.orders}
        query={list}
        filters={[
          environmentFilter,
          partnerFilter,
          { kind: "choice", name: "status", label: texts.payments.status, choices: STATUSES },
          { kind: "text", name: "order", label: own.order },
          ...periodFilters,
        ]}
        keyOf={(row) => row.order_id}
        pageOf={(row) => `/orders/${row.order_id}`}
        columns={columns}
        read={async (next) => (await client.GET("/ops/bank/orders", { params: { query: { ...asked, cursor: next } } })).data ?? END}
      />
    </Page>
  );
}
