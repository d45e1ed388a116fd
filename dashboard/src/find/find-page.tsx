import { Group, TextInput } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { OrderStory } from "../orders/order-story.tsx";
import { Failure } from "../shared/failure.tsx";
import { MomentText } from "../shared/moment.tsx";
import { Card, Note, Page } from "../shared/page.tsx";
import { RowLink } from "../shared/row-link.tsx";
import { useSearchTexts } from "../shared/search-texts.ts";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { Status } from "../shared/status.tsx";
import { TableCard } from "../shared/table-card.tsx";
import { Tag } from "../shared/tag.tsx";
import { useTyped } from "../shared/use-typed.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { ownLanguage } from "../texts/own-language.ts";
import { isSearched, pageOfFound, TYPING, titleOfFound } from "./found.ts";
import { isKeyHash } from "./is-key.ts";
import { searchTextOf } from "./search-text.ts";

const { find: words } = texts;

/** Finds anything by what a page, a file or an answer shows, and tells the story of an order. */
export function FindPage() {
  const { q = "" } = useSearchTexts();
  const navigate = useNavigate();
  return (
    <Page title={words.title} about={words.about}>
      <Search
        query={q}
        search={(wanted) =>
          void searchTextOf(wanted, isKeyHash).then((text) => navigate({ to: "/find", search: { q: text }, replace: true }))
        }
      />
      {q !== "" && <Results query={q} />}
    </Page>
  );
}

function Search({ query, search }: { readonly query: string; readonly search: (wanted: string) => void }) {
  const { typed, type } = useTyped(query, (text) => (text === "" || isSearched(text)) && search(text), TYPING);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        search(typed.trim());
      }}
    >
      <TextInput
        type="search"
        aria-label={words.title}
        placeholder={texts.palette.placeholder}
        value={typed}
        leftSection={<SearchIcon size={16} aria-hidden />}
        onChange={(event) => type(event.currentTarget.value)}
      />
    </form>
  );
}

function Results({ query }: { readonly query: string }) {
  const { data, error, refetch } = api.useQuery("get", "/partner/find", { params: { query: { q: query } } });
  const maySeeStory = useMay("balance_view");
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  const [story, ...others] = data.data.filter(({ kind }) => WITH_STORY.has(kind));
  return (
    <>
      <TableCard
        title={words.found(query)}
        rows={data.data}
        none={{ title: words.none, next: words.noneNext }}
        keyOf={(row) => `${row.kind} ${row.id}`}
        pageOf={pageOfFound}
        columns={[
          {
            header: texts.common.what,
            cell: (row) => (
              <>
                <RowLink to={pageOfFound(row)}>{titleOfFound(row)}</RowLink>
                <Note size="xs">{row.summary?.[ownLanguage()]}</Note>
              </>
            ),
          },
          {
            header: texts.common.status,
            cell: ({ state, environment }) => (
              <Group gap={6}>
                {state !== null && <Status status={state} />}
                {environment !== null && <Tag color="gray">{texts.environment[environment]}</Tag>}
              </Group>
            ),
          },
          { header: texts.common.date, from: "sm", cell: ({ at }) => (at === null ? "–" : <MomentText at={at} />) },
        ]}
      />
      {story !== undefined && others.length === 0 && maySeeStory && (
        <Card title={texts.story.of(story.id)}>
          <OrderStory query={story.id} />
        </Card>
      )}
    </>
  );
}

/** What has a story. Catalogue and keys have none. */
const WITH_STORY: ReadonlySet<string> = new Set(["order", "payment_link", "subscription", "event", "request"]);
