import { PAGE_SIZE } from "../../objects/list-query.ts";
import { Empty } from "../../shared/empty.tsx";
import { Filters } from "../../shared/filters.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Page } from "../../shared/page.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { api } from "../api/client.ts";
import { CopySummary } from "../shared/copy-summary.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { keepingPage } from "../shared/use-list.ts";
import { words } from "../texts.ts";

const { refusedKeys: own } = words;

/** Where the keys of a partner are listed; null for an unknown key. */
const keysOf = (partner: string | null): string | null => (partner === null ? null : `/partners/${partner}?tab=keys`);

/** Why a partner's key does not work. */
export function RefusedKeysPage() {
  const { cursor, hint, address, partner } = useSearchTexts();
  const query = api.useQuery(
    "get",
    "/ops/refused-keys",
    { params: { query: { limit: PAGE_SIZE, cursor, hint, address, partner } } },
    keepingPage,
  );
  return (
    <Page title={own.title} about={own.about}>
      <Filters
        filters={[
          { kind: "text", name: "hint", label: own.hint },
          { kind: "text", name: "address", label: own.address },
          { kind: "text", name: "partner", label: words.lists.partner },
        ]}
      />
      <PagedList
        label={own.title}
        query={query}
        keyOf={(row) => `${row.day} ${row.address} ${row.hint} ${row.reason}`}
        pageOf={(row) => keysOf(row.partner_id)}
        columns={[
          {
            header: own.hint,
            cell: (row) => {
              const page = keysOf(row.partner_id);
              const shown = <span className="id">…{row.hint}</span>;
              return page === null ? shown : <RowLink to={page}>{shown}</RowLink>;
            },
          },
          { header: own.says, cell: (row) => <CopySummary of={row.summary} /> },
          { header: words.lists.partner, cell: (row) => <PartnerLink id={row.partner_id} /> },
          {
            header: own.address,
            from: "sm",
            cell: (row) => (
              <span className="id" style={{ whiteSpace: "nowrap" }}>
                {row.address}
              </span>
            ),
          },
          { header: own.count, align: "right", from: "sm", cell: (row) => row.count.toLocaleString() },
          { header: own.last, from: "sm", cell: (row) => <MomentText at={row.last_at} /> },
        ]}
        empty={<Empty title={own.none} />}
      />
    </Page>
  );
}
