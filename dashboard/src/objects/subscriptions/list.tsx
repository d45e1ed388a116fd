import { Stack } from "@mantine/core";
import type { RowOf } from "../../api/paths.ts";
import { linkColumn, stateColumn } from "../../shared/columns.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { Note } from "../../shared/page.tsx";
import { Price } from "../../shared/price.tsx";
import { texts } from "../../texts/index.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { itemsText } from "../orders/items-text.ts";
import { Part, Selection } from "../selection.tsx";

const { subscriptions: words } = texts;

const STATES = ["active", "trialing", "ending", "past_due", "unpaid", "canceled", "incomplete", "paused"];

const pageOf = (row: RowOf<"/partner/subscriptions">): string => `/subscriptions/${row.subscription_id}`;
const moment = (at: string | null) => (at === null ? "–" : <MomentText at={at} />);

/** Subscriptions, the one that began last first. */
export const subscriptions: ObjectListOf<"/partner/subscriptions"> = {
  path: "/partner/subscriptions",
  name: "subscriptions",
  file: "subscriptions",
  label: words.title,
  periodLabel: words.began,
  filters: () => [{ kind: "choice", name: "state", label: texts.common.status, choices: STATES }, ...periodFilters()],
  summary: ({ count, sums }) => (
    <Selection count={count} say={words.count} sums={sums}>
      {({ currency, monthly }) => <Part name={words.monthly} amount={monthly} currency={currency} strong />}
    </Selection>
  ),
  keyOf: (row) => row.subscription_id,
  pageOf,
  columns: [
    linkColumn(
      texts.common.customer,
      pageOf,
      (row) => row.customer?.email ?? row.customer?.name ?? <span className="id">{row.subscription_id}</span>,
      { second: (row) => itemsText(row.items) || row.client_reference_id },
    ),
    stateColumn("state"),
    {
      header: texts.common.amount,
      align: "right",
      sort: "amount",
      sortBy: (row) => row.amount,
      cell: (row) => <Price of={row} />,
    },
    {
      header: words.next,
      from: "sm",
      sort: "next_at",
      sortBy: (row) => row.next_charge_at ?? row.ends_at,
      cell: (row) => (
        <Stack gap={2}>
          {(row.next_charge_at !== null || row.ends_at === null) && moment(row.next_charge_at)}
          {row.ends_at !== null && (
            <Note size="xs">
              {words.endsAt} {moment(row.ends_at)}
            </Note>
          )}
        </Stack>
      ),
    },
    {
      header: words.paidSoFar,
      align: "right",
      from: "sm",
      cell: (row) => (row.paid.orders === 0 ? "–" : <Money amount={row.paid.kept} currency={row.currency ?? ""} />),
    },
    { header: words.began, from: "lg", sort: "started_at", sortBy: (row) => row.started_at, cell: (row) => moment(row.started_at) },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
