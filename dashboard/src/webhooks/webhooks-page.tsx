import { Stack, Tabs, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import type { Column } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { Filters } from "../shared/filters.tsx";
import { MomentText } from "../shared/moment.tsx";
import { Page } from "../shared/page.tsx";
import { PAGE_SIZE, PagedList } from "../shared/paged-list.tsx";
import { queryOf } from "../shared/query.ts";
import { RowLink } from "../shared/row-link.tsx";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { ChatCard } from "./chat-card.tsx";
import { EndpointCard } from "./endpoint-card.tsx";
import { eventKinds } from "./event-kinds.ts";

type Delivery = paths["/partner/deliveries"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];
type DeliveriesQuery = NonNullable<paths["/partner/deliveries"]["get"]["parameters"]["query"]>;

const route = getRouteApi("/shell/webhooks");
const { webhooks: words } = texts;
const STATES = ["pending", "sending", "succeeded", "exhausted", "suspended", "no_endpoint"];

export const deliveryPageOf = ({ event }: Pick<Delivery, "event">): string => `/webhooks/deliveries/${event}`;

const columns: readonly Column<Delivery>[] = [
  {
    header: words.event,
    cell: (row) => (
      <Stack gap={2}>
        <RowLink to={deliveryPageOf(row)}>{row.type}</RowLink>
        <Text size="xs" c="dimmed" className="id" visibleFrom="sm">
          {row.event}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          <MomentText at={row.created_at} />
        </Text>
      </Stack>
    ),
  },
  { header: words.state, cell: (row) => <Status status={row.state} /> },
  { header: words.attempts, align: "right", from: "sm", cell: (row) => <span className="amount">{row.attempts}</span> },
  { header: words.next, from: "md", cell: (row) => (row.next_attempt_at === null ? "–" : <MomentText at={row.next_attempt_at} />) },
  { header: words.recorded, from: "sm", cell: (row) => <MomentText at={row.created_at} /> },
];

/** The webhook of an environment, and its deliveries. */
export function WebhooksPage() {
  const { environment } = useEnvironment();
  const { cursor, state, event, since, until } = route.useSearch();
  const filter = queryOf<DeliveriesQuery>({ state, event, since, until });
  const webhooks = api.useQuery("get", "/partner/webhooks");
  const query = api.useQuery(
    "get",
    "/partner/deliveries",
    { params: { query: queryOf<DeliveriesQuery>({ environment, limit: PAGE_SIZE, ...filter, cursor }) } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Page title={words.title} about={words.about}>
      {webhooks.data === undefined &&
        (webhooks.error ? <Failure thrown={webhooks.error} retry={() => void webhooks.refetch()} /> : <RowsSkeleton />)}
      {webhooks.data !== undefined && (
        <EndpointCard
          key={environment}
          environment={environment}
          endpoint={webhooks.data.data.find((one) => one.environment === environment) ?? null}
        />
      )}
      <Tabs defaultValue="deliveries" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="deliveries">{words.deliveries}</Tabs.Tab>
          <Tabs.Tab value="chat">{texts.chat.title}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          <Stack gap="sm">
            <Filters
              filters={[
                { kind: "choice", name: "state", label: words.state, choices: STATES },
                { kind: "choice", name: "event", label: words.event, choices: eventKinds },
                { kind: "date", name: "since", label: texts.list.since },
                { kind: "date", name: "until", label: texts.list.until },
              ]}
            />
            <PagedList
              label={words.deliveries}
              query={query}
              columns={columns}
              keyOf={(row) => row.event}
              pageOf={deliveryPageOf}
              empty={
                <Empty
                  title={Object.keys(filter).length > 0 ? texts.list.noMatchTitle : words.none}
                  next={Object.keys(filter).length > 0 ? texts.list.noMatch : words.noneNext}
                />
              }
            />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="chat">
          <ChatCard />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
