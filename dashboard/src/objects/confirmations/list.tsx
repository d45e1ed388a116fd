import { Stack } from "@mantine/core";
import { audience } from "../../api/audience.ts";
import type { RowOf } from "../../api/paths.ts";
import { MomentText } from "../../shared/moment.tsx";
import { Note } from "../../shared/page.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import type { ObjectListOf } from "../object-list.tsx";
import { titleOfPreview } from "./words.ts";

const { confirmations: words } = texts;

/** Operators decide nothing here, and have no such page. */
const pageOf = (row: RowOf<"/partner/confirmations">): string | null =>
  audience().name === "partner" ? `/developers/confirmations/${row.confirmation_id}` : null;

/** What agents asked a person for. */
export const confirmations: ObjectListOf<"/partner/confirmations"> = {
  path: "/partner/confirmations",
  name: "confirmations",
  label: words.title,
  hasEnvironment: false,
  isOfAll: false,
  keyOf: (row) => row.confirmation_id,
  pageOf,
  columns: [
    {
      header: texts.common.what,
      cell: (row) => (
        <Stack gap={2}>
          <RowLink to={pageOf(row)}>{titleOfPreview(row.would_make)}</RowLink>
          <Note size="xs">
            {row.would_make.environments.map((one) => texts.environment[one]).join(", ")} · {row.client_name}
          </Note>
        </Stack>
      ),
    },
    { header: texts.common.status, sortBy: (row) => row.state, cell: (row) => <Status status={row.state} /> },
    { header: words.asked, from: "sm", sortBy: (row) => row.requested_at, cell: (row) => <MomentText at={row.requested_at} /> },
  ],
  none: words.none,
  noneNext: words.noneNext,
};
