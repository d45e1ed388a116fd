import type { RowOf } from "../../api/paths.ts";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { Status } from "../../shared/status.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { texts } from "../../texts/index.ts";
import { disputeKind } from "./words.ts";

const { disputes: words } = texts;

/** The disputes of an order. Nothing without one. */
export const DisputesOfOrder = ({ disputes }: { readonly disputes: readonly RowOf<"/partner/disputes">[] }) => (
  <TableCard
    title={words.title}
    rows={disputes}
    keyOf={(row) => row.id}
    columns={[
      { header: texts.common.reason, cell: disputeKind },
      { header: texts.common.status, cell: (row) => <Status status={row.state} /> },
      { header: texts.common.amount, align: "right", cell: (row) => <Money amount={row.amount} currency={row.currency} strong /> },
      { header: words.dueBy, cell: (row) => (row.evidence_due_by === null ? "–" : <MomentText at={row.evidence_due_by} />) },
    ]}
  />
);
