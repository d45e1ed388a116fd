import { Group } from "@mantine/core";
import { ObjectList } from "../../objects/object-list.tsx";
import { browserName } from "../../shared/browser-name.ts";
import { MomentText } from "../../shared/moment.tsx";
import { Page } from "../../shared/page.tsx";
import { PageLink } from "../../shared/page-link.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { Tag } from "../../shared/tag.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { useDefinitions } from "../api/definitions-query.ts";
import { Action } from "../calls/action.tsx";
import { nameOfCall } from "../calls/names.ts";
import type { OpsListOf } from "../shared/ops-list.ts";
import { useSession } from "../shell/session.ts";
import { words } from "../texts.ts";

const { operators: own } = words;

/** What a person changed. */
const changesOf = (operator: string): string => `/audit?actor=${encodeURIComponent(operator)}`;

const operators: OpsListOf<"/ops/operators"> = {
  path: "/ops/operators",
  name: "operators",
  label: own.title,
  hasEnvironment: false,
  isOfAll: false,
  keyOf: (row) => row.email,
  columns: [
    { header: texts.common.name, cell: (row) => row.email },
    { header: own.roles, cell: (row) => row.roles.join(", ") || "–" },
    { header: words.partners.since, from: "sm", cell: (row) => <MomentText at={row.since} /> },
    { header: own.changes, from: "sm", cell: (row) => <PageLink to={changesOf(row.email)}>{own.changes}</PageLink> },
    {
      header: texts.keys.actions,
      cell: ({ email, roles }) => <Action call="operators set" given={{ email }} initial={{ roles }} label={own.set} />,
    },
  ],
  none: own.none,
};

/** The people who may operate the service, the browsers that are signed in, and what each role may do. */
export const OperatorsPage = () => (
  <Page title={own.title} about={own.about} actions={<Action call="operators set" given={{}} label={own.add} variant="filled" />}>
    <ObjectList of={operators} />
    <Sessions />
    <Roles />
  </Page>
);

function Sessions() {
  const query = api.useQuery("get", "/ops/sessions");
  const { session: current } = useSession();
  return (
    <TableCard
      title={texts.sessions.title}
      about={own.sessionsAbout}
      query={query}
      none={{ title: own.noSessions }}
      keyOf={({ session }) => session}
      columns={[
        {
          header: texts.common.name,
          cell: ({ operator, session }) => (
            <Group gap="xs">
              <PageLink to={changesOf(operator)}>{operator}</PageLink>
              {session === current && <Tag color="accent">{own.thisOne}</Tag>}
            </Group>
          ),
        },
        { header: texts.sessions.browser, from: "sm", cell: ({ browser }) => <span title={browser}>{browserName(browser)}</span> },
        { header: texts.common.lastUsed, cell: ({ last_used_at }) => <MomentText at={last_used_at} /> },
        { header: own.until, from: "sm", cell: ({ expires_at }) => <MomentText at={expires_at} /> },
        { header: texts.keys.actions, cell: ({ session }) => <Action call="sessions end" given={{ session }} label={own.end} /> },
      ]}
    />
  );
}

const ROLES = ["support", "moderation", "admin"] as const;

/** The calls of each role, as they are defined. */
function Roles() {
  const calls = useDefinitions();
  return (
    <TableCard
      title={own.mayDo}
      about={own.mayDoAbout}
      rows={ROLES}
      keyOf={(role) => role}
      columns={[
        { header: own.role, cell: (role) => role },
        { header: own.calls, cell: (role) => calls.flatMap((call) => (call.role === role ? [nameOfCall(call.command)] : [])).join(", ") },
      ]}
    />
  );
}
