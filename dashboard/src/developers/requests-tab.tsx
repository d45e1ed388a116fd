import { Stack, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { Empty } from "../shared/empty.tsx";
import { Filters } from "../shared/filters.tsx";
import { MomentText } from "../shared/moment.tsx";
import { ObjectLink } from "../shared/object-link.tsx";
import { PAGE_SIZE, PagedList } from "../shared/paged-list.tsx";
import { queryOf } from "../shared/query.ts";
import { RowLink } from "../shared/row-link.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

type RequestsQuery = NonNullable<paths["/partner/requests"]["get"]["parameters"]["query"]>;

const route = getRouteApi("/shell/developers");
const { requests: words } = texts;

const requestPageOf = ({ request }: { readonly request: string | null }) => (request === null ? null : `/developers/requests/${request}`);

/** What was asked, what was refused, and how to correct it. */
export function RequestsTab() {
  const { environment } = useEnvironment();
  const { cursor, outcome, since } = route.useSearch();
  const filter = { ...(outcome === undefined ? {} : { outcome }), ...(since === undefined ? {} : { since }) };
  const query = api.useQuery(
    "get",
    "/partner/requests",
    { params: { query: queryOf<RequestsQuery>({ environment, limit: PAGE_SIZE, ...filter, cursor }) } },
    { placeholderData: keepPreviousData },
  );
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {words.about}
      </Text>
      <Filters
        filters={[
          { kind: "choice", name: "outcome", label: words.outcome, choices: ["created", "refused"] },
          { kind: "date", name: "since", label: texts.list.since },
        ]}
      />
      <PagedList
        label={words.title}
        query={query}
        keyOf={(row) => `${row.at} ${row.request} ${row.created}`}
        pageOf={requestPageOf}
        columns={[
          {
            header: words.operation,
            cell: (row) => {
              const to = requestPageOf(row);
              return (
                <Stack gap={2}>
                  {to === null ? row.operation : <RowLink to={to}>{row.operation}</RowLink>}
                  {row.message !== null && (
                    <Text size="xs" c="dimmed" lineClamp={2}>
                      {row.message}
                    </Text>
                  )}
                </Stack>
              );
            },
          },
          { header: words.outcome, cell: (row) => <Status status={row.outcome} /> },
          {
            header: words.code,
            from: "md",
            cell: (row) => (row.created === null ? <span className="id">{row.code ?? ""}</span> : <ObjectLink id={row.created} />),
          },
          { header: words.at, from: "sm", cell: (row) => <MomentText at={row.at} /> },
        ]}
        empty={
          <Empty
            title={Object.keys(filter).length > 0 ? texts.list.noMatchTitle : words.none}
            next={Object.keys(filter).length > 0 ? texts.list.noMatch : words.noneNext}
          />
        }
      />
    </Stack>
  );
}
