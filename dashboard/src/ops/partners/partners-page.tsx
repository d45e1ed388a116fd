import { useNavigate } from "@tanstack/react-router";
import { listPage } from "../../objects/list-page.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { Action } from "../calls/action.tsx";
import type { OpsListOf } from "../shared/ops-list.ts";
import { words } from "../texts.ts";

const { partners: own } = words;

/** All partners. */
const partners: OpsListOf<"/ops/partners"> = {
  path: "/ops/partners",
  name: "partners",
  label: own.title,
  hasEnvironment: false,
  isOfAll: false,
  keyOf: (row) => row.id,
  pageOf: (row) => `/partners/${row.id}`,
  columns: [
    { header: texts.common.name, sortBy: (row) => row.name, cell: (row) => <RowLink to={`/partners/${row.id}`}>{row.name}</RowLink> },
    { header: own.id, from: "sm", sortBy: (row) => row.id, cell: (row) => <span className="id">{row.id}</span> },
    { header: texts.common.status, sortBy: (row) => row.status, cell: (row) => <Status status={row.status} /> },
    { header: own.cell, from: "md", sortBy: (row) => row.cell, cell: (row) => row.cell },
    { header: own.since, from: "sm", sortBy: (row) => row.created_at, cell: (row) => <MomentText at={row.created_at} /> },
  ],
  none: own.none,
  noneNext: own.noneNext,
};

function AddPartner() {
  const navigate = useNavigate();
  const show = (id: unknown) => void navigate({ to: "/partners/$partner", params: { partner: String(id) } });
  return <Action call="partners create" given={{}} label={own.add} variant="filled" onDone={({ id }) => show(id)} />;
}

export const PartnersPage = listPage(partners, own.about, { action: <AddPartner /> });
