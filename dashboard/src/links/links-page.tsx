import { Button, Stack, Text } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { Copy } from "../shared/copy.tsx";
import type { Column } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Filters } from "../shared/filters.tsx";
import { MomentText } from "../shared/moment.tsx";
import { Page } from "../shared/page.tsx";
import { PAGE_SIZE, PagedList } from "../shared/paged-list.tsx";
import { RowLink } from "../shared/row-link.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

type ListedLink = paths["/partner/links"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

type LinksQuery = NonNullable<paths["/partner/links"]["get"]["parameters"]["query"]>;

const route = getRouteApi("/shell/links");
const { links: words } = texts;

const columns: readonly Column<ListedLink>[] = [
  {
    header: words.link,
    cell: (row) => (
      <Stack gap={2}>
        <RowLink to={`/links/${row.payment_link_id}`}>
          <span className="id">{row.short_url?.replace(/^https?:\/\//, "") ?? row.payment_link_id}</span>
        </RowLink>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          <MomentText at={row.created_at} />
        </Text>
      </Stack>
    ),
  },
  { header: words.status, cell: (row) => <Status status={row.disabled_at === null ? "open" : "disabled"} /> },
  { header: words.madeFor, from: "sm", cell: (row) => words.source[row.source] },
  { header: words.mode, from: "md", cell: (row) => words.modes[row.mode] },
  { header: words.currency, from: "lg", cell: (row) => row.currency },
  { header: words.created, from: "sm", cell: (row) => <MomentText at={row.created_at} /> },
  { header: texts.copy.column, cell: (row) => (row.short_url === null ? null : <Copy value={row.short_url} what={words.link} />) },
];

/** All payment links of an environment, of carts too. */
export function LinksPage() {
  const { environment } = useEnvironment();
  const mayCreate = useMay("product_create");
  const { cursor, state, product, reference } = route.useSearch();
  const filter: Pick<LinksQuery, "state" | "product" | "reference"> = {
    ...(state === "open" || state === "disabled" ? { state } : {}),
    ...(product === undefined ? {} : { product }),
    ...(reference === undefined ? {} : { reference }),
  };
  const query = api.useQuery(
    "get",
    "/partner/links",
    { params: { query: { environment, limit: PAGE_SIZE, ...filter, ...(cursor === undefined ? {} : { cursor }) } } },
    { placeholderData: keepPreviousData },
  );
  const create = (
    <Button size="xs" leftSection={<PlusIcon size={14} aria-hidden />} renderRoot={(props) => <Link to="/links/new" {...props} />}>
      {words.create}
    </Button>
  );
  return (
    <Page title={words.title} about={words.about} actions={mayCreate ? create : undefined}>
      <Filters
        filters={[
          { kind: "choice", name: "state", label: words.status, choices: ["open", "disabled"] },
          { kind: "text", name: "product", label: words.product },
          { kind: "text", name: "reference", label: texts.payments.order },
        ]}
      />
      <PagedList
        label={words.title}
        query={query}
        columns={columns}
        keyOf={(row) => row.payment_link_id}
        pageOf={(row) => `/links/${row.payment_link_id}`}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty title={texts.list.noMatchTitle} next={texts.list.noMatch} />
          ) : (
            <Empty title={words.none} next={words.noneNext} action={mayCreate ? create : undefined} />
          )
        }
      />
    </Page>
  );
}
