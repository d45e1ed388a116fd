import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { Page } from "../../shared/page.tsx";
import { PageTabs } from "../../shared/page-tabs.tsx";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
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
  const { data, error, refetch } = api.useQuery("get", "/ops/work", { params: { query: { kind } } });
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  if (data.data.length === 0) return <Empty title={own.none} />;
  return (
    <div className="card">
      <DataTable
        label={own.tabs[kind]}
        rows={data.data}
        keyOf={(row) => row.id}
        columns={[
          { header: words.partners.id, cell: (row) => <ObjectLink id={row.id} /> },
          { header: words.lists.partner, cell: (row) => (row.partner_id === null ? "–" : <PartnerLink id={row.partner_id} />) },
          { header: own.what, from: "sm", cell: (row) => row.what ?? "–" },
          {
            header: words.lists.environment,
            from: "md",
            cell: (row) => (row.environment === null ? "–" : texts.environment[row.environment]),
          },
          { header: own.since, cell: (row) => <MomentText at={row.since} /> },
        ]}
      />
    </div>
  );
}
