import { Stack, Text } from "@mantine/core";
import { momentColumn } from "../../shared/columns.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { counted } from "../selection.tsx";
import { eventKinds } from "./event-kinds.ts";

const { webhooks: words } = texts;
const STATES = ["pending", "sending", "succeeded", "exhausted", "suspended", "no_endpoint"];

const eventPageOf = ({ delivery }: { readonly delivery: string }): string => `/events/${delivery}`;

/** Events, with the state of their delivery. */
export const events: ObjectListOf<"/partner/deliveries"> = {
  path: "/partner/deliveries",
  name: "events",
  file: "deliveries",
  label: words.deliveries,
  periodLabel: words.recorded,
  filters: () => [
    { kind: "choice", name: "state", label: texts.common.status, choices: STATES },
    { kind: "choice", name: "event", label: words.event, choices: eventKinds },
    ...periodFilters(),
  ],
  summary: counted(words.count),
  keyOf: (row) => row.delivery,
  pageOf: eventPageOf,
  columns: [
    {
      header: words.event,
      sortBy: (row) => row.type,
      cell: (row) => (
        <Stack gap={2}>
          <RowLink to={eventPageOf(row)}>{row.type}</RowLink>
          <Text size="xs" c="dimmed" className="id clamped" title={row.about ?? row.event}>
            {row.about === null ? row.event : <ObjectLink id={row.about} />}
          </Text>
        </Stack>
      ),
    },
    { header: texts.common.status, from: "sm", sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
    {
      header: words.lastAnswer,
      from: "sm",
      sortBy: (row) => row.last_status,
      cell: (row) => row.last_status ?? (row.last_error === null ? "–" : words.error[row.last_error]),
    },
    {
      header: words.attempts,
      align: "right",
      from: "sm",
      sortBy: (row) => row.attempts,
      cell: (row) => <span className="amount">{row.attempts}</span>,
    },
    { header: words.next, from: "md", cell: (row) => (row.next_attempt_at === null ? "–" : <MomentText at={row.next_attempt_at} />) },
    momentColumn(words.recorded, "created_at", { from: "sm", sort: true }),
  ],
  none: words.none,
  noneNext: words.noneNext,
};
