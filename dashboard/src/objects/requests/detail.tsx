import { Alert, Anchor, Code, Stack } from "@mantine/core";
import { LightBulbIcon, RedoIcon } from "@primer/octicons-react";
import type { AnswerOf } from "../../api/paths.ts";
import { Copied } from "../../shared/copy.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { withMoments } from "../../shared/moment-text.ts";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Card, Note } from "../../shared/page.tsx";
import { Summary } from "../../shared/summary.tsx";
import { texts } from "../../texts/index.ts";
import { ObjectPage } from "../object-page.tsx";

const { requests: words } = texts;

interface RequestDetailProps {
  readonly request: AnswerOf<"/partner/requests/{request}">;
  readonly back: { readonly to: string; readonly label: string };
  /** Where the docs are served. */
  readonly origin: string;
}

/** One request: what was sent, what went wrong, what to correct, and what a repeat does. */
export function RequestDetail({ request: data, back, origin }: RequestDetailProps) {
  return (
    <ObjectPage back={back} title={data.operation} state={data.outcome} id={data.request} what={words.id}>
      <Summary of={data.summary} />
      {data.message !== null && (
        <Alert color="red" title={data.code}>
          {data.message}
        </Alert>
      )}
      <Stack gap="sm">
        {data.cure !== null && (
          <Alert color="accent" icon={<LightBulbIcon size={18} aria-hidden />} title={words.cure}>
            {words.cureOf(data.code, data.cure)}
          </Alert>
        )}
        <Alert color="gray" icon={<RedoIcon size={18} aria-hidden />} title={words.repeat}>
          {withMoments(words.repeatOf(data))}
        </Alert>
      </Stack>
      <Card title={texts.orders.facts}>
        <Facts
          facts={[
            [texts.common.at, <MomentWithUtc key="at" at={data.at} />],
            [words.field, data.field === null ? null : <Code key="field">{data.field}</Code>],
            [words.key, data.key === null ? null : <Copied key="key" value={data.key} what={words.key} />],
            ...Object.entries(data.result_ids).map(([name, id]) => [name, <ObjectLink key={id} id={id} />] as const),
          ]}
        />
      </Card>
      {data.body !== null && (
        <Card title={words.body}>
          <Note>{words.bodyWhat}</Note>
          <Code block tabIndex={0}>
            {JSON.stringify(data.body, null, 2)}
          </Code>
        </Card>
      )}
      <Anchor href={`${origin}/docs/errors${data.code === null ? "" : `#${data.code}`}`} target="_blank" rel="noreferrer" size="sm">
        {words.docs}
      </Anchor>
    </ObjectPage>
  );
}
