import { Button, Stack, Text } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { Copied } from "../shared/copy.tsx";
import type { Column } from "../shared/data-table.tsx";
import { Empty } from "../shared/empty.tsx";
import { MomentText } from "../shared/moment.tsx";
import { Page } from "../shared/page.tsx";
import { PAGE_SIZE, PagedList } from "../shared/paged-list.tsx";
import { Status } from "../shared/status.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

type Code = paths["/partner/promotion-codes"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

const { promotionCodes: words } = texts;

function statusOf({ deactivated_at, expires_at }: Code): string {
  if (deactivated_at !== null) return "disabled";
  return expires_at !== null && new Date(expires_at) < new Date() ? "expired" : "active";
}

const columns: readonly Column<Code>[] = [
  {
    header: words.code,
    cell: (row) => (
      <Stack gap={2}>
        <Copied value={row.code} what={words.code} />
        <Text size="xs" c="dimmed" hiddenFrom="md">
          {row.expires_at === null ? words.never : <MomentText at={row.expires_at} />} · {row.product_ids.join(", ")}
        </Text>
      </Stack>
    ),
  },
  { header: words.status, cell: (row) => <Status status={statusOf(row)} /> },
  { header: words.off, align: "right", cell: (row) => <span className="amount">{row.percent_off} %</span> },
  { header: words.duration, from: "sm", cell: (row) => words.durationOf(row.duration, row.duration_in_months) },
  { header: words.products, from: "md", cell: (row) => <span className="id">{row.product_ids.join(", ")}</span> },
  { header: words.redemptions, from: "lg", align: "right", cell: (row) => row.max_redemptions?.toLocaleString() ?? words.unlimited },
  { header: words.expires, from: "md", cell: (row) => (row.expires_at === null ? words.never : <MomentText at={row.expires_at} />) },
];

/** The promotion codes of an environment. */
export function PromotionCodesPage() {
  const { environment } = useEnvironment();
  const { cursor } = useSearch({ from: "__root__" });
  const mayCreate = useMay("product_create");
  const query = api.useQuery(
    "get",
    "/partner/promotion-codes",
    { params: { query: { environment, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) } } },
    { placeholderData: keepPreviousData },
  );
  const create = (
    <Button
      size="xs"
      leftSection={<PlusIcon size={14} aria-hidden />}
      renderRoot={(props) => <Link to="/promotion-codes/new" {...props} />}
    >
      {words.create}
    </Button>
  );
  return (
    <Page title={words.title} about={words.about} actions={mayCreate ? create : undefined}>
      <PagedList
        label={words.title}
        query={query}
        columns={columns}
        keyOf={(row) => row.promotion_code_id}
        empty={<Empty title={words.none} next={words.noneNext} action={mayCreate ? create : undefined} />}
      />
    </Page>
  );
}
