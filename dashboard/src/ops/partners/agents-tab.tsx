import { agents } from "../../objects/agents/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { texts } from "../../texts/index.ts";
import { Action } from "../calls/action.tsx";
import { words } from "../texts.ts";

/** The agents of a partner. */
export const AgentsTab = ({ partner }: { readonly partner: string }) => (
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
);
