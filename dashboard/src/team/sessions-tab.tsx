import { Group, Stack, Text } from "@mantine/core";
import { api, client } from "../api/client.ts";
import { PAGE_SIZE } from "../objects/list-query.ts";
import { browserName } from "../shared/browser-name.ts";
import { Confirm } from "../shared/confirm.tsx";
import { Empty } from "../shared/empty.tsx";
import { MomentText } from "../shared/moment.tsx";
import { PagedList } from "../shared/paged-list.tsx";
import { useSearchTexts } from "../shared/search-texts.ts";
import { Tag } from "../shared/tag.tsx";
import { texts } from "../texts/index.ts";

const { sessions: words } = texts;

/** The open sessions of the partner's people; each can be ended. */
export function SessionsTab() {
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/partner/sessions", {
    params: { query: { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) } },
  });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {words.about}
      </Text>
      <PagedList
        label={words.title}
        query={query}
        keyOf={(row) => row.session}
        columns={[
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
          { header: words.until, from: "sm", cell: (row) => <MomentText at={row.expires_at} /> },
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
        ]}
        empty={<Empty title={words.none} />}
      />
    </Stack>
  );
}
