import { Stack, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import type { Column } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Filters } from "../shared/filters.tsx";
import { MomentText } from "../shared/moment.tsx";
import { Page } from "../shared/page.tsx";
import { PAGE_SIZE, PagedList } from "../shared/paged-list.tsx";
import { RowLink } from "../shared/row-link.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

export type Subscription = paths["/partner/subscriptions/{subscription}"]["get"]["responses"]["200"]["content"]["application/json"];

const route = getRouteApi("/shell/subscriptions");
const { subscriptions: words } = texts;

/** Statuses of the processor. */
const STATUSES = ["active", "trialing", "past_due", "unpaid", "canceled", "incomplete", "paused"];

/** The status for the eye: a subscription whose end is scheduled is still active, and about to end. */
export const shownStatusOf = ({ status, cancel_at_period_end, cancel_at }: Subscription): string =>
  status !== "canceled" && (cancel_at_period_end || cancel_at !== null) ? "ending" : status;

const columns: readonly Column<Subscription>[] = [
  {
    header: words.one,
    cell: (row) => (
      <Stack gap={2}>
        <RowLink to={`/subscriptions/${row.subscription_id}`}>
          <span className="id">{row.subscription_id}</span>
        </RowLink>
        {row.client_reference_id !== null && (
          <Text size="xs" c="dimmed">
            {row.client_reference_id}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    header: words.status,
    cell: (row) => (
      <Stack gap={2}>
        <Status status={shownStatusOf(row)} />
        {row.cancel_at !== null && (
          <Text size="xs" c="dimmed" hiddenFrom="md">
            <MomentText at={row.cancel_at} />
          </Text>
        )}
      </Stack>
    ),
  },
  {
    header: words.periodEnd,
    from: "sm",
    cell: (row) => (row.current_period_end === null ? "–" : <MomentText at={row.current_period_end} />),
  },
  { header: words.endsAt, from: "md", cell: (row) => (row.cancel_at === null ? "–" : <MomentText at={row.cancel_at} />) },
];

/** The subscriptions of an environment. */
export function SubscriptionsPage() {
  const { environment } = useEnvironment();
  const { cursor, status } = route.useSearch();
  const query = api.useQuery(
    "get",
    "/partner/subscriptions",
    {
      params: {
        query: {
          environment,
          limit: PAGE_SIZE,
          ...(status === undefined ? {} : { status }),
          ...(cursor === undefined ? {} : { cursor }),
        },
      },
    },
    { placeholderData: keepPreviousData },
  );
  return (
    <Page title={words.title} about={words.about}>
      <Filters filters={[{ kind: "choice", name: "status", label: words.status, choices: STATUSES }]} />
      <PagedList
        label={words.title}
        query={query}
        columns={columns}
        keyOf={(row) => row.subscription_id}
        pageOf={(row) => `/subscriptions/${row.subscription_id}`}
        empty={
          <Empty
            title={status === undefined ? words.none : texts.list.noMatchTitle}
            next={status === undefined ? words.noneNext : texts.list.noMatch}
          />
        }
      />
    </Page>
  );
}
