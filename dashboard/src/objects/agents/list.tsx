import { momentColumn } from "../../shared/columns.tsx";
import { Rights } from "../../shared/rights.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { waitingText } from "../confirmations/words.ts";
import type { ObjectListOf } from "../object-list.tsx";

const { agents: words } = texts;

/** The agents that signed in with one of a partner's keys. */
export const agents: ObjectListOf<"/partner/agents"> = {
  path: "/partner/agents",
  name: "agents",
  label: words.title,
  hasEnvironment: false,
  isOfAll: false,
  keyOf: (row) => row.grant_id,
  columns: [
    { header: words.name, sortBy: (row) => row.client_name, cell: (row) => row.client_name },
    { header: texts.common.status, from: "sm", sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
    { header: texts.rights.label, from: "sm", cell: (row) => <Rights rights={row.permissions} /> },
    { header: words.environments, from: "sm", cell: (row) => row.environments.map((one) => texts.environment[one]).join(", ") },
    { header: words.waits, from: "sm", cell: (row) => waitingText(row.confirmations) },
    momentColumn(texts.common.lastUsed, "last_used_at", { from: "sm", none: texts.common.never }),
  ],
  none: words.none,
  noneNext: words.noneNext,
};
