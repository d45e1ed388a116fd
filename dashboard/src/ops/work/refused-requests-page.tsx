import { Text } from "@mantine/core";
import { listPage } from "../../objects/list-page.tsx";
import { periodFilters } from "../../objects/object-list.tsx";
import { linkColumn } from "../../shared/columns.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { texts } from "../../texts/index.ts";
import type { RowOf } from "../api/client.ts";
import type { OpsListOf } from "../shared/ops-list.ts";
import { words } from "../texts.ts";

const { refusedRequests: own } = words;
const { requests: shared } = texts;

const pageOf = ({ partner_id, request }: RowOf<"/ops/requests">): string =>
  `/partners/${partner_id}/requests/${encodeURIComponent(request)}`;

/** What callers of all partners were refused, and what corrects it. */
const refusedRequests: OpsListOf<"/ops/requests"> = {
  path: "/ops/requests",
  name: "refused-requests",
  label: own.title,
  filters: () => [
    { kind: "text", name: "code", label: shared.errorCode },
    { kind: "text", name: "operation", label: shared.operation },
    ...periodFilters(),
  ],
  hasEnvironment: false,
  keyOf: ({ at, request }) => `${at} ${request}`,
  pageOf,
  columns: [
    linkColumn(shared.errorCode, pageOf, (row) => row.code ?? row.operation, { second: (row) => row.message }),
    { header: shared.operation, from: "md", cell: (row) => row.operation },
    { header: shared.cure, from: "lg", cell: (row) => <Text size="xs">{row.cure ?? row.repeat}</Text> },
    { header: texts.common.at, from: "sm", cell: (row) => <MomentText at={row.at} /> },
  ],
  none: own.none,
  noneNext: own.noneNext,
};

export const RefusedRequestsPage = listPage(refusedRequests, own.about);
