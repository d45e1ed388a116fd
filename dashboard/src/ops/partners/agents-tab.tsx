import { Empty } from "../../shared/empty.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { PAGE_SIZE, PagedList } from "../../shared/paged-list.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { useSearchTexts } from "../shared/address.ts";
import { PermissionTags } from "../shared/permission-tags.tsx";
import { words } from "../texts.ts";

const { agents: own } = words;

/** Agents that signed in with a partner's keys. */
export function AgentsTab({ partner }: { readonly partner: string }) {
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/ops/partners/{partner}/grants", {
    params: { path: { partner }, query: { limit: PAGE_SIZE, cursor } },
  });
  return (
    <PagedList
      label={words.partners.tabs.agents ?? ""}
      query={query}
      keyOf={(row) => row.grant_id}
      columns={[
        { header: words.partners.name, cell: (row) => row.client_name },
        { header: texts.payments.status, cell: (row) => <Status status={row.revoked_at === null ? "active" : "revoked"} /> },
        { header: own.scope, from: "md", cell: (row) => <PermissionTags permissions={row.permissions} /> },
        { header: words.lists.made, from: "sm", cell: (row) => <MomentText at={row.created_at} /> },
        {
          header: texts.keys.actions,
          cell: (row) =>
            row.revoked_at === null && <Action call="grants revoke" given={{ grant: row.grant_id }} label={own.revoke} color="red" />,
        },
      ]}
      empty={<Empty title={own.none} />}
    />
  );
}
