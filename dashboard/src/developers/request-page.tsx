import { Alert, Anchor, Code, Group, Stack, Text } from "@mantine/core";
import { LightBulbIcon, RedoIcon } from "@primer/octicons-react";
import { api } from "../api/client.ts";
import { statusOf } from "../api/failure.ts";
import { Copied } from "../shared/copy.tsx";
import { Facts } from "../shared/facts.tsx";
import { Failure } from "../shared/failure.tsx";
import { MomentWithUtc } from "../shared/moment.tsx";
import { NotFound } from "../shared/not-found.tsx";
import { ObjectLink } from "../shared/object-link.tsx";
import { Card, Page } from "../shared/page.tsx";
import { useIdInPath } from "../shared/search-texts.ts";
import { PageSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { requests: words } = texts;

/** One request: what was sent, what went wrong, what to correct, and what a repeat does. */
export function RequestPage() {
  const request = useIdInPath("request");
  const { api: origin } = useSession();
  const { data, error, refetch } = api.useQuery("get", "/partner/requests/{request}", { params: { path: { request } } });
  if (data === undefined) {
    if (statusOf(error) === 404) return <NotFound />;
    return error ? <Failure thrown={error} retry={() => void refetch()} /> : <PageSkeleton />;
  }
  return (
    <Page
      back={{ to: "/developers", label: texts.developers.title }}
      title={data.operation}
      about={
        <Group gap="xs">
          <Status status={data.outcome} />
          <Copied value={request} what={words.id} />
        </Group>
      }
    >
      {data.message !== null && (
        <Alert color="red" title={data.code}>
          {data.message}
        </Alert>
      )}
      <Stack gap="sm">
        {data.cure !== null && (
          <Alert color="accent" icon={<LightBulbIcon size={18} aria-hidden />} title={words.cure}>
            {data.cure}
          </Alert>
        )}
        <Alert color="gray" icon={<RedoIcon size={18} aria-hidden />} title={words.repeat}>
          {data.repeat}
        </Alert>
      </Stack>
      <Card title={texts.orders.facts}>
        <Facts
          facts={[
            [words.at, <MomentWithUtc key="at" at={data.at} />],
            [words.field, data.field === null ? null : <Code key="field">{data.field}</Code>],
            [words.key, data.key === null ? null : <Copied key="key" value={data.key} what={words.key} />],
            ...Object.entries(data.result_ids).map(([name, id]) => [name, <ObjectLink key={id} id={id} />] as const),
          ]}
        />
      </Card>
      {data.body !== null && (
        <Card title={words.body}>
          <Text size="sm" c="dimmed">
            {words.bodyWhat}
          </Text>
          <Code block tabIndex={0}>
            {JSON.stringify(data.body, null, 2)}
          </Code>
        </Card>
      )}
      <Anchor href={`${origin}/docs/errors`} target="_blank" rel="noreferrer" size="sm">
        {words.docs}
      </Anchor>
    </Page>
  );
}
