import { Stack, Text } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { api, client } from "../api/client.ts";
import { refreshAll } from "../api/queries.ts";
import { Confirm } from "../shared/confirm.tsx";
import { Empty } from "../shared/empty.tsx";
import { MomentText } from "../shared/moment.tsx";
import { PAGE_SIZE, PagedList } from "../shared/paged-list.tsx";
import { Rights } from "../shared/rights.tsx";
import { Status } from "../shared/status.tsx";
import { texts } from "../texts/index.ts";

const { agents: words } = texts;

/** The agents that signed in with one of the partner's keys. */
export function AgentsTab() {
  const { cursor } = useSearch({ from: "__root__" });
  const query = api.useQuery("get", "/partner/agents", {
    params: { query: { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) } },
  });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {words.about}
      </Text>
      <PagedList
        label={words.title}
        query={query}
        keyOf={(row) => row.grant_id}
        columns={[
          { header: words.name, cell: (row) => row.client_name },
          { header: words.status, cell: (row) => <Status status={row.revoked_at === null ? "active" : "revoked"} /> },
          { header: texts.rights.label, from: "md", cell: (row) => <Rights rights={row.permissions} /> },
          { header: words.environments, from: "lg", cell: (row) => row.environments.map((one) => texts.environment[one]).join(", ") },
          {
            header: words.lastUsed,
            from: "sm",
            cell: (row) => (row.last_used_at === null ? texts.keys.never : <MomentText at={row.last_used_at} />),
          },
          {
            header: texts.keys.actions,
            cell: (row) =>
              row.revoked_at === null ? (
                <Confirm
                  label={words.revoke}
                  title={words.revokeTitle(row.client_name)}
                  consequence={words.revokeWhat}
                  color="red"
                  act={async () => {
                    await client.POST("/partner/agents/{grant}/revoke", { params: { path: { grant: row.grant_id } } });
                    await refreshAll();
                  }}
                />
              ) : null,
          },
        ]}
        empty={<Empty title={words.none} next={words.noneNext} />}
      />
    </Stack>
  );
}
