import { Accordion, Button, Code, Group, Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { messageOf, statusOf } from "../api/failure.ts";
import { refreshAll } from "../api/queries.ts";
import type { paths } from "../api/schema.d.ts";
import { Copied, Copy } from "../shared/copy.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Facts } from "../shared/facts.tsx";
import { Failure } from "../shared/failure.tsx";
import { MomentText, MomentWithUtc } from "../shared/moment.tsx";
import { NotFound } from "../shared/not-found.tsx";
import { ObjectLink } from "../shared/object-link.tsx";
import { Card, Page } from "../shared/page.tsx";
import { shellQuote } from "../shared/shell-quote.ts";
import { PageSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { Tag } from "../shared/tag.tsx";
import { useEnvironmentOf } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { Outcome } from "./test-event-form.tsx";

type Shown = paths["/partner/deliveries/{event}"]["get"]["responses"]["200"]["content"]["application/json"];
type Resent = paths["/partner/deliveries/{event}/resend"]["post"]["responses"]["200"]["content"]["application/json"];

const route = getRouteApi("/shell/webhooks/deliveries/$event");
const { webhooks: words } = texts;

/** One event: its body, every attempt with what the receiver answered, and a resend. */
export function DeliveryPage() {
  const { event } = route.useParams();
  const { data, error, refetch } = api.useQuery("get", "/partner/deliveries/{event}", { params: { path: { event } } });
  const [resent, setResent] = useState<Resent | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEnvironmentOf(data);
  if (data === undefined) {
    if (statusOf(error) === 404) return <NotFound />;
    return error ? <Failure thrown={error} retry={() => void refetch()} /> : <PageSkeleton />;
  }
  const isTest = data.message.test_event === true;
  const resend = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const answer = await client.POST("/partner/deliveries/{event}/resend", { params: { path: { event } } });
      setResent(answer.data ?? null);
      await refreshAll();
    } catch (thrown) {
      setFailure(messageOf(thrown));
    }
    setBusy(false);
  };
  return (
    <Page
      back={{ to: "/webhooks", label: words.title }}
      title={data.type.replaceAll(".", ".\u200B")}
      about={
        <Group gap="xs">
          <Status status={data.state} />
          {isTest && <Tag color="accent">{words.isTest}</Tag>}
          <Copied value={event} what={words.eventId} />
        </Group>
      }
      actions={
        <Button size="xs" loading={isBusy} onClick={() => void resend()}>
          {words.resend}
        </Button>
      }
    >
      {failure !== null && <Failure thrown={new Error(failure)} />}
      {resent !== null && <Outcome attempt={resent.attempt} isAccepted={resent.success} />}
      <Card title={words.attempts}>
        <Attempts attempts={data.attempt_list} next={data.next_attempt_at} />
      </Card>
      <Card title={texts.payments.facts}>
        <Facts
          facts={[
            [words.recorded, <MomentWithUtc key="at" at={data.created_at} />],
            [
              words.sentTo,
              data.request.url === null ? words.nothingRegistered : <Copied key="url" value={data.request.url} what={words.url} />,
            ],
            ...(isTest ? [] : objectsIn(data.message)).map(([name, id]) => [name, <ObjectLink key={id} id={id} />] as const),
          ]}
        />
      </Card>
      <Card title={words.body} actions={<Copy value={data.request.body} what={words.body} />}>
        <Code block tabIndex={0} mah={420} style={{ overflow: "auto" }}>
          {JSON.stringify(data.message, null, 2)}
        </Code>
      </Card>
      <Headers request={data.request} />
    </Page>
  );
}

function Attempts({ attempts, next }: { readonly attempts: Shown["attempt_list"]; readonly next: string | null }) {
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
            {
              header: words.number,
              from: "sm",
              cell: ({ number, manual }) => (manual ? words.manual(number) : number),
            },
            { header: words.at, from: "sm", cell: ({ at }) => <MomentText at={at} /> },
            {
              header: words.answered,
              cell: ({ number, at, status, error, answer }) => (
                <Stack gap={4}>
                  <Group gap="xs" hiddenFrom="sm" fz="xs" c="dimmed">
                    <span>{number}.</span>
                    <MomentText at={at} />
                  </Group>
                  <Group gap="xs">
                    <Status status={error === null ? "succeeded" : "failed"} />
                    <span>{status === null ? (words.error[error ?? ""] ?? error) : `HTTP ${status}`}</span>
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

/** The request as it would be sent now, for a test of one's own receiver. */
function Headers({ request }: { readonly request: Shown["request"] }) {
  if (request.headers === null || request.url === null) return null;
  const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const curl = [
    `curl ${shellQuote(request.url)}`,
    ...lines.map((line) => `  -H ${shellQuote(line)}`),
    `  --data-binary ${shellQuote(request.body)}`,
  ].join(" \\\n");
  return (
    <Accordion variant="separated">
      <Accordion.Item value="request">
        <Accordion.Control>{words.request}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="xs">
            <Group justify="space-between">
              <Text size="sm" c="dimmed">
                {words.requestWhat}
              </Text>
              <Copy value={curl} what={texts.curl.what} />
            </Group>
            <Code block tabIndex={0}>
              {lines.join("\n")}
            </Code>
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

/** The ids in an event's body that have a page. */
function objectsIn(message: Record<string, unknown>): readonly (readonly [name: string, id: string])[] {
  const found = new Map<string, string>();
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === "string" && /^(?:pi|plink|sub)_\w+$/.test(inner)) found.set(inner, name);
      else look(inner);
    }
  };
  look(message);
  return [...found].map(([id, name]) => [words.object[name] ?? name, id]);
}
