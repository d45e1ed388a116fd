import { Stack } from "@mantine/core";
import { agents } from "../../objects/agents/list.tsx";
import { confirmations } from "../../objects/confirmations/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { Card } from "../../shared/page.tsx";
import { texts } from "../../texts/index.ts";
import { Action } from "../calls/action.tsx";
import { words } from "../texts.ts";

/** The agents of a partner, and what they asked a person for. */
export const AgentsTab = ({ partner }: { readonly partner: string }) => (
  <Stack>
    <ObjectList
      of={agents}
      only={{ partner }}
      columns={[
        {
          header: texts.keys.actions,
          cell: ({ grant_id: grant, state, client_name }) =>
            ["active", "disabled"].includes(state) && (
              <Action call="grants revoke" given={{ grant }} about={client_name} label={words.agents.revoke} color="red" />
            ),
        },
      ]}
    />
    <Card title={texts.confirmations.title}>
      <ObjectList of={confirmations} only={{ partner }} />
    </Card>
  </Stack>
);
