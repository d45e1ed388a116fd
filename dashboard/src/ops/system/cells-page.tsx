import { Group, Text } from "@mantine/core";
import { DataTable } from "../../shared/data-table.tsx";
import { Failure } from "../../shared/failure.tsx";
import { Card, Page } from "../../shared/page.tsx";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { Tag } from "../../shared/tag.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";

const { cells: own } = words;

/** The databases with partners' data, moves between them, and rewrites of lost stores. */
export function CellsPage() {
  const { data, error, refetch } = api.useQuery("get", "/ops/cells");
  const moves = api.useQuery("get", "/ops/moves", {}, { refetchInterval: 10_000 });
  const refills = api.useQuery("get", "/ops/refills", {}, { refetchInterval: 10_000 });
  if (data === undefined) return error ? <Failure thrown={error} retry={() => void refetch()} /> : <RowsSkeleton />;
  return (
    <Page title={own.title} about={own.about} actions={<Action call="partners move" given={{}} label={own.move} />}>
      <Card>
        <DataTable
          label={own.title}
          rows={data.data}
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
              cell: ({ cell }) => (
                <Group gap="xs">
                  <Action call="short-links refill" given={{ cell }} label={own.refill} />
                  <Action call="snapshots refill" given={{ cell }} label={own.snapshots} />
                </Group>
              ),
            },
          ]}
        />
      </Card>
      <Card title={own.moves}>
        {moves.data?.data.length === 0 && (
          <Text size="sm" c="dimmed">
            {own.noMoves}
          </Text>
        )}
        {moves.data !== undefined && moves.data.data.length > 0 && (
          <DataTable
            label={own.moves}
            rows={moves.data.data}
            keyOf={(row) => row.partner}
            columns={[
              { header: words.lists.partner, cell: (row) => <PartnerLink id={row.partner} /> },
              { header: own.phase, cell: (row) => row.problem ?? row.phase.replaceAll("_", " ") },
              { header: own.progress, cell: (row) => `${row.from} → ${row.to}` },
              { header: texts.keys.actions, cell: (row) => <Action call="partners stay" given={{ id: row.partner }} label={own.stay} /> },
            ]}
          />
        )}
      </Card>
      <Card title={own.refills}>
        {refills.data?.data.length === 0 && (
          <Text size="sm" c="dimmed">
            {own.noRefills}
          </Text>
        )}
        {refills.data !== undefined && refills.data.data.length > 0 && (
          <DataTable
            label={own.refills}
            rows={refills.data.data}
            keyOf={(row) => `${row.cell} ${row.kind}`}
            columns={[
              { header: words.partners.cell, cell: (row) => `${row.cell} · ${row.kind}` },
              { header: own.progress, cell: (row) => `${row.percent} % · ${row.state.replaceAll("_", " ")}` },
              {
                header: texts.keys.actions,
                cell: ({ cell, kind, state }) =>
                  state === "going_on" && <Action call="refills stop" given={{ cell, kind }} label={own.stop} isImmediate />,
              },
            ]}
          />
        )}
      </Card>
    </Page>
  );
}
