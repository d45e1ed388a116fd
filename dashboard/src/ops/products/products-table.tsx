import { amountFilters } from "../../objects/object-list.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { SecondLine } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import type { OpsListOf } from "../shared/ops-list.ts";
import { words } from "../texts.ts";
import { Flags } from "./flags.tsx";
import { ProductActions } from "./product-actions.tsx";
import { productFilters } from "./product-query.ts";
import { environmentOf, kindOf, type Product } from "./product-words.ts";

const { products: own } = words;

const pageOf = ({ kind, id }: Product): string => `/products/${kind}/${id}`;

/** Products in any state. */
export const products: OpsListOf<"/ops/products"> = {
  path: "/ops/products",
  name: "products",
  label: texts.products.title,
  filters: ({ currency }) => [
    ...productFilters.filter(({ name }) => name !== "partner"),
    ...amountFilters(["USD", "EUR", "GBP", "BRL", "RUB"], currency),
  ],
  hasEnvironment: false,
  summary: ({ count }) => count !== null && own.count(count),
  keyOf: ({ kind, id }) => `${kind} ${id}`,
  pageOf,
  columns: [
    {
      header: texts.common.name,
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
    { header: texts.products.price, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    { header: texts.common.kind, from: "md", cell: (row) => <span style={{ whiteSpace: "nowrap" }}>{kindOf(row)}</span> },
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
  ],
  none: texts.products.none,
};
