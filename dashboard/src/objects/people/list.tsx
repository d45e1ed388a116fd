import { Text } from "@mantine/core";
import { Rights } from "../../shared/rights.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import type { ObjectListOf } from "../object-list.tsx";

const { people: words } = texts;

/** The people of a partner. */
export const people: ObjectListOf<"/partner/people"> = {
  path: "/partner/people",
  name: "people",
  label: words.title,
  hasEnvironment: false,
  isOfAll: false,
  keyOf: (row) => row.id,
  columns: [
    {
      header: words.name,
      sortBy: (row) => row.name,
      cell: (row) => (
        <Text size="sm" fw={500}>
          {row.name}
        </Text>
      ),
    },
    { header: texts.common.status, from: "sm", sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
    { header: texts.rights.label, from: "sm", cell: (row) => <Rights rights={row.permissions} /> },
  ],
  none: words.none,
};
