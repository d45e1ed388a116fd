import { Group, Stack } from "@mantine/core";
import { client } from "../api/client.ts";
import { agents } from "../objects/agents/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { Confirm } from "../shared/confirm.tsx";
import { Note } from "../shared/page.tsx";
import { texts } from "../texts/index.ts";
import { WaitingRules } from "./waiting-rules.tsx";

const { agents: words } = texts;

/** The agents that signed in with one of the partner's keys. */
export function AgentsTab() {
  return (
    <Stack>
      <Note>{words.about}</Note>
      <ObjectList
        of={agents}
        columns={[
          {
            header: texts.keys.actions,
            cell: (row) =>
              row.state === "active" || row.state === "disabled" ? (
                <Group gap="xs">
                  <WaitingRules agent={row} />
                  <Confirm
                    label={texts.keys.revoke}
                    of={row.client_name}
                    title={words.revokeTitle(row.client_name)}
                    consequence={words.revokeWhat}
                    color="red"
                    act={() => client.POST("/partner/agents/{grant}/revoke", { params: { path: { grant: row.grant_id } } })}
                  />
                </Group>
              ) : null,
          },
        ]}
      />
    </Stack>
  );
}
