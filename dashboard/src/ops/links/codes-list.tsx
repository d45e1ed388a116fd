import type { Column } from "../../shared/data-table.tsx";
import { MomentText } from "../../shared/moment.tsx";
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

type Code = RowOf<"/ops/promotion-codes">;
const { codes: own } = words;
const NAMES = ["since", "until"];

const columns: readonly Column<Code>[] = [
  {
    header: own.code,
    sortBy: (row) => row.code,
    cell: (row) => <RowLink to={`/promotion-codes/${row.promotion_code_id}`}>{row.code}</RowLink>,
  },
  { header: texts.payments.status, cell: (row) => <Status status={row.deactivated_at === null ? "active" : "disabled"} /> },
  { header: words.lists.partner, from: "sm", sortBy: (row) => row.partner_id, cell: (row) => <PartnerLink id={row.partner_id} /> },
  { header: own.off, align: "right", sortBy: (row) => row.percent_off, cell: (row) => `${row.percent_off} %` },
  {
    header: own.duration,
    from: "md",
    cell: (row) => (row.duration_in_months === null ? row.duration : `${row.duration_in_months} months`),
  },
  { header: own.expires, from: "lg", cell: (row) => (row.expires_at === null ? own.never : <MomentText at={row.expires_at} />) },
  { header: words.lists.made, from: "sm", sortBy: (row) => row.created_at, cell: (row) => <MomentText at={row.created_at} /> },
];

/** Promotion codes of all partners, or of the one that is filtered by. */
export function CodesList() {
  const { query, cursor } = useListSearch(NAMES, undefined);
  const asked = queryOf<QueryOf<"/ops/promotion-codes">>(query);
  const list = api.useQuery("get", "/ops/promotion-codes", { params: { query: { ...asked, cursor } } }, keepingPage);
  return (
    <Browse
      name="promotion-codes"
      label={words.navigation.codes}
      query={list}
      filters={[environmentFilter, partnerFilter, ...periodFilters]}
      keyOf={(row) => row.promotion_code_id}
      pageOf={(row) => `/promotion-codes/${row.promotion_code_id}`}
      columns={columns}
      read={async (next) => (await client.GET("/ops/promotion-codes", { params: { query: { ...asked, cursor: next } } })).data ?? END}
    />
  );
}
