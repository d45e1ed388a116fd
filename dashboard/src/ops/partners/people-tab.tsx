import { Group, Stack } from "@mantine/core";
import { ObjectList } from "../../objects/object-list.tsx";
import { people } from "../../objects/people/list.tsx";
import { texts } from "../../texts/index.ts";
import { Action } from "../calls/action.tsx";
import { words } from "../texts.ts";

const { people: own } = words;

/** A partner's people. */
export function PeopleTab({ partner }: { readonly partner: string }) {
  return (
    <Stack>
      <Group justify="flex-end">
        <Action call="employees add" given={{ partner }} label={own.add} variant="filled" />
      </Group>
      <ObjectList
        of={people}
        only={{ partner }}
        columns={[
          {
            header: texts.keys.actions,
            cell: ({ id: person, state, permissions, name }) =>
              state === "disabled" ? (
                <Action call="employees enable" given={{ person }} label={texts.links.enable} isImmediate />
              ) : (
                <Group gap="xs">
                  <Action call="employees invite" given={{ person }} about={name} label={own.invite} />
                  <Action call="employees permit" given={{ person }} initial={{ permissions }} about={name} label={texts.rights.label} />
                  <Action call="employees disable" given={{ person }} about={name} label={texts.links.disable} />
                </Group>
              ),
          },
        ]}
      />
    </Stack>
  );
}
