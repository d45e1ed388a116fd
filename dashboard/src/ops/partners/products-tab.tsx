import { Group, Stack } from "@mantine/core";
import { PAGE_SIZE } from "../../objects/list-query.ts";
import { Empty } from "../../shared/empty.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { ProductActions } from "../moderation/product-actions.tsx";
import { environmentOf, kindOf } from "../moderation/product-words.ts";
import { words } from "../texts.ts";

const { products: own } = words;

/** A partner's products, in any state. */
export function ProductsTab({ partner }: { readonly partner: string }) {
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/ops/partners/{partner}/products", {
    params: { path: { partner }, query: { limit: PAGE_SIZE, cursor } },
  });
  return (
    <Stack>
      <Group justify="flex-end">
        <Action
          call="products create"
          given={{ partner }}
          initial={{ environment: "test", type: "one_time", currency: "USD" }}
          label={own.add}
          variant="filled"
        />
      </Group>
      <PagedList
        label={words.partners.tabs.products}
        query={query}
        keyOf={(row) => `${row.kind} ${row.id}`}
        pageOf={(row) => `/products/${row.kind}/${row.id}`}
        columns={[
          {
            header: words.partners.name,
            sortBy: (row) => row.name,
            cell: (row) => <RowLink to={`/products/${row.kind}/${row.id}`}>{row.name}</RowLink>,
          },
          { header: texts.payments.status, sortBy: (row) => row.moderation, cell: (row) => <Status status={row.moderation} /> },
          {
            header: own.price,
            align: "right",
            sortBy: (row) => row.unit_amount,
            cell: (row) => <Money amount={row.amount} currency={row.currency} />,
          },
          { header: own.kind, from: "md", cell: (row) => kindOf(row) },
          { header: words.lists.environment, from: "md", cell: (row) => environmentOf(row) },
          { header: words.lists.made, from: "lg", sortBy: (row) => row.created_at, cell: (row) => <MomentText at={row.created_at} /> },
          { header: texts.keys.actions, cell: (row) => <ProductActions product={row} /> },
        ]}
        empty={<Empty title={own.none} />}
      />
    </Stack>
  );
}
