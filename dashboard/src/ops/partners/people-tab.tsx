import { Group, Stack } from "@mantine/core";
import { Empty } from "../../shared/empty.tsx";
import { PAGE_SIZE, PagedList } from "../../shared/paged-list.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api, type RowOf } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { useSearchTexts } from "../shared/address.ts";
import { PermissionTags } from "../shared/permission-tags.tsx";
import { words } from "../texts.ts";

type Person = RowOf<"/ops/partners/{partner}/employees">;
const { people: own } = words;

function stateOf({ status, passkeys, invited_until }: Person): string {
  if (status === "disabled") return "disabled";
  if (passkeys > 0) return "active";
  return invited_until === null ? "no_passkey" : "invited";
}

/** A partner's people. */
export function PeopleTab({ partner }: { readonly partner: string }) {
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/ops/partners/{partner}/employees", {
    params: { path: { partner }, query: { limit: PAGE_SIZE, cursor } },
  });
  return (
    <Stack>
      <Group justify="flex-end">
        <Action call="employees add" given={{ partner }} label={own.add} variant="filled" />
      </Group>
      <PagedList
        label={words.partners.tabs.people ?? ""}
        query={query}
        keyOf={(row) => row.id}
        columns={[
          { header: words.partners.name, sortBy: (row) => row.name, cell: (row) => row.name },
          { header: texts.payments.status, cell: (row) => <Status status={stateOf(row)} /> },
          { header: texts.rights.label, from: "md", cell: (row) => <PermissionTags permissions={row.permissions} /> },
          {
            header: texts.keys.actions,
            cell: ({ id, status, permissions }) => (
              <Group gap="xs">
                {status === "active" && <Action call="employees invite" given={{ person: id }} label={own.invite} />}
                {status === "active" && (
                  <Action call="employees permit" given={{ person: id }} initial={{ permissions }} label={own.permit} />
                )}
                <Action
                  call={status === "active" ? "employees disable" : "employees enable"}
                  given={{ person: id }}
                  label={status === "active" ? own.disable : own.enable}
                  isImmediate={status !== "active"}
                />
              </Group>
            ),
          },
        ]}
        empty={<Empty title={own.none} />}
      />
    </Stack>
  );
}
