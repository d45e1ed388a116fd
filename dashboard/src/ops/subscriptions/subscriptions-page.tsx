import type { Column } from "../../shared/data-table.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Page } from "../../shared/page.tsx";
import { queryOf } from "../../shared/query.ts";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api, client, type QueryOf, type RowOf } from "../api/client.ts";
import { END, environmentFilter, partnerFilter } from "../shared/list-filters.ts";
import { Browse } from "../shared/list-page.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { keepingPage, useListSearch } from "../shared/use-list.ts";
import { words } from "../texts.ts";

type Subscription = RowOf<"/ops/subscriptions">;
const { subscriptions: own } = words;
const STATUSES = ["active", "trialing", "past_due", "unpaid", "canceled", "incomplete", "paused"];

const columns: readonly Column<Subscription>[] = [
  {
    header: own.title,
    cell: (row) => <RowLink to={`/subscriptions/${row.subscription_id}`}>{row.client_reference_id ?? row.subscription_id}</RowLink>,
  },
  {
    header: texts.payments.status,
    sortBy: (row) => row.status,
    cell: (row) => <Status status={row.state} />,
  },
  { header: words.lists.partner, from: "sm", sortBy: (row) => row.partner_id, cell: (row) => <PartnerLink id={row.partner_id} /> },
  {
    header: own.periodEnd,
    from: "md",
    sortBy: (row) => row.current_period_end,
    cell: (row) => (row.current_period_end === null ? "–" : <MomentText at={row.current_period_end} />),
  },
  { header: own.updated, from: "sm", sortBy: (row) => row.updated_at, cell: (row) => <MomentText at={row.updated_at} /> },
];

/** The subscriptions of all partners. */
export function SubscriptionsPage() {
  const { query, cursor } = useListSearch(["status"], undefined);
  const asked = queryOf<QueryOf<"/ops/subscriptions">>(query);
  const list = api.useQuery("get", "/ops/subscriptions", { params: { query: { ...asked, cursor } } }, keepingPage);
  return (
    <Page title={words.navigation.subscriptions} about={own.about}>
      <Browse
        name="subscriptions"
        label={words.navigation.subscriptions}
        query={list}
        filters={[environmentFilter, partnerFilter, { kind: "choice", name: "status", label: texts.payments.status, choices: STATUSES }]}
        keyOf={(row) => row.subscription_id}
        pageOf={(row) => `/subscriptions/${row.subscription_id}`}
        columns={columns}
        read={async (next) => (await client.GET("/ops/subscriptions", { params: { query: { ...asked, cursor: next } } })).data ?? END}
      />
    </Page>
  );
}
