import { Button, Group, TextInput } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { searchTextOf } from "../../find/search-text.ts";
import { pageOfKind } from "../../objects/pages.ts";
import { Failure } from "../../shared/failure.tsx";
import { Money } from "../../shared/money.tsx";
import { Page } from "../../shared/page.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { SecondLine } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import { api, type RowOf } from "../api/client.ts";
import { FoundStory } from "../shared/order-story.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";
import { isKeyHash } from "./is-key.ts";

const { find: own } = words;

type Found = RowOf<"/ops/find">;

/** The page of a found object; null for one that has none. */
function pageOfFound({ kind, id, partner_id }: Found): string | null {
  const pages: Readonly<Record<string, string>> = {
    platform_transaction: "/platform",
    movement: "/ledger",
    partner: `/partners/${id}`,
    key: `/partners/${partner_id}?tab=keys`,
    employee: `/partners/${partner_id}?tab=people`,
    grant: `/partners/${partner_id}?tab=agents`,
    endpoint: `/partners/${partner_id}?tab=webhooks`,
    request: `/partners/${partner_id}/requests/${encodeURIComponent(id)}`,
    product_import: `/audit?target=${id}`,
    change: `/audit?target=${encodeURIComponent(id)}`,
  };
  return pages[kind] ?? pageOfKind(kind, id);
}

/** Finds anything by what a customer or a partner quotes, and tells its story. */
export function FindPage() {
  const { q = "" } = useSearchTexts();
  const [typed, setTyped] = useState(q);
  const [known, setKnown] = useState(q);
  const navigate = useNavigate();
  if (known !== q) {
    setKnown(q);
    setTyped(q);
  }
  return (
    <Page title={own.title} about={own.about}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void searchTextOf(typed, isKeyHash).then((text) => navigate({ to: "/find", search: { q: text } }));
        }}
      >
        <Group gap="xs" wrap="nowrap">
          <TextInput
            type="search"
            flex={1}
            aria-label={own.title}
            placeholder={own.placeholder}
            value={typed}
            autoFocus
            // What is pasted next takes the place of what was searched.
            onFocus={(event) => event.currentTarget.select()}
            leftSection={<SearchIcon size={16} aria-hidden />}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit">{own.action}</Button>
        </Group>
      </form>
      {q !== "" && (
        <>
          <FoundObjects query={q} />
          <FoundStory query={q} />
        </>
      )}
    </Page>
  );
}

function FoundObjects({ query }: { readonly query: string }) {
  const { data, error, refetch } = api.useQuery("get", "/ops/find", { params: { query: { q: query } } }, { retry: false });
  if (data === undefined) return error === null ? null : <Failure thrown={error} retry={() => void refetch()} />;
  const isExact = data.data.length > 0;
  const title = isExact ? own.found : own.didYouMean;
  const rows = isExact ? data.data : data.did_you_mean;
  return (
    <TableCard
      title={title}
      rows={rows}
      keyOf={(row) => `${row.kind} ${row.id}`}
      pageOf={pageOfFound}
      columns={[
        {
          header: texts.common.kind,
          cell: (row) => {
            const to = pageOfFound(row);
            const kind = own.kinds[row.kind] ?? row.kind;
            return to === null ? (
              kind
            ) : (
              <RowLink to={to} label={`${kind} ${row.title ?? row.id}`}>
                {kind}
              </RowLink>
            );
          },
        },
        {
          header: words.partners.id,
          cell: (row) => (
            <>
              <span className="id">{row.id}</span>
              <SecondLine text={row.title} />
            </>
          ),
        },
        { header: texts.common.status, cell: (row) => (row.state === null ? "–" : <Status status={row.state} />) },
        {
          header: texts.common.amount,
          align: "right",
          from: "sm",
          cell: (row) => (row.amount === null || row.currency === null ? "–" : <Money amount={row.amount} currency={row.currency} />),
        },
        { header: texts.list.partner, from: "sm", cell: (row) => <PartnerLink id={row.partner_id} /> },
        {
          header: words.lists.environment,
          from: "sm",
          cell: (row) => (row.environment === null ? "–" : texts.environment[row.environment]),
        },
      ]}
    />
  );
}
