import { Group, Stack } from "@mantine/core";
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

const { keys: own } = words;

/** A partner's keys; never the keys themselves. */
export function KeysTab({ partner }: { readonly partner: string }) {
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/ops/partners/{partner}/keys", { params: { path: { partner }, query: { limit: PAGE_SIZE, cursor } } });
  return (
    <Stack>
      <Group justify="flex-end">
        <Action call="keys issue" given={{ partner }} label={own.issue} variant="filled" />
      </Group>
      <PagedList
        label={words.partners.tabs.keys ?? ""}
        query={query}
        keyOf={(row) => row.key_id}
        columns={[
          {
            header: words.partners.name,
            cell: (row) => (
              <>
                {row.label} <span className="id dimmed">{row.hint === null ? row.key_id : `…${row.hint}`}</span>
              </>
            ),
          },
          { header: texts.payments.status, cell: (row) => <Status status={row.state} /> },
          { header: texts.rights.label, from: "md", cell: (row) => <PermissionTags permissions={row.permissions} /> },
          {
            header: own.lastUsed,
            from: "sm",
            sortBy: (row) => row.last_used_at,
            cell: (row) => (row.last_used_at === null ? own.never : <MomentText at={row.last_used_at} />),
          },
          {
            header: texts.keys.actions,
            cell: ({ key_id, permissions, ...row }) =>
              (row.state === "active" || row.state === "disabled") && (
                <Group gap="xs">
                  <Action call="keys permit" given={{ key: key_id }} initial={{ permissions }} label={own.permit} />
                  <Action call="keys revoke" given={{ key: key_id }} label={own.revoke} color="red" />
                </Group>
              ),
          },
        ]}
        empty={<Empty title={own.none} />}
      />
    </Stack>
  );
}
