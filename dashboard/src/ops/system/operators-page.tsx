import { Group, Text } from "@mantine/core";
import { PAGE_SIZE } from "../../objects/list-query.ts";
import { browserName } from "../../shared/browser-name.ts";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Card, Page } from "../../shared/page.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { Tag } from "../../shared/tag.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { useDefinitions } from "../api/definitions-query.ts";
import { Action } from "../calls/action.tsx";
import { nameOfCall } from "../calls/names.ts";
import { useSession } from "../shell/session.ts";
import { words } from "../texts.ts";

const { operators: own } = words;

/** What a person changed. */
const changesOf = (operator: string): string => `/audit?actor=${encodeURIComponent(operator)}`;

/** The people who may operate the service, the browsers that are signed in, and what each role may do. */
export function OperatorsPage() {
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/ops/operators", { params: { query: { limit: PAGE_SIZE, cursor } } });
  return (
    <Page title={own.title} about={own.about} actions={<Action call="operators set" given={{}} label={own.add} variant="filled" />}>
      <PagedList
        label={own.title}
        query={query}
        keyOf={(row) => row.email}
        columns={[
          { header: words.partners.name, cell: (row) => row.email },
          { header: own.roles, cell: (row) => row.roles.join(", ") || "–" },
          { header: words.partners.since, from: "sm", cell: (row) => <MomentText at={row.since} /> },
          { header: own.changes, from: "sm", cell: (row) => <RowLink to={changesOf(row.email)}>{own.changes}</RowLink> },
          {
            header: texts.keys.actions,
            cell: ({ email, roles }) => <Action call="operators set" given={{ email }} initial={{ roles }} label={own.set} />,
          },
        ]}
        empty={<Empty title={own.none} />}
      />
      <Sessions />
      <Roles />
    </Page>
  );
}

function Sessions() {
  const { data } = api.useQuery("get", "/ops/sessions");
  const { session: current } = useSession();
  if (data === undefined) return null;
  return (
    <Card title={own.sessions}>
      <Text size="sm" c="dimmed">
        {own.sessionsAbout}
      </Text>
      {data.data.length === 0 && <Empty title={own.noSessions} />}
      {data.data.length > 0 && (
        <DataTable
          label={own.sessions}
          rows={data.data}
          keyOf={({ session }) => session}
          columns={[
            {
              header: words.partners.name,
              cell: ({ operator, session }) => (
                <Group gap="xs">
                  <RowLink to={changesOf(operator)}>{operator}</RowLink>
                  {session === current && <Tag color="accent">{own.thisOne}</Tag>}
                </Group>
              ),
            },
            { header: own.browser, from: "sm", cell: ({ browser }) => <span title={browser}>{browserName(browser)}</span> },
            { header: own.lastUsed, cell: ({ last_used_at }) => <MomentText at={last_used_at} /> },
            { header: own.until, from: "sm", cell: ({ expires_at }) => <MomentText at={expires_at} /> },
            { header: texts.keys.actions, cell: ({ session }) => <Action call="sessions end" given={{ session }} label={own.end} /> },
          ]}
        />
      )}
    </Card>
  );
}

const ROLES = ["support", "moderation", "admin"] as const;

/** The calls of each role, as they are defined. */
function Roles() {
  const calls = useDefinitions();
  return (
    <Card title={own.mayDo}>
      <Text size="sm" c="dimmed">
        {own.mayDoAbout}
      </Text>
      <DataTable
        label={own.mayDo}
        rows={ROLES}
        keyOf={(role) => role}
        columns={[
          { header: own.role, cell: (role) => role },
          { header: own.calls, cell: (role) => calls.flatMap((call) => (call.role === role ? [nameOfCall(call.command)] : [])).join(", ") },
        ]}
      />
    </Card>
  );
}
