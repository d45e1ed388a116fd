import { Stack, Text } from "@mantine/core";
import { Empty } from "../../shared/empty.tsx";
import { Filters } from "../../shared/filters.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import { PAGE_SIZE, PagedList } from "../../shared/paged-list.tsx";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { useSearchTexts } from "../shared/address.ts";
import { environmentFilter } from "../shared/list-filters.ts";
import { keepingPage } from "../shared/use-list.ts";
import { words } from "../texts.ts";

const { requests: own } = words;

/** A partner's requests as it sees them itself: what was made, what was refused and why, and what a repeat would get. */
export function RequestsTab({ partner }: { readonly partner: string }) {
  const { cursor, env, outcome } = useSearchTexts();
  const environment = env === "test" ? "test" : "live";
  const wanted = outcome === "created" || outcome === "refused" ? outcome : undefined;
  const query = api.useQuery(
    "get",
    "/ops/partners/{partner}/requests",
    { params: { path: { partner }, query: { environment, outcome: wanted, limit: PAGE_SIZE, cursor } } },
    keepingPage,
  );
  return (
    <Stack>
      <Filters
        filters={[environmentFilter, { kind: "choice", name: "outcome", label: texts.payments.status, choices: ["created", "refused"] }]}
      />
      <PagedList
        label={words.partners.tabs.requests ?? ""}
        query={query}
        keyOf={(row) => `${row.at} ${row.request} ${row.created}`}
        columns={[
          {
            header: words.shortLinks.operation,
            cell: (row) => (
              <>
                {row.operation}
                <Text size="xs" c="dimmed" component="div">
                  {row.message ?? (row.created === null ? null : <ObjectLink id={row.created} />)}
                </Text>
              </>
            ),
          },
          { header: texts.payments.status, cell: (row) => <Status status={row.outcome} /> },
          {
            header: own.repeat,
            from: "md",
            cell: (row) => (
              <Text size="xs">
                {row.cure === null ? "" : `${row.cure} `}
                {row.repeat}
              </Text>
            ),
          },
          { header: texts.payments.date, from: "sm", cell: (row) => <MomentText at={row.at} /> },
        ]}
        empty={<Empty title={own.none} />}
      />
    </Stack>
  );
}
