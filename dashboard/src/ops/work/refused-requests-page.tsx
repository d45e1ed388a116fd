import { Text } from "@mantine/core";
import { PAGE_SIZE } from "../../objects/list-query.ts";
import { inPartnersZone, periodFilters } from "../../objects/object-list.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Filters } from "../../shared/filters.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Page } from "../../shared/page.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { SecondLine } from "../../shared/two-lines.tsx";
import { texts } from "../../texts/index.ts";
import { api, type RowOf } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";
import { PartnerLink } from "../shared/partner-link.tsx";
import { keepingPage } from "../shared/use-list.ts";
import { words } from "../texts.ts";

const { refusedRequests: own } = words;
const { requests: shared } = texts;

type Operation = NonNullable<paths["/ops/requests"]["get"]["parameters"]["query"]>["operation"];

const pageOf = ({ partner_id, request }: RowOf<"/ops/requests">): string =>
  `/partners/${partner_id}/requests/${encodeURIComponent(request)}`;

/** What callers of all partners were refused, and what corrects it. */
export function RefusedRequestsPage() {
  const { cursor, partner, operation, code, since, until } = useSearchTexts();
  const query = api.useQuery(
    "get",
    "/ops/requests",
    {
      params: {
        query: {
          limit: PAGE_SIZE,
          cursor,
          partner,
          // The Worker refuses another one, in words.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          operation: operation as Operation,
          code,
          since,
          until,
        },
      },
    },
    keepingPage,
  );
  return (
    <Page title={own.title} about={own.about}>
      <Filters
        filters={[
          { kind: "text", name: "code", label: shared.errorCode },
          { kind: "text", name: "operation", label: shared.operation },
          { kind: "text", name: "partner", label: words.lists.partner },
          ...periodFilters().map(partner === undefined ? (filter) => filter : inPartnersZone),
        ]}
      />
      <PagedList
        label={own.title}
        query={query}
        keyOf={({ at, request }) => `${at} ${request}`}
        pageOf={pageOf}
        columns={[
          {
            header: shared.errorCode,
            cell: (row) => (
              <>
                <RowLink to={pageOf(row)}>{row.code ?? row.operation}</RowLink>
                <SecondLine text={row.message} />
              </>
            ),
          },
          { header: words.lists.partner, cell: (row) => <PartnerLink id={row.partner_id} /> },
          { header: shared.operation, from: "md", cell: (row) => row.operation },
          { header: shared.cure, from: "lg", cell: (row) => <Text size="xs">{row.cure ?? row.repeat}</Text> },
          { header: texts.common.at, from: "sm", cell: (row) => <MomentText at={row.at} /> },
        ]}
        empty={<Empty title={own.none} next={own.noneNext} />}
      />
    </Page>
  );
}
