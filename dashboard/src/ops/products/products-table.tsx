import { Group, Stack, Text } from "@mantine/core";
import { PAGE_SIZE } from "../../objects/list-query.ts";
import { amountFilters } from "../../objects/object-list.tsx";
import { Empty } from "../../shared/empty.tsx";
import { type Filter, Filters } from "../../shared/filters.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { SecondLine } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { PartnerLink } from "../shared/partner-link.tsx";
import { keepingPage } from "../shared/use-list.ts";
import { words } from "../texts.ts";
import { Flags } from "./flags.tsx";
import { ProductActions } from "./product-actions.tsx";
import { productFilters, productQuery } from "./product-query.ts";
import { environmentOf, kindOf, type Product } from "./product-words.ts";

const { products: own } = words;

const pageOf = ({ kind, id }: Product): string => `/products/${kind}/${id}`;

/** Products with their filters: of one partner, or of all. */
export function ProductsTable({ partner }: { readonly partner?: string }) {
  const search = useSearchTexts();
  const query = api.useQuery(
    "get",
    "/ops/products",
    { params: { query: { ...productQuery(search), ...(partner === undefined ? {} : { partner }), limit: PAGE_SIZE } } },
    keepingPage,
  );
  const filters: readonly Filter[] = [
    ...productFilters.filter(({ name }) => name !== "partner" || partner === undefined),
    ...amountFilters(["USD", "EUR", "GBP", "BRL", "RUB"], search.currency),
  ];
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Filters filters={filters} />
        {query.data !== undefined && query.data.count !== null && (
          <Text size="sm" c="dimmed">
            {own.count(query.data.count)}
          </Text>
        )}
      </Group>
      <PagedList
        label={own.list}
        query={query}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        pageOf={pageOf}
        columns={[
          {
            header: words.partners.name,
            cell: (row) => (
              <>
                <RowLink to={pageOf(row)}>{row.name}</RowLink>
                <SecondLine text={row.kind === "card" ? row.description : null} />
                <Flags product={row} />
              </>
            ),
          },
          {
            header: texts.common.status,
            cell: (row) => (
              <>
                <Status status={row.moderation} />
                <SecondLine text={row.rejection_reason} />
              </>
            ),
          },
          ...(partner === undefined
            ? [{ header: words.lists.partner, from: "sm" as const, cell: (row: Product) => <PartnerLink id={row.partner_id} /> }]
            : []),
          { header: own.price, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
          { header: own.kind, from: "md", cell: (row) => <span style={{ whiteSpace: "nowrap" }}>{kindOf(row)}</span> },
          { header: words.lists.environment, from: "lg", cell: (row) => environmentOf(row) },
          {
            header: own.changed,
            from: "md",
            cell: (row) => (
              <>
                <MomentText at={row.decided_at ?? row.updated_at} />
                <SecondLine text={row.decided_by === null ? null : own.decidedBy(row.decided_by)} />
              </>
            ),
          },
          { header: texts.keys.actions, cell: (row) => (row.moderation === "in_review" ? <ProductActions product={row} /> : null) },
        ]}
        empty={<Empty title={own.none} />}
      />
    </Stack>
  );
}
