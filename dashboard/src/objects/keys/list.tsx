import { Stack, Text } from "@mantine/core";
import { momentColumn } from "../../shared/columns.tsx";
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
    momentColumn(texts.common.expires, "expires_at", { from: "sm", none: texts.common.never }),
    { header: texts.audit.createdBy, from: "sm", cell: (row) => <Maker id={row.made_by} /> },
    momentColumn(texts.common.lastUsed, "last_used_at", { from: "sm", none: texts.common.never }),
  ],
  none: words.none,
  noneNext: words.noneNext,
};
