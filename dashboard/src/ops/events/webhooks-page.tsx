import { PAGE_SIZE } from "../../objects/list-query.ts";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { Page } from "../../shared/page.tsx";
import { PageButtons } from "../../shared/page-buttons.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { api } from "../api/client.ts";
import { keepingPage } from "../shared/use-list.ts";
import { words } from "../texts.ts";
import { WebhooksTable } from "./webhooks-table.tsx";

const { webhooks: own } = words;

/** The webhooks that need a person. */
export function WebhooksPage() {
  const { cursor } = useSearchTexts();
  const { data, error, refetch } = api.useQuery("get", "/ops/endpoints", { params: { query: { limit: PAGE_SIZE, cursor } } }, keepingPage);
  return (
    <Page title={words.navigation.webhooks} about={own.about}>
      {error !== null && <Failure thrown={error} retry={() => void refetch()} />}
      <div className="card">
        {data === undefined && <RowsSkeleton />}
        {data?.data.length === 0 && cursor === undefined && <Empty title={own.none} />}
        {data !== undefined && data.data.length > 0 && <WebhooksTable rows={data.data} />}
        {data !== undefined && <PageButtons next={data.next} />}
      </div>
    </Page>
  );
}
