import { Stack, Text } from "@mantine/core";
import { MomentText } from "../../shared/moment.tsx";
import { Rights } from "../../shared/rights.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { Maker } from "../created-by.tsx";
import type { ObjectListOf } from "../object-list.tsx";

const { keys: words } = texts;

/** Keys, never the keys themselves. */
export const keys: ObjectListOf<"/partner/keys"> = {
  path: "/partner/keys",
  name: "keys",
  label: words.title,
  filters: () => [],
  hasEnvironment: false,
  isOfAll: false,
  keyOf: (row) => row.key_id,
  columns: [
    {
      header: texts.common.name,
      sortBy: (row) => row.label,
      cell: (row) => (
        <Stack gap={2}>
          <Text size="sm" fw={500}>
            {row.label}
          </Text>
          <Text size="xs" c="dimmed" className="id">
            {row.hint === null ? row.key_id : `…${row.hint}`}
          </Text>
        </Stack>
      ),
    },
    { header: texts.common.status, from: "sm", sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
    { header: texts.rights.label, from: "sm", cell: (row) => <Rights rights={row.permissions} /> },
    { header: texts.links.created, from: "sm", sortBy: (row) => row.created_at, cell: (row) => <MomentText at={row.created_at} /> },
    {
      header: texts.common.expires,
      from: "sm",
      sortBy: (row) => row.expires_at,
      cell: (row) => (row.expires_at === null ? texts.common.never : <MomentText at={row.expires_at} />),
    },
    { header: texts.audit.createdBy, from: "sm", cell: (row) => <Maker id={row.made_by} /> },
    {
      header: texts.common.lastUsed,
      from: "sm",
      sortBy: (row) => row.last_used_at,
      cell: (row) => (row.last_used_at === null ? texts.common.never : <MomentText at={row.last_used_at} />),
    },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
