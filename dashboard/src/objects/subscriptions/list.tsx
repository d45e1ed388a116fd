import { Stack, Text } from "@mantine/core";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { Price } from "../../shared/price.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { SecondLine } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { itemsText } from "../orders/items-text.ts";
import { Part, Selection } from "../selection.tsx";

const { subscriptions: words } = texts;

const STATES = ["active", "trialing", "ending", "past_due", "unpaid", "canceled", "incomplete", "paused"];

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
  pageOf: (row) => `/subscriptions/${row.subscription_id}`,
  columns: [
    {
      header: texts.common.customer,
      cell: (row) => (
        <Stack gap={2}>
          <RowLink to={`/subscriptions/${row.subscription_id}`}>
            {row.customer?.email ?? row.customer?.name ?? <span className="id">{row.subscription_id}</span>}
          </RowLink>
          <SecondLine text={itemsText(row.items) || row.client_reference_id} />
        </Stack>
      ),
    },
    {
      header: texts.common.status,
      from: "sm",
      sortBy: (row) => row.state,
      cell: (row) => <Status status={row.state} />,
    },
    {
      header: texts.common.amount,
      align: "right",
      sort: "amount",
      sortBy: (row) => row.amount,
      cell: (row) => <Price amount={row.amount} currency={row.currency ?? ""} interval={row.interval} count={row.interval_count} />,
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
            <Text size="xs" c="dimmed">
              {words.endsAt} {moment(row.ends_at)}
            </Text>
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
