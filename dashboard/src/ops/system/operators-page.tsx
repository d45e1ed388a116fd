import { PAGE_SIZE } from "../../objects/list-query.ts";
import { Empty } from "../../shared/empty.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Page } from "../../shared/page.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { words } from "../texts.ts";

const { operators: own } = words;

/** The people who may operate the service. */
export function OperatorsPage() {
  const { cursor } = useSearchTexts();
  const query = api.useQuery("get", "/ops/operators", { params: { query: { limit: PAGE_SIZE, cursor } } });
  return (
    <Page title={own.title} about={own.about} actions={<Action call="operators set" given={{}} label={own.add} variant="filled" />}>
      <PagedList
        label={own.title}
        query={query}
        keyOf={(row) => row.email}
        columns={[
          { header: words.partners.name, cell: (row) => row.email },
          { header: own.roles, cell: (row) => row.roles.join(", ") || "–" },
          { header: words.partners.since, from: "sm", cell: (row) => <MomentText at={row.since} /> },
          {
            header: texts.keys.actions,
            cell: ({ email, roles }) => <Action call="operators set" given={{ email }} initial={{ roles }} label={own.set} />,
          },
        ]}
        empty={<Empty title={own.none} />}
      />
    </Page>
  );
}
