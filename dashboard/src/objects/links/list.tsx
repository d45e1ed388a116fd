import { Stack, Text } from "@mantine/core";
import { Copy } from "../../shared/copy.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";

const { links: words } = texts;

/** Payment links, of carts too. */
export const links: ObjectListOf<"/partner/links"> = {
  path: "/partner/links",
  name: "payment-links",
  file: "links",
  label: words.title,
  filters: () => [
    { kind: "choice", name: "state", label: words.status, choices: ["open", "disabled"] },
    { kind: "text", name: "product", label: words.product },
    { kind: "text", name: "reference", label: texts.payments.order },
    ...periodFilters(),
  ],
  keyOf: (row) => row.payment_link_id,
  pageOf: (row) => `/links/${row.payment_link_id}`,
  columns: [
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
    { header: words.status, sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
    { header: words.madeFor, from: "sm", sortBy: (row) => row.source, cell: (row) => words.source[row.source] },
    { header: words.mode, from: "md", cell: (row) => words.modes[row.mode] },
    { header: words.currency, from: "lg", sortBy: (row) => row.currency, cell: (row) => row.currency },
    { header: words.created, from: "sm", sortBy: (row) => row.created_at, cell: (row) => <MomentText at={row.created_at} /> },
    { header: texts.copy.column, cell: (row) => (row.short_url === null ? null : <Copy value={row.short_url} what={words.link} />) },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
