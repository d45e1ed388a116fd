import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { CheckCircleIcon } from "@primer/octicons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { DataTable } from "../../shared/data-table.tsx";
import { monthText } from "../../shared/day-text.ts";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { Card, Page } from "../../shared/page.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { WithDocs } from "../shared/with-docs.tsx";
import { words } from "../texts.ts";
import { monthBefore, monthIn } from "./month.ts";
import { MonthSums } from "./month-sums.tsx";

const { books: own } = words;

/** A month of the books: its sums, and its comparison with the processor's and the bank's own lists. */
export function BooksPage() {
  const search = useSearchTexts();
  const asked = monthIn(search.month);
  return (
    <Page title={own.title} about={own.about}>
      <MonthForm key={`${asked} ${search.partner}`} asked={asked} ofPartner={search.partner ?? ""} />
      {asked !== null && search.compare === "yes" && <Comparison month={asked} partner={search.partner} />}
      {asked !== null && <MonthSums month={asked} />}
    </Page>
  );
}

interface MonthFormProps {
  /** The month of the address. */
  readonly asked: string | null;
  readonly ofPartner: string;
}

function MonthForm({ asked, ofPartner }: MonthFormProps) {
  const navigate = useNavigate();
  const [month, setMonth] = useState(asked ?? monthBefore(new Date()));
  const [partner, setPartner] = useState(ofPartner);
  const show = (compare: boolean) =>
    void navigate({
      to: "/books",
      search: { month, ...(compare ? { compare: "yes" } : {}), ...(partner.trim() === "" ? {} : { partner: partner.trim() }) },
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        show(false);
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          type="month"
          label={texts.statements.month}
          value={month}
          required
          onChange={(event) => setMonth(event.currentTarget.value)}
        />
        <Button type="submit">{own.show}</Button>
        <TextInput label={own.partner} value={partner} onChange={(event) => setPartner(event.currentTarget.value)} />
        <Button variant="default" onClick={() => show(true)}>
          {own.check}
        </Button>
      </Group>
    </form>
  );
}

function Comparison({ month, partner }: { readonly month: string; readonly partner: string | undefined }) {
  const { data, error, isFetching, refetch } = api.useQuery(
    "get",
    "/ops/books/check",
    { params: { query: { month, partner } } },
    // It fetches a month of the processor's lists: once, where a person asks.
    { retry: false, refetchOnWindowFocus: false, staleTime: "static" },
  );
  if (error) return <Failure thrown={error} retry={() => void refetch()} />;
  if (data === undefined || isFetching)
    return (
      <Card title={own.comparing(monthText(month))}>
        <RowsSkeleton />
      </Card>
    );
  const { differences, sums, checked, ended_at } = data;
  return (
    <Card title={own.of(monthText(month))}>
      <Stack gap="xs">
        <Text size="sm">{own.checked(checked)}</Text>
        {ended_at !== null && (
          <Text size="sm" c="orange.8">
            {own.notOlder} <MomentText at={ended_at} />
          </Text>
        )}
      </Stack>
      {sums.length > 0 && (
        <DataTable
          label={own.sums}
          rows={sums}
          keyOf={({ part, currency }) => `${part} ${currency}`}
          columns={[
            { header: own.sums, cell: ({ part, currency }) => `${own.parts[part]}, ${currency}` },
            { header: own.ours, align: "right", cell: (row) => <Money amount={row.ours} currency={row.currency} /> },
            { header: own.theirs, align: "right", cell: (row) => <Money amount={row.theirs} currency={row.currency} /> },
            { header: own.difference, align: "right", cell: (row) => <Money amount={row.difference} currency={row.currency} strong /> },
          ]}
        />
      )}
      {differences.length === 0 ? (
        <Empty title={own.none} next={ended_at === null ? own.noneNext : undefined} icon={CheckCircleIcon} />
      ) : (
        <DataTable
          label={own.differences}
          rows={differences}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          columns={[
            { header: texts.common.what, cell: ({ kind }) => own.kinds[kind] },
            { header: words.partners.id, cell: ({ id }) => <span className="id">{id}</span> },
            { header: own.ours, from: "sm", cell: ({ ours }) => ours ?? "–" },
            { header: own.theirs, from: "sm", cell: ({ theirs }) => theirs ?? "–" },
            { header: own.cure, cell: ({ cure }) => <WithDocs text={cure} /> },
          ]}
        />
      )}
    </Card>
  );
}
