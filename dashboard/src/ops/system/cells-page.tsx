import { Page } from "../../shared/page.tsx";
import { TableCard } from "../../shared/table-card.tsx";
import { Tag } from "../../shared/tag.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";

const { cells: own } = words;

/** The databases with partners' data, and moves between them. */
export function CellsPage() {
  const cells = api.useQuery("get", "/ops/cells");
  const moves = api.useQuery("get", "/ops/moves", {}, { refetchInterval: 10_000 });
  return (
    <Page title={own.title} about={own.about} actions={<Action call="partners move" given={{}} label={own.move} />}>
      <TableCard
        title={own.title}
        query={cells}
        keyOf={(row) => row.cell}
        columns={[
          { header: words.partners.cell, cell: (row) => row.cell },
          { header: texts.common.status, cell: (row) => <Tag color={row.state === "ok" ? "green" : "orange"}>{row.state}</Tag> },
          { header: own.region, from: "md", cell: (row) => row.region ?? "–" },
          { header: own.partners, align: "right", cell: (row) => row.partners.toLocaleString() },
          { header: own.full, align: "right", cell: (row) => (row.per_cent_full === null ? "–" : `${row.per_cent_full} %`) },
          {
            header: own.room,
            align: "right",
            from: "sm",
            cell: (row) => (row.days_until_full === null ? "–" : own.days(row.days_until_full)),
          },
          {
            header: texts.keys.actions,
            from: "md",
            cell: ({ cell }) => <Action call="snapshots refill" given={{ cell }} label={own.snapshots} />,
          },
        ]}
      />
      <TableCard
        title={own.moves}
        query={moves}
        none={{ title: own.noMoves }}
        keyOf={(row) => row.partner}
        columns={[
          { header: texts.list.partner, cell: (row) => <PartnerLink id={row.partner} /> },
          { header: own.phase, cell: (row) => row.problem ?? row.phase.replaceAll("_", " ") },
          { header: own.progress, cell: (row) => `${row.from} → ${row.to}` },
          { header: texts.keys.actions, cell: (row) => <Action call="partners stay" given={{ id: row.partner }} label={own.stay} /> },
        ]}
      />
    </Page>
  );
}
