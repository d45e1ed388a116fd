import { Stack, Text } from "@mantine/core";
import { AuditChange } from "../../shared/audit-change.tsx";
import type { Filter } from "../../shared/filters.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { queryOf } from "../../shared/query.ts";
import { texts } from "../../texts/index.ts";
import { api, client, type QueryOf } from "../api/client.ts";
import { END, partnerFilter, periodFilters } from "../shared/list-filters.ts";
import { Browse } from "../shared/list-page.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { keepingPage, useListSearch } from "../shared/use-list.ts";
import { words } from "../texts.ts";

/** Changes: of one partner, or of all. */
export function AuditList({ partner }: { readonly partner?: string }) {
  const { query, cursor } = useListSearch(["target", "actor", "since", "until"], partner);
  const { environment: _, ...wanted } = query;
  const asked = queryOf<QueryOf<"/ops/audit">>(wanted);
  const list = api.useQuery("get", "/ops/audit", { params: { query: { ...asked, cursor } } }, keepingPage);
  const filters: readonly Filter[] = [
    ...(partner === undefined ? [partnerFilter] : []),
    { kind: "text", name: "target", label: texts.audit.target },
    { kind: "text", name: "actor", label: words.audit.actor },
    ...periodFilters,
  ];
  return (
    <Browse
      name="audit"
      label={words.audit.title}
      query={list}
      filters={filters}
      keyOf={(row) => `${row.at} ${row.action} ${row.target} ${row.request_id}`}
      columns={[
        {
          header: texts.audit.action,
          cell: (row) => (
            <Stack gap={2}>
              <Text size="sm" fw={500}>
                {texts.audit.actionOf(row.action)}
              </Text>
              <Text size="xs" component="div">
                <ObjectLink id={row.target} />
              </Text>
            </Stack>
          ),
        },
        { header: words.audit.actor, sortBy: (row) => row.actor, cell: (row) => row.actor },
        ...(partner === undefined
          ? [
              {
                header: words.lists.partner,
                from: "md" as const,
                cell: (row: { readonly partner_id: string | null }) => <PartnerLink id={row.partner_id} />,
              },
            ]
          : []),
        { header: texts.audit.change, from: "md", cell: (row) => <AuditChange before={row.before} after={row.after} /> },
        { header: texts.audit.at, from: "sm", sortBy: (row) => row.at, cell: (row) => <MomentText at={row.at} /> },
      ]}
      read={async (next) => (await client.GET("/ops/audit", { params: { query: { ...asked, cursor: next } } })).data ?? END}
    />
  );
}
