import { Stack } from "@mantine/core";
import { events } from "../../objects/events/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { api } from "../api/client.ts";
import { WebhooksTable } from "../events/webhooks-table.tsx";
import { words } from "../texts.ts";

/** A partner's webhooks, and the events that they receive. */
export function WebhooksTab({ partner }: { readonly partner: string }) {
  const { data, error, refetch } = api.useQuery("get", "/ops/endpoints", { params: { query: { partner } } });
  return (
    <Stack>
      {error !== null && <Failure thrown={error} retry={() => void refetch()} />}
      <div className="card">
        {data === undefined && <RowsSkeleton />}
        {data?.data.length === 0 && <Empty title={words.webhooks.noneRegistered} />}
        {data !== undefined && data.data.length > 0 && <WebhooksTable rows={data.data} isOfPartner />}
      </div>
      <ObjectList of={events} only={{ partner: partner }} />
    </Stack>
  );
}
