import { useNavigate } from "@tanstack/react-router";
import { PAGE_SIZE } from "../../objects/list-query.ts";
import { Empty } from "../../shared/empty.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Page } from "../../shared/page.tsx";
import { PagedList } from "../../shared/paged-list.tsx";
import { RowLink } from "../../shared/row-link.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { keepingPage } from "../shared/use-list.ts";
import { words } from "../texts.ts";

const { partners: own } = words;

/** All partners. */
export function PartnersPage() {
  const { cursor } = useSearchTexts();
  const navigate = useNavigate();
  const query = api.useQuery("get", "/ops/partners", { params: { query: { limit: PAGE_SIZE, cursor } } }, keepingPage);
  const add = (
    <Action
      call="partners create"
      given={{}}
      label={own.add}
      variant="filled"
      onDone={({ id }) => void navigate({ to: "/partners/$partner", params: { partner: String(id) } })}
    />
  );
  return (
    <Page title={own.title} about={own.about} actions={add}>
      <PagedList
        label={own.title}
        query={query}
        keyOf={(row) => row.id}
        pageOf={(row) => `/partners/${row.id}`}
        columns={[
          { header: own.name, sortBy: (row) => row.name, cell: (row) => <RowLink to={`/partners/${row.id}`}>{row.name}</RowLink> },
          { header: own.id, from: "sm", sortBy: (row) => row.id, cell: (row) => <span className="id">{row.id}</span> },
          { header: own.status, sortBy: (row) => row.status, cell: (row) => <Status status={row.status} /> },
          { header: own.cell, from: "md", sortBy: (row) => row.cell, cell: (row) => row.cell },
          { header: own.since, from: "sm", sortBy: (row) => row.created_at, cell: (row) => <MomentText at={row.created_at} /> },
        ]}
        empty={<Empty title={own.none} next={own.noneNext} />}
      />
    </Page>
  );
}
