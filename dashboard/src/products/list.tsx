import type { RowOf } from "../api/paths.ts";
import type { ObjectListOf } from "../objects/object-list.tsx";
import { counted } from "../objects/selection.tsx";
import { linkColumn, momentColumn } from "../shared/columns.tsx";
import { PageLink } from "../shared/page-link.tsx";
import { Price } from "../shared/price.tsx";
import { isSold } from "../shared/products.ts";
import { Status } from "../shared/status.tsx";
import { SecondLine } from "../shared/two-lines.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { products: words } = texts;

type Product = RowOf<"/partner/products">;

const pageOf = ({ product_id }: Product): string => `/products/${product_id}`;

/** The products of a partner: card products of the environment, and ruble products. */
export const products: ObjectListOf<"/partner/products"> = {
  path: "/partner/products",
  name: "products",
  label: words.title,
  filters: () => [{ kind: "choice", name: "moderation", label: words.state, choices: ["approved", "in_review", "rejected"] }],
  keyOf: ({ product_id }) => product_id,
  pageOf,
  file: "products",
  summary: counted(words.count),
  columns: [
    linkColumn(texts.common.name, pageOf, (row) => row.name, {
      sort: "name",
      sortBy: ({ name }) => name,
      second: (row) => row.description ?? words.kinds[row.kind],
    }),
    {
      header: words.state,
      from: "sm",
      sortBy: ({ moderation }) => moderation,
      cell: ({ moderation, rejection_reason }) => (
        <>
          <Status status={moderation} />
          <SecondLine text={rejection_reason} />
        </>
      ),
    },
    {
      header: words.price,
      align: "right",
      sort: "amount",
      sortBy: ({ amount }) => amount,
      cell: (row) => <Price of={row} strong />,
    },
    momentColumn(texts.links.created, "created_at", { from: "lg", sort: true }),
    { header: words.orderId, from: "md", cell: ({ id }) => (id === null ? null : <span className="id">{id}</span>) },
    { header: texts.keys.actions, from: "sm", cell: (row) => <NewLink product={row} /> },
  ],
  none: words.none,
  noneNext: words.noneNext,
};

/** The way from a product to a link for it. */
function NewLink({ product }: { readonly product: Product }) {
  const { environment } = useEnvironment();
  const mayMake = useMay("product_create");
  if (!mayMake || !isSold(product, "card", environment)) return null;
  return <PageLink to={`/links/new?product=${product.id}`}>{texts.links.create}</PageLink>;
}
