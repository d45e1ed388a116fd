import { Stack, Text } from "@mantine/core";
import { operationNames } from "../../api/bodies.ts";
import { MomentText } from "../../shared/moment.tsx";
import { withMoments } from "../../shared/moment-text.ts";
import { ObjectLink } from "../../shared/object-link.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { type ObjectListOf, periodFilters } from "../object-list.tsx";
import { counted } from "../selection.tsx";

const { requests: words } = texts;

/** What a partner asked, what was refused, and how to correct it. `addressOf`: the page of a request whose record is kept. */
export const requestsList = (addressOf: (request: string) => string): ObjectListOf<"/partner/requests"> => {
  const pageOf = ({ request }: { readonly request: string | null }) => (request === null ? null : addressOf(request));
  return {
    path: "/partner/requests",
    name: "requests",
    label: words.title,
    filters: () => [
      { kind: "choice", name: "outcome", label: words.outcome, choices: ["created", "refused"] },
      { kind: "choice", name: "operation", label: words.operation, choices: operationNames },
      { kind: "text", name: "code", label: words.errorCode },
      ...periodFilters(),
    ],
    isOfAll: false,
    file: "requests",
    hasChoice: false,
    summary: counted(words.count),
    keyOf: (row) => `${row.at} ${row.request} ${row.created}`,
    pageOf,
    columns: [
      {
        header: words.operation,
        cell: (row) => {
          const to = pageOf(row);
          return (
            <Stack gap={2}>
              {to === null ? row.operation : <RowLink to={to}>{row.operation}</RowLink>}
              {row.message !== null && (
                <Text size="xs" c="dimmed" lineClamp={2}>
                  {row.message}
                </Text>
              )}
            </Stack>
          );
        },
      },
      { header: words.outcome, sortBy: (row) => row.outcome, cell: (row) => <Status status={row.outcome} /> },
      {
        header: words.code,
        from: "md",
        cell: (row) => (row.created === null ? <span className="id">{row.code ?? ""}</span> : <ObjectLink id={row.created} />),
      },
      {
        header: words.repeat,
        from: "lg",
        cell: (row) => (
          <Text size="xs">
            {row.cure === null ? "" : `${words.cureOf(row.code, row.cure)} `}
            {withMoments(words.repeatOf(row))}
          </Text>
        ),
      },
      { header: words.id, from: "lg", cell: (row) => (row.request === null ? "–" : <ObjectLink id={row.request} />) },
      { header: texts.common.at, from: "sm", sortBy: (row) => row.at, cell: (row) => <MomentText at={row.at} /> },
    ],
    none: words.none,
    noneNext: words.noneNext,
  };
};
