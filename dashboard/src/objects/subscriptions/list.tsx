import { Stack, Text } from "@mantine/core";
import { MomentText } from "../../shared/moment.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import type { ObjectListOf } from "../object-list.tsx";

const { subscriptions: words } = texts;

/** Statuses of the processor. */
const STATUSES = ["active", "trialing", "past_due", "unpaid", "canceled", "incomplete", "paused"];

const moment = (at: string | null) => (at === null ? "–" : <MomentText at={at} />);

/** Subscriptions, in the order of their ids. */
export const subscriptions: ObjectListOf<"/partner/subscriptions"> = {
  path: "/partner/subscriptions",
  name: "subscriptions",
  file: "subscriptions",
  label: words.title,
  filters: () => [{ kind: "choice", name: "status", label: words.status, choices: STATUSES }],
  keyOf: (row) => row.subscription_id,
  pageOf: (row) => `/subscriptions/${row.subscription_id}`,
  columns: [
    {
      header: words.one,
      cell: (row) => (
        <Stack gap={2}>
          <RowLink to={`/subscriptions/${row.subscription_id}`}>
            <span className="id">{row.subscription_id}</span>
          </RowLink>
          {row.client_reference_id !== null && (
            <Text size="xs" c="dimmed">
              {row.client_reference_id}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      header: words.status,
      sortBy: (row) => row.state,
      cell: (row) => (
        <Stack gap={2}>
          <Status status={row.state} />
          {row.ends_at !== null && (
            <Text size="xs" c="dimmed" hiddenFrom="md">
              <MomentText at={row.ends_at} />
            </Text>
          )}
        </Stack>
      ),
    },
    { header: words.periodEnd, from: "sm", sortBy: (row) => row.current_period_end, cell: (row) => moment(row.current_period_end) },
    { header: words.endsAt, from: "md", sortBy: (row) => row.ends_at, cell: (row) => moment(row.ends_at) },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
