import { listPage } from "../../objects/list-page.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { PageLink } from "../../shared/page-link.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { Action } from "../calls/action.tsx";
import type { OpsListOf } from "../shared/ops-list.ts";
import { words } from "../texts.ts";

const { bank: own, rublePayments: ofOrders } = words;

/** The bank's notifications that could not be applied. */
const notifications: OpsListOf<"/ops/bank/notifications"> = {
  path: "/ops/bank/notifications",
  name: "bank-notifications",
  label: own.title,
  hasEnvironment: false,
  isOfAll: false,
  keyOf: (row) => row.id,
  columns: [
    { header: ofOrders.problem, cell: (row) => row.problem ?? "–" },
    {
      header: texts.common.order,
      cell: (row) =>
        row.order_id === null ? "–" : <PageLink to={`/ruble-payments/${encodeURIComponent(row.order_id)}`}>{row.order_id}</PageLink>,
    },
    { header: texts.common.status, from: "sm", cell: (row) => <Status status={row.status} /> },
    { header: ofOrders.received, from: "sm", cell: (row) => <MomentText at={row.received_at} /> },
    {
      header: texts.keys.actions,
      cell: ({ id }) => <Action call="bank-notifications dismiss" given={{ id }} about={id} label={own.dismiss} />,
    },
  ],
  none: own.none,
};

export const BankPage = listPage(notifications, own.about);
