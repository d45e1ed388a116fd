import { PAGE_SIZE } from "../../objects/list-query.ts";
import { Empty } from "../../shared/empty.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Page } from "../../shared/page.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { keepingPage } from "../shared/use-list.ts";
import { words } from "../texts.ts";

const { bank: own, rublePayments: ofOrders } = words;

/** The bank's notifications that could not be applied. */
export function BankPage() {
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/ops/bank/notifications", { params: { query: { limit: PAGE_SIZE, cursor } } }, keepingPage);
  return (
    <Page title={own.title} about={own.about}>
      <PagedList
        label={own.title}
        query={query}
        keyOf={(row) => row.id}
        columns={[
          { header: ofOrders.problem, cell: (row) => row.problem ?? "–" },
          {
            header: ofOrders.order,
            cell: (row) =>
              row.order_id === null ? "–" : <RowLink to={`/ruble-payments/${encodeURIComponent(row.order_id)}`}>{row.order_id}</RowLink>,
          },
          { header: texts.common.status, from: "sm", cell: (row) => <Status status={row.status} /> },
          { header: ofOrders.received, from: "sm", cell: (row) => <MomentText at={row.received_at} /> },
          {
            header: texts.keys.actions,
            cell: ({ id }) => <Action call="bank-notifications dismiss" given={{ id }} about={id} label={own.dismiss} />,
          },
        ]}
        empty={<Empty title={own.none} />}
      />
    </Page>
  );
}
