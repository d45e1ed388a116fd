import { Stack, Text } from "@mantine/core";
import { AuditChange } from "../../shared/audit-change.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { texts } from "../../texts/index.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { sentenceOf } from "./sentence.ts";

const { audit: words } = texts;

/** Who changed what, from what to what. `nameOf`: the person behind an actor of the log; `wordsOf`: what was done, by action. */
export const auditLog = (
  nameOf: (actor: string) => string,
  wordsOf?: Readonly<Record<string, string>>,
): ObjectListOf<"/partner/audit"> => ({
  path: "/partner/audit",
  name: "audit",
  file: "audit",
  hasChoice: false,
  label: words.title,
  filters: () => [{ kind: "text", name: "target", label: words.target }, ...periodFilters()],
  hasEnvironment: false,
  keyOf: (row) => `${row.at} ${row.action} ${row.target} ${row.request_id}`,
  columns: [
    {
      header: words.action,
      cell: (row) => (
        <Stack gap={2}>
          <Text size="sm" fw={500}>
            {sentenceOf(row, nameOf, wordsOf)}
          </Text>
          <Text size="xs" component="div">
            <ObjectLink id={row.target} />
          </Text>
        </Stack>
      ),
    },
    { header: words.actor, from: "sm", sortBy: (row) => row.actor, cell: (row) => nameOf(row.actor) },
    { header: words.change, from: "md", cell: (row) => <AuditChange before={row.before} after={row.after} /> },
    { header: texts.common.at, from: "sm", sortBy: (row) => row.at, cell: (row) => <MomentText at={row.at} /> },
  ],
  none: words.none,
});
