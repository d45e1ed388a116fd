import { Button, Text } from "@mantine/core";
import { DownloadIcon } from "@primer/octicons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client.ts";
import { messageOf } from "../api/failure.ts";
import type { Column } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { Filters } from "../shared/filters.tsx";
import { MomentText } from "../shared/moment.tsx";
import { Money } from "../shared/money.tsx";
import { Page } from "../shared/page.tsx";
import { PAGE_SIZE, PagedList } from "../shared/paged-list.tsx";
import { queryOf } from "../shared/query.ts";
import { RowLink } from "../shared/row-link.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { type Movement, type PaymentsQuery, paymentPageOf } from "./movement.ts";
import { savePayments } from "./save-payments.ts";

const STATUSES = ["completed", "pending", "failed", "refunded", "disputed", "dispute_won"] as const;
const TYPES = [
  "processor_payment_in",
  "processor_payment_failure",
  "processor_refund",
  "processor_refund_failure",
  "processor_dispute_freeze",
  "processor_dispute_return",
] as const;

/** The currencies that links are settled in most; any other can stand in the address. */
const CURRENCIES = ["USD", "EUR", "GBP", "BRL"];

const route = getRouteApi("/shell/payments");
const { payments: words } = texts;

const columns: readonly Column<Movement>[] = [
  {
    header: words.amount,
    align: "right",
    cell: (row) => <Money amount={row.amount} currency={row.currency} strong />,
  },
  {
    header: words.kind,
    cell: (row) => {
      const to = paymentPageOf(row);
      const kind = row.type === null ? words.unclassified : (texts.movement[row.type] ?? row.type);
      return (
        <>
          {to === null ? kind : <RowLink to={to}>{kind}</RowLink>}
          <span className="details until-sm">
            <Status status={row.status} />
            <MomentText at={row.transaction_date} />
            {row.client_reference_id}
          </span>
        </>
      );
    },
  },
  { header: words.status, from: "sm", cell: (row) => <Status status={row.status} /> },
  {
    header: words.order,
    from: "md",
    cell: (row) =>
      row.client_reference_id === null ? (
        <span className="dimmed">–</span>
      ) : (
        <span className="clamped" title={row.client_reference_id}>
          {row.client_reference_id}
        </span>
      ),
  },
  { header: words.net, align: "right", from: "lg", cell: (row) => <Money amount={row.net_amount} currency={row.currency} /> },
  { header: words.date, from: "sm", cell: (row) => <MomentText at={row.transaction_date} /> },
];

/** All money movements of an environment, with filters, pages and a file for a spreadsheet. */
export function PaymentsPage() {
  const { environment } = useEnvironment();
  // The address may have more than the filters: a campaign's parameters, for example.
  const { cursor, status, type, reference, currency, amount_from, amount_to, since, until } = route.useSearch();
  const filter = queryOf<PaymentsQuery>({ status, type, reference, currency, amount_from, amount_to, since, until });
  const wanted = { environment, ...filter };
  const query = api.useQuery(
    "get",
    "/partner/payments",
    { params: { query: queryOf<PaymentsQuery>({ ...wanted, limit: PAGE_SIZE, cursor }) } },
    { placeholderData: keepPreviousData },
  );
  const [progress, setProgress] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    try {
      await savePayments(queryOf<PaymentsQuery>(wanted), (count) => setProgress(words.saving(count)));
      setProgress(null);
    } catch (thrown) {
      setProgress(messageOf(thrown));
    }
    setSaving(false);
  };
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<DownloadIcon size={14} aria-hidden />}
          loading={isSaving}
          onClick={() => void save()}
        >
          {words.save}
        </Button>
      }
    >
      <Text size="sm" role="status" hidden={progress === null}>
        {progress}
      </Text>
      <Filters
        filters={[
          { kind: "choice", name: "status", label: words.status, choices: STATUSES },
          { kind: "choice", name: "type", label: words.kind, choices: TYPES },
          { kind: "text", name: "reference", label: words.order },
          { kind: "choice", name: "currency", label: words.currency, choices: CURRENCIES },
          // An amount means nothing without its currency.
          ...(filter.currency === undefined
            ? []
            : ([
                { kind: "number", name: "amount_from", label: words.atLeast },
                { kind: "number", name: "amount_to", label: words.atMost },
              ] as const)),
          { kind: "date", name: "since", label: texts.list.since },
          { kind: "date", name: "until", label: texts.list.until },
        ]}
      />
      <PagedList
        label={words.title}
        query={query}
        columns={columns}
        keyOf={(row) => row.id}
        pageOf={paymentPageOf}
        empty={
          <Empty
            title={Object.keys(filter).length > 0 ? texts.list.noMatchTitle : words.none}
            next={Object.keys(filter).length > 0 ? texts.list.noMatch : words.noneNext}
          />
        }
      />
    </Page>
  );
}
