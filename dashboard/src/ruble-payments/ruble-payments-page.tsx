import { Button, Group, Stack } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import type { Column } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Filters } from "../shared/filters.tsx";
import { MomentText } from "../shared/moment.tsx";
import { Money } from "../shared/money.tsx";
import { Page } from "../shared/page.tsx";
import { PAGE_SIZE, PagedList } from "../shared/paged-list.tsx";
import { RowLink } from "../shared/row-link.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

type RublePayment = paths["/partner/bank-payments"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

const route = getRouteApi("/shell/ruble-payments");
const { rublePayments: words } = texts;

/** Statuses of the bank. */
const STATUSES = [
  "NEW",
  "FORM_SHOWED",
  "AUTHORIZED",
  "CONFIRMED",
  "REJECTED",
  "CANCELED",
  "DEADLINE_EXPIRED",
  "REFUNDED",
  "PARTIAL_REFUNDED",
];

const rublePageOf = ({ order_id }: RublePayment) => `/ruble-payments/${order_id}`;

const columns: readonly Column<RublePayment>[] = [
  {
    header: words.order,
    cell: (row) => {
      const name = row.external_order_id ?? row.order_id;
      return (
        <Stack gap={2}>
          <RowLink to={rublePageOf(row)}>{name}</RowLink>
          <Group gap={6} fz="xs" c="dimmed" hiddenFrom="sm">
            <Status status={row.status} />
            <MomentText at={row.created_at} />
          </Group>
        </Stack>
      );
    },
  },
  { header: words.status, from: "sm", cell: (row) => <Status status={row.status} /> },
  { header: words.amount, align: "right", cell: (row) => <Money amount={row.amount_rub} currency="RUB" strong /> },
  { header: words.created, from: "sm", cell: (row) => <MomentText at={row.created_at} /> },
  { header: words.paid, from: "md", cell: (row) => (row.paid_at === null ? "–" : <MomentText at={row.paid_at} />) },
  { header: words.id, from: "lg", cell: (row) => <span className="id">{row.payment_id}</span> },
];

/** The ruble payments of an environment. */
export function RublePaymentsPage() {
  const { environment } = useEnvironment();
  const { cursor, status, order } = route.useSearch();
  const filter = { ...(status === undefined ? {} : { status }), ...(order === undefined ? {} : { order }) };
  const query = api.useQuery(
    "get",
    "/partner/bank-payments",
    { params: { query: { environment, limit: PAGE_SIZE, ...filter, ...(cursor === undefined ? {} : { cursor }) } } },
    { placeholderData: keepPreviousData },
  );
  const create = (
    <Button size="xs" leftSection={<PlusIcon size={14} aria-hidden />} renderRoot={(props) => <Link to="/ruble-payments/new" {...props} />}>
      {words.create}
    </Button>
  );
  return (
    <Page title={words.title} about={words.about} actions={create}>
      <Filters
        filters={[
          { kind: "choice", name: "status", label: words.status, choices: STATUSES },
          { kind: "text", name: "order", label: words.order },
        ]}
      />
      <PagedList
        label={words.title}
        query={query}
        columns={columns}
        keyOf={(row) => row.order_id}
        pageOf={rublePageOf}
        empty={
          <Empty
            title={Object.keys(filter).length > 0 ? texts.list.noMatchTitle : words.none}
            next={Object.keys(filter).length > 0 ? texts.list.noMatch : words.noneNext}
            action={create}
          />
        }
      />
    </Page>
  );
}
