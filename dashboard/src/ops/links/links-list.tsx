import type { Column } from "../../shared/data-table.tsx";
import type { Filter } from "../../shared/filters.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { queryOf } from "../../shared/query.ts";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api, client, type QueryOf, type RowOf } from "../api/client.ts";
import { wordsOfValue } from "../calls/names.ts";
import { END, environmentFilter, partnerFilter, periodFilters } from "../shared/list-filters.ts";
import { Browse } from "../shared/list-page.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { keepingPage, useListSearch } from "../shared/use-list.ts";
import { words } from "../texts.ts";

type PaymentLink = RowOf<"/ops/payment-links">;
const { links: own } = words;
const NAMES = ["state", "product", "since", "until"];

const columns: readonly Column<PaymentLink>[] = [
  { header: own.shortUrl, cell: (row) => <RowLink to={`/links/${row.payment_link_id}`}>{row.short_url ?? row.payment_link_id}</RowLink> },
  { header: texts.payments.status, cell: (row) => <Status status={row.disabled_at === null ? "open" : "disabled"} /> },
  { header: own.source, from: "md", sortBy: (row) => row.source, cell: (row) => wordsOfValue(row.source) },
  { header: own.mode, from: "lg", cell: (row) => wordsOfValue(row.mode) },
  { header: own.currency, from: "md", sortBy: (row) => row.currency, cell: (row) => row.currency },
  { header: words.lists.made, from: "sm", sortBy: (row) => row.created_at, cell: (row) => <MomentText at={row.created_at} /> },
];

const partnerColumn: Column<PaymentLink> = {
  header: words.lists.partner,
  from: "sm",
  sortBy: (row) => row.partner_id,
  cell: (row) => <PartnerLink id={row.partner_id} />,
};

/** Payment links: of one partner, or of all. */
export function LinksList({ partner }: { readonly partner?: string }) {
  const { query, cursor } = useListSearch(NAMES, partner);
  const asked = queryOf<QueryOf<"/ops/payment-links">>(query);
  const list = api.useQuery("get", "/ops/payment-links", { params: { query: { ...asked, cursor } } }, keepingPage);
  const filters: readonly Filter[] = [
    environmentFilter,
    ...(partner === undefined ? [partnerFilter] : []),
    { kind: "choice", name: "state", label: texts.payments.status, choices: ["open", "disabled"] },
    { kind: "text", name: "product", label: own.product },
    ...periodFilters,
  ];
  return (
    <Browse
      name="payment-links"
      label={words.navigation.links}
      query={list}
      filters={filters}
      keyOf={(row) => row.payment_link_id}
      pageOf={(row) => `/links/${row.payment_link_id}`}
      columns={partner === undefined ? [...columns.slice(0, 2), partnerColumn, ...columns.slice(2)] : columns}
      read={async (next) => (await client.GET("/ops/payment-links", { params: { query: { ...asked, cursor: next } } })).data ?? END}
    />
  );
}
