import type { Column } from "../../shared/data-table.tsx";
import type { Filter } from "../../shared/filters.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { queryOf } from "../../shared/query.ts";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { eventKinds } from "../../webhooks/event-kinds.ts";
import { api, client, type QueryOf, type RowOf } from "../api/client.ts";
import { END, environmentFilter, partnerFilter, periodFilters } from "../shared/list-filters.ts";
import { Browse } from "../shared/list-page.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { keepingPage, useListSearch } from "../shared/use-list.ts";
import { words } from "../texts.ts";

type Event = RowOf<"/ops/deliveries">;
const { events: own } = words;
const STATES = ["pending", "sending", "succeeded", "exhausted", "suspended", "no_endpoint"];

const columns: readonly Column<Event>[] = [
  { header: own.kind, sortBy: (row) => row.type, cell: (row) => <RowLink to={`/events/${row.event}`}>{row.type}</RowLink> },
  { header: own.state, sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
  { header: own.attempts, align: "right", from: "md", sortBy: (row) => row.attempts, cell: (row) => row.attempts },
  { header: words.lists.made, from: "sm", sortBy: (row) => row.created_at, cell: (row) => <MomentText at={row.created_at} /> },
];

const partnerColumn: Column<Event> = {
  header: words.lists.partner,
  from: "sm",
  sortBy: (row) => row.partner_id,
  cell: (row) => <PartnerLink id={row.partner_id} />,
};

/** Events and their deliveries: of one partner, or of all. */
export function EventsList({ partner }: { readonly partner?: string }) {
  const { query, cursor } = useListSearch(["state", "event", "since", "until"], partner);
  const asked = queryOf<QueryOf<"/ops/deliveries">>(query);
  const list = api.useQuery("get", "/ops/deliveries", { params: { query: { ...asked, cursor } } }, keepingPage);
  const filters: readonly Filter[] = [
    environmentFilter,
    ...(partner === undefined ? [partnerFilter] : []),
    { kind: "choice", name: "state", label: own.state, choices: STATES },
    { kind: "choice", name: "event", label: own.kind, choices: eventKinds },
    ...periodFilters,
  ];
  return (
    <Browse
      name="events"
      label={words.navigation.events}
      query={list}
      filters={filters}
      keyOf={(row) => row.event}
      pageOf={(row) => `/events/${row.event}`}
      columns={partner === undefined ? [...columns.slice(0, 2), partnerColumn, ...columns.slice(2)] : columns}
      read={async (next) => (await client.GET("/ops/deliveries", { params: { query: { ...asked, cursor: next } } })).data ?? END}
    />
  );
}
