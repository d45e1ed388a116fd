import { MomentText } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Page } from "../../shared/page.tsx";
import { PageTabs } from "../../shared/page-tabs.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";

const { ownWork: own } = words;
type Kind = keyof typeof own.tabs;

/** What the service itself should have done by now, by kind. */
export const OwnWorkPage = () => (
  <Page title={own.title} about={own.about}>
    <PageTabs
      tabs={[tab("deliveries"), tab("look-ups"), tab("operations"), tab("compensations"), tab("ruble-payments"), tab("comparisons")]}
    />
  </Page>
);

const tab = (kind: Kind) => ({ name: kind, label: own.tabs[kind], content: <Rows kind={kind} /> });

function Rows({ kind }: { readonly kind: Kind }) {
  const query = api.useQuery("get", "/ops/work", { params: { query: { kind } } });
  return (
    <TableCard
      title={own.tabs[kind]}
      query={query}
      none={{ title: own.none }}
      keyOf={(row) => row.id}
      columns={[
        { header: words.partners.id, cell: (row) => <ObjectLink id={row.id} /> },
        { header: texts.list.partner, cell: (row) => (row.partner_id === null ? "–" : <PartnerLink id={row.partner_id} />) },
        { header: texts.common.what, from: "sm", cell: (row) => row.what ?? "–" },
        {
          header: words.lists.environment,
          from: "md",
          cell: (row) => (row.environment === null ? "–" : texts.environment[row.environment]),
        },
        { header: words.partners.since, cell: (row) => <MomentText at={row.since} /> },
      ]}
    />
  );
}
