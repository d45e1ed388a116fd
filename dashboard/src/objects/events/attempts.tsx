import { Code, Group, Stack, Text } from "@mantine/core";
import type { AnswerOf } from "../../api/paths.ts";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";

type Shown = AnswerOf<"/partner/deliveries/{event}">;

const { webhooks: words } = texts;

/** Every attempt to deliver an event, the newest first, and when the next one is. */
export function Attempts({ attempts, next }: { readonly attempts: Shown["attempt_list"]; readonly next: string | null }) {
  return (
    <Stack gap="sm">
      {attempts.length === 0 ? (
        <Empty title={words.noAttempts} next={words.noAttemptsNext} />
      ) : (
        <DataTable
          label={words.attempts}
          rows={attempts.toReversed()}
          keyOf={({ number, at }) => `${number} ${at}`}
          columns={[
            { header: words.number, from: "sm", cell: ({ number, manual }) => (manual ? words.manual(number) : number) },
            { header: texts.common.at, from: "sm", cell: ({ at }) => <MomentText at={at} /> },
            {
              header: words.answered,
              cell: ({ status, error, answer }) => (
                <Stack gap={4}>
                  <Group gap="xs">
                    <Status status={error === null ? "succeeded" : "failed"} />
                    <span>{status === null ? error && words.error[error] : `HTTP ${status}`}</span>
                  </Group>
                  {answer === null || answer === "" ? null : (
                    <Code block mah={120} style={{ overflow: "auto", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }} tabIndex={0}>
                      {answer}
                    </Code>
                  )}
                </Stack>
              ),
            },
            {
              header: words.duration,
              align: "right",
              from: "sm",
              cell: ({ duration_ms }) => <span className="amount">{duration_ms} ms</span>,
            },
          ]}
        />
      )}
      {next !== null && (
        <Text size="sm">
          {words.nextAttempt} <MomentText at={next} />
        </Text>
      )}
    </Stack>
  );
}
