import { Group, Text } from "@mantine/core";
import type { Column } from "../../shared/data-table.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import type { RowOf } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { CopySummary } from "../shared/copy-summary.tsx";
import { words } from "../texts.ts";

type Endpoint = RowOf<"/ops/endpoints">;
const { webhooks: own } = words;

/** A webhook with its trouble and what can be done about it. */
export const webhookColumns: readonly Column<Endpoint>[] = [
  {
    header: texts.webhooks.url,
    cell: (row) => (
      <>
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {row.webhook_url}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {texts.environment[row.environment]}
          {row.contact === null ? "" : ` · ${row.contact}`}
        </Text>
      </>
    ),
  },
  { header: texts.common.status, cell: (row) => <Status status={row.state} /> },
  { header: own.trouble, from: "sm", cell: (row) => <Trouble endpoint={row} /> },
  { header: words.keys.answer, from: "lg", cell: (row) => <CopySummary of={row.summary} /> },
  { header: texts.keys.actions, cell: (row) => <WebhookActions endpoint={row} /> },
];

function Trouble({
  endpoint: { failing_since, cooldown_until, suspended_at, suspension_reason, undelivered },
}: {
  readonly endpoint: Endpoint;
}) {
  const counts = Object.entries(undelivered ?? {}).map(
    ([state, count]) => `${count.toLocaleString()} ${(texts.status[state] ?? state).toLowerCase()}`,
  );
  return (
    <Text size="xs" component="div">
      {suspended_at !== null && (
        <div>
          {own.suspended} <MomentText at={suspended_at} /> {suspension_reason !== null && `(${suspension_reason.replaceAll("_", " ")})`}
        </div>
      )}
      {failing_since !== null && (
        <div>
          {own.failing} <MomentText at={failing_since} />
        </div>
      )}
      {cooldown_until !== null && (
        <div>
          {own.cooldown} <MomentText at={cooldown_until} />
        </div>
      )}
      {counts.length > 0 && (
        <div>
          {texts.webhooks.waiting}: {counts.join(", ")}
        </div>
      )}
    </Text>
  );
}

/** Only what makes sense in the webhook's state. */
function WebhookActions({ endpoint: { id, state, suspension_reason, undelivered } }: { readonly endpoint: Endpoint }) {
  // Its partner registers it again, or is enabled first.
  if (suspension_reason === "unregistered" || suspension_reason === "partner_disabled") return null;
  return (
    <Group gap="xs">
      {state === "suspended" ? (
        <Action call="endpoints resume" given={{ id }} label={texts.webhooks.resume} isImmediate />
      ) : (
        <>
          {(undelivered?.exhausted ?? 0) > 0 && <Action call="endpoints send-exhausted" given={{ id }} label={own.resend} />}
          <Action call="endpoints send-again" given={{ id }} label={own.again} />
          <Action call="endpoints suspend" given={{ id }} label={own.suspend} />
        </>
      )}
    </Group>
  );
}
