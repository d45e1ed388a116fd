import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { Page } from "../../shared/page.tsx";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { api } from "../api/client.ts";
import { words } from "../texts.ts";
import { WebhooksTable } from "./webhooks-table.tsx";

const { webhooks: own } = words;

/** The webhooks that need a person. */
export function WebhooksPage() {
  const { data, error, refetch } = api.useQuery("get", "/ops/endpoints", { params: { query: { limit: 100 } } });
  return (
    <Page title={words.navigation.webhooks} about={own.about}>
      {error !== null && <Failure thrown={error} retry={() => void refetch()} />}
      <div className="card">
        {data === undefined && <RowsSkeleton />}
        {data?.data.length === 0 && <Empty title={own.none} />}
        {data !== undefined && data.data.length > 0 && <WebhooksTable rows={data.data} />}
      </div>
    </Page>
  );
}
