import { Group, Stack } from "@mantine/core";
import { keys } from "../../objects/keys/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { texts } from "../../texts/index.ts";
import { Action } from "../calls/action.tsx";
import { CopySummary } from "../shared/copy-summary.tsx";
import { words } from "../texts.ts";

const { keys: own } = words;

/** A partner's keys; never the keys themselves. */
export function KeysTab({ partner }: { readonly partner: string }) {
  return (
    <Stack>
      <Group justify="flex-end">
        <Action call="keys issue" given={{ partner }} label={own.issue} variant="filled" />
      </Group>
      <ObjectList
        of={keys}
        only={{ partner }}
        columns={[
          { header: own.answer, from: "md", cell: ({ summary }) => <CopySummary of={summary} /> },
          {
            header: texts.keys.actions,
            cell: ({ key_id: key, permissions, state, label }) =>
              (state === "active" || state === "disabled") && (
                <Group gap="xs">
                  <Action call="keys permit" given={{ key }} initial={{ permissions }} about={label} label={texts.rights.label} />
                  <Action call="keys revoke" given={{ key }} about={label} label={texts.keys.revoke} color="red" />
                </Group>
              ),
          },
        ]}
      />
    </Stack>
  );
}
