import { Alert, Anchor, Button, Group, List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { messageOf, statusOf } from "../../api/failure.ts";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { Card } from "../../shared/page.tsx";
import { PageLink } from "../../shared/page-link.tsx";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { Story } from "../../shared/story.tsx";
import { Summary } from "../../shared/summary.tsx";
import { texts } from "../../texts/index.ts";
import { type AnswerOf, api, client } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { Action } from "../calls/action.tsx";
import { nameOfCall } from "../calls/names.ts";
import { words } from "../texts.ts";

const { find: own } = words;

type Entry = AnswerOf<"/ops/story">["entries"][number];
type Operation = paths["/ops/idempotency"]["get"]["parameters"]["query"]["operation"];

/** The whole story of an order by any of its ids. `shown`: the object whose summary the page has already. Each entry leads to its objects, and has the one action that helps. */
function OrderStory({ query, shown }: { readonly query: string; readonly shown?: string | undefined }) {
  const { data, error, refetch } = api.useQuery("get", "/ops/story", { params: { query: { q: query } } });
  if (data === undefined) {
    if (statusOf(error) === 404) return <Empty title={texts.find.none} next={messageOf(error)} />;
    return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  }
  return (
    <>
      {data.gaps.length > 0 && (
        <Alert color="orange" title={own.gaps}>
          <List size="sm">
            {data.gaps.map((gap) => (
              <List.Item key={gap}>{gap}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {data.summaries
        .filter(({ about }) => about !== shown)
        .map(({ about, summary, to_customer }) => (
          <Summary key={about} of={summary} customer={to_customer} />
        ))}
      <Story entries={data.entries} actionOf={(entry) => <EntryAction entry={entry} />} />
    </>
  );
}

/** The story of what was searched for, which begins with what support answers. */
export const FoundStory = ({ query }: { readonly query: string }) => (
  <Card title={texts.story.title}>
    <OrderStory query={query} />
  </Card>
);

/** The story as a part of an object's page, which has the object's own summary. */
export const StoryCard = ({ query }: { readonly query: string }) => (
  <Card title={texts.story.title}>
    <OrderStory query={query} shown={query} />
  </Card>
);

function EntryAction({ entry: { help } }: { readonly entry: Entry }) {
  if (help === null) return null;
  if (help.command === "explain") return <Explain given={help.given} />;
  if (help.command === "requests show")
    return (
      <Anchor size="sm" renderRoot={(props) => <Link to={`/partners/${help.given.partner}/requests/${help.given.request}`} {...props} />}>
        {nameOfCall(help.command)}
      </Anchor>
    );
  if (help.command === "bank-notifications waiting") return <PageLink to="/bank">{words.bank.title}</PageLink>;
  return (
    <Group>
      <Action call={help.command} given={help.given} isImmediate />
    </Group>
  );
}

/** What a repeat of a creation would get, asked for when a person wants to know. */
function Explain({ given }: { readonly given: Readonly<Record<string, string>> }) {
  const [isAsked, setAsked] = useState(false);
  const { partner = "", operation = "", key = "" } = given;
  const { data, error } = useQuery({
    queryKey: ["explain", partner, operation, key],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the Worker named the operation
    queryFn: () => client.GET("/ops/idempotency", { params: { query: { partner, operation: operation as Operation, key } } }),
    enabled: isAsked,
  });
  if (!isAsked)
    return (
      <Group>
        <Button size="compact-xs" variant="default" onClick={() => setAsked(true)}>
          {own.repeat}
        </Button>
      </Group>
    );
  if (error !== null) return <Failure thrown={error} />;
  return (
    <Alert color="accent" p="xs" title={own.repeat}>
      <Text size="sm">{data?.data?.words ?? texts.shell.loading}</Text>
    </Alert>
  );
}
