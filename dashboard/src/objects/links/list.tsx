import { Stack, Text } from "@mantine/core";
import { audience } from "../../api/audience.ts";
import type { RowOf } from "../../api/paths.ts";
import { Copy } from "../../shared/copy.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Price } from "../../shared/price.tsx";
import { RowLink } from "../../shared/row-link.tsx";
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
  pageOf: (row) => `/links/${row.payment_link_id}`,
  columns: [
    {
      header: words.sells,
      cell: (row) => (
        <Stack gap={2}>
          <RowLink to={`/links/${row.payment_link_id}`}>{itemsText(row.items) || words.source[row.source]}</RowLink>
          <Text size="xs" c="dimmed" className="id clamped">
            {row.short_url === null ? row.payment_link_id : new URL(row.short_url).pathname}
          </Text>
        </Stack>
      ),
    },
    { header: texts.common.status, from: "sm", sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
    {
      header: texts.products.price,
      align: "right",
      sort: "amount",
      sortBy: (row) => row.amount,
      cell: (row) => <Price amount={row.amount} currency={row.currency} interval={row.interval} count={row.interval_count} />,
    },
    {
      header: words.sold,
      align: "right",
      from: "sm",
      sortBy: (row) => mostOf(row.sold),
      cell: (row) => <Sold sold={row.sold} />,
    },
    {
      header: words.lastSold,
      from: "sm",
      sortBy: (row) => row.last_sold_at,
      cell: (row) => (row.last_sold_at === null ? "–" : <MomentText at={row.last_sold_at} />),
    },
    {
      header: words.created,
      from: "lg",
      sort: "created_at",
      sortBy: (row) => row.created_at,
      cell: (row) => <MomentText at={row.created_at} />,
    },
    {
      header: texts.copy.column,
      from: "sm",
      cell: (row) => (row.short_url === null ? null : <Copy value={row.short_url} what={words.link} />),
    },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
