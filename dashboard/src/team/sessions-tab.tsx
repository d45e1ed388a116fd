import { Group, Stack, Text } from "@mantine/core";
import { client } from "../api/client.ts";
import { ObjectList, type ObjectListOf } from "../objects/object-list.tsx";
import { browserName } from "../shared/browser-name.ts";
import { Confirm } from "../shared/confirm.tsx";
import { MomentText } from "../shared/moment.tsx";
import { Note } from "../shared/page.tsx";
import { Tag } from "../shared/tag.tsx";
import { texts } from "../texts/index.ts";

const { sessions: words } = texts;

const sessions: ObjectListOf<"/partner/sessions"> = {
  path: "/partner/sessions",
  name: "sessions",
  label: words.title,
  hasEnvironment: false,
  keyOf: (row) => row.session,
  columns: [
    {
      header: texts.people.name,
      cell: (row) => (
        <Group gap="xs">
          {row.person.name}
          {row.is_this && <Tag color="accent">{words.thisOne}</Tag>}
        </Group>
      ),
    },
    {
      header: words.browser,
      from: "md",
      cell: (row) => (
        <Text size="xs" lineClamp={2} maw={320} title={row.browser}>
          {browserName(row.browser)}
        </Text>
      ),
    },
    { header: texts.common.lastUsed, cell: (row) => <MomentText at={row.last_used_at} /> },
    { header: texts.subscriptions.endsAt, from: "sm", cell: (row) => <MomentText at={row.expires_at} /> },
    {
      header: texts.keys.actions,
      cell: (row) => (
        <Confirm
          label={words.end}
          title={words.endTitle}
          consequence={words.endWhat}
          color="red"
          act={() => client.POST("/partner/sessions/{session}/end", { params: { path: { session: row.session } } })}
        />
      ),
    },
  ],
  none: words.none,
};

/** The open sessions of the partner's people; each can be ended. */
export const SessionsTab = () => (
  <Stack>
    <Note>{words.about}</Note>
    <ObjectList of={sessions} />
  </Stack>
);
