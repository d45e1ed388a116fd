import { Code } from "@mantine/core";
import type { ReactNode } from "react";
import { audience } from "../../api/audience.ts";
import { Copied, Copy } from "../../shared/copy.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Card } from "../../shared/page.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { Tag } from "../../shared/tag.tsx";
import { texts } from "../../texts/index.ts";
import { NotThere, ObjectPage } from "../object-page.tsx";
import { Attempts } from "./attempts.tsx";
import { objectsIn } from "./objects-in.ts";
import { SignedRequest } from "./signed-request.tsx";

const { webhooks: words } = texts;

interface EventDetailProps {
  readonly back: { readonly to: string; readonly label: string };
  readonly actions: (event: string) => ReactNode;
  /** What the resend answered. */
  readonly children?: ReactNode;
}

/** One event: its body, every attempt with what the receiver answered, and the story of its order. */
export function EventDetail({ back, actions, children }: EventDetailProps) {
  const event = useIdInPath("event");
  const { api, ownerFacts, useEnvironmentOf, Story } = audience();
  const { data, error, refetch } = api.useQuery("get", "/partner/deliveries/{event}", { params: { path: { event } } });
  useEnvironmentOf(data);
  if (data === undefined) return <NotThere title={event} back={back} error={error} retry={() => void refetch()} />;
  const isTest = data.message.test_event === true;
  const { url } = data.request;
  return (
    <ObjectPage
      back={back}
      title={data.type}
      state={data.state}
      id={event}
      what={words.eventId}
      marks={isTest && <Tag color="accent">{texts.webhooks.testEvent}</Tag>}
      actions={data.may_be_resent ? actions(event) : undefined}
    >
      {children}
      <Card title={words.attempts}>
        <Attempts attempts={data.attempt_list} next={data.next_attempt_at} />
      </Card>
      <Card title={texts.orders.facts}>
        <Facts
          facts={[
            ...ownerFacts(data),
            [words.recorded, <MomentWithUtc key="at" at={data.created_at} />],
            [words.sentTo, url === null ? words.nothingRegistered : <Copied key="url" value={url} what={words.url} />],
            ...(isTest ? [] : objectsIn(data.message)).map(
              ([name, id]) => [words.object[name] ?? name, <ObjectLink key={id} id={id} />] as const,
            ),
          ]}
        />
      </Card>
      <Card title={words.body} actions={<Copy value={data.request.body} what={words.body} />}>
        <Code block tabIndex={0} mah={420} style={{ overflow: "auto" }}>
          {JSON.stringify(data.message, null, 2)}
        </Code>
      </Card>
      <SignedRequest request={data.request} />
      {!isTest && <Story query={event} />}
    </ObjectPage>
  );
}
