import { PAGE_SIZE } from "../../objects/list-query.ts";
import { Empty } from "../../shared/empty.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Page } from "../../shared/page.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { keepingPage } from "../shared/use-list.ts";
import { words } from "../texts.ts";

const { shortLinks: own } = words;

/** Links whose short link is missing. */
export function ShortLinksPage() {
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/ops/short-links", { params: { query: { limit: PAGE_SIZE, cursor } } }, keepingPage);
  return (
    <Page title={own.title} about={own.about}>
      <PagedList
        label={own.title}
        query={query}
        keyOf={(row) => row.payment_link_id}
        columns={[
          { header: words.links.title, cell: (row) => <ObjectLink id={row.payment_link_id} /> },
          { header: words.lists.partner, cell: (row) => <PartnerLink id={row.partner_id} /> },
          { header: own.operation, from: "md", cell: (row) => row.operation },
          { header: own.waiting, from: "sm", cell: (row) => <MomentText at={row.waiting_since} /> },
          {
            header: texts.keys.actions,
            cell: (row) => (
              <Action call="short-links complete" given={{ link: row.payment_link_id }} label={words.links.complete} isImmediate />
            ),
          },
        ]}
        empty={<Empty title={own.none} />}
      />
    </Page>
  );
}
