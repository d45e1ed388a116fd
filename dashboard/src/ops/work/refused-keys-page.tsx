import { listPage } from "../../objects/list-page.tsx";
import { linkColumn } from "../../shared/columns.tsx";
import { MomentText } from "../../shared/moment.tsx";
import type { RowOf } from "../api/client.ts";
import { CopySummary } from "../shared/copy-summary.tsx";
import type { OpsListOf } from "../shared/ops-list.ts";
import { words } from "../texts.ts";

const { refusedKeys: own } = words;

/** Where the keys of a partner are listed; null for an unknown key. */
const pageOf = ({ partner_id: partner }: RowOf<"/ops/refused-keys">) => (partner === null ? null : `/partners/${partner}?tab=keys`);

/** Why a partner's key does not work. */
const refusedKeys: OpsListOf<"/ops/refused-keys"> = {
  path: "/ops/refused-keys",
  name: "refused-keys",
  label: own.title,
  filters: () => [
    { kind: "text", name: "hint", label: own.hint },
    { kind: "text", name: "address", label: own.address },
  ],
  hasEnvironment: false,
  keyOf: (row) => `${row.day} ${row.address} ${row.hint} ${row.reason}`,
  pageOf,
  columns: [
    linkColumn(own.hint, pageOf, (row) => <span className="id">…{row.hint}</span>),
    { header: words.keys.answer, cell: (row) => <CopySummary of={row.summary} /> },
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
  ],
  none: own.none,
};

export const RefusedKeysPage = listPage(refusedKeys, own.about);
