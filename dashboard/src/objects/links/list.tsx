import { audience } from "../../api/audience.ts";
import type { RowOf } from "../../api/paths.ts";
import { linkColumn, momentColumn } from "../../shared/columns.tsx";
import { Copy } from "../../shared/copy.tsx";
import { Price } from "../../shared/price.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { itemsText } from "../orders/items-text.ts";
import { counted } from "../selection.tsx";
import { Sold } from "./sold.tsx";

const { links: words } = texts;

/** The largest of what was sold, by the number: amounts of different currencies are not added. */
const mostOf = (sold: RowOf<"/partner/links">["sold"]): number | null =>
  sold === null || sold.length === 0 ? null : Math.max(...sold.map(({ net }) => net));

const pageOf = (row: RowOf<"/partner/links">): string => `/links/${row.payment_link_id}`;

/** Payment links, of carts too. */
export const links: ObjectListOf<"/partner/links"> = {
  path: "/partner/links",
  name: "payment-links",
  file: "links",
  label: words.title,
  periodLabel: words.created,
  filters: ({ partner }) => [
    { kind: "choice", name: "state", label: texts.common.status, choices: ["open", "closed", "disabled"] },
    { kind: "text", name: "product", label: texts.common.product },
    // Every partner has references of its own.
    ...(audience().name === "operator" && partner === undefined
      ? []
      : ([{ kind: "text", name: "reference", label: texts.common.reference }] as const)),
    ...periodFilters(),
  ],
  summary: counted(words.count),
  keyOf: (row) => row.payment_link_id,
  pageOf,
  columns: [
    linkColumn(words.sells, pageOf, (row) => itemsText(row.items) || words.source[row.source], {
      second: (row) => (row.short_url === null ? row.payment_link_id : new URL(row.short_url).pathname),
    }),
    { header: texts.common.status, from: "sm", sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
    {
      header: texts.products.price,
      align: "right",
      sort: "amount",
      sortBy: (row) => row.amount,
      cell: (row) => <Price of={row} />,
    },
    {
      header: words.sold,
      align: "right",
      from: "sm",
      sortBy: (row) => mostOf(row.sold),
      cell: (row) => <Sold sold={row.sold} />,
    },
    momentColumn(words.lastSold, "last_sold_at", { from: "sm" }),
    momentColumn(words.created, "created_at", { from: "lg", sort: true }),
    {
      header: texts.copy.column,
      from: "sm",
      cell: (row) => (row.short_url === null ? null : <Copy value={row.short_url} what={words.link} />),
    },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
