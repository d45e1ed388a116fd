import { Stack, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { AuditChange } from "../shared/audit-change.tsx";
import { Empty } from "../shared/empty.tsx";
import { Filters } from "../shared/filters.tsx";
import { MomentText } from "../shared/moment.tsx";
import { ObjectLink } from "../shared/object-link.tsx";
import { PAGE_SIZE, PagedList } from "../shared/paged-list.tsx";
import { texts } from "../texts/index.ts";

const route = getRouteApi("/shell/team");
const { audit: words } = texts;

/** Who changed what, from what to what. */
export function AuditTab() {
  const { cursor, target, since } = route.useSearch();
  const filter = { ...(target === undefined ? {} : { target }), ...(since === undefined ? {} : { since }) };
  const query = api.useQuery(
    "get",
    "/partner/audit",
    { params: { query: { limit: PAGE_SIZE, ...filter, ...(cursor === undefined ? {} : { cursor }) } } },
    { placeholderData: keepPreviousData },
  );
  const people = api.useQuery("get", "/partner/people", { params: { query: { limit: 100 } } });
  return (
    <Stack>
      <Filters
        filters={[
          { kind: "text", name: "target", label: words.target },
          { kind: "date", name: "since", label: texts.list.since },
        ]}
      />
      <PagedList
        label={words.title}
        query={query}
        keyOf={(row) => `${row.at} ${row.action} ${row.target} ${row.request_id}`}
        columns={[
          {
            header: words.action,
            cell: (row) => (
              <Stack gap={2}>
                <Text size="sm" fw={500}>
                  {words.actionOf(row.action)}
                </Text>
                <Text size="xs" component="div">
                  <ObjectLink id={row.target} />
                </Text>
              </Stack>
            ),
          },
          { header: words.actor, cell: (row) => nameOf(row.actor, people.data?.data ?? []) },
          { header: words.change, from: "md", cell: (row) => <AuditChange before={row.before} after={row.after} /> },
          { header: words.at, from: "sm", cell: (row) => <MomentText at={row.at} /> },
        ]}
        empty={<Empty title={words.none} />}
      />
    </Stack>
  );
}

/** The person behind an actor of the log, if the actor is one of the partner's people. */
function nameOf(actor: string, people: readonly { readonly id: string; readonly name: string }[]): string {
  return people.find(({ id }) => actor === `person ${id}`)?.name ?? actor;
}
