import { Stack } from "@mantine/core";
import { events } from "../../objects/events/list.tsx";
import { environmentIn } from "../../objects/list-query.ts";
import { ObjectList } from "../../objects/object-list.tsx";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import type { Filter } from "../../shared/filters.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { texts } from "../../texts/index.ts";
import { api, type RowOf } from "../api/client.ts";
import { webhookColumns } from "../events/webhooks-table.tsx";
import { words } from "../texts.ts";

/** The webhook whose deliveries are listed: the first one of the environment, if none is chosen. */
function webhookFilter(all: readonly RowOf<"/ops/endpoints">[], environment: "live" | "test"): Filter {
  const own = all.filter((one) => one.environment === environment);
  const choices = [...new Set([environment, ...own.map(({ webhook }) => webhook), `${environment}.chat`])];
  return { kind: "choice", name: "webhook", label: texts.webhooks.endpoint, choices, fallback: environment };
}

/** A partner's webhooks, and the events that they receive. */
export function WebhooksTab({ partner }: { readonly partner: string }) {
  const search = useSearchTexts();
  const { data, error, refetch } = api.useQuery("get", "/ops/endpoints", { params: { query: { partner } } });
  return (
    <Stack>
      {error !== null && <Failure thrown={error} retry={() => void refetch()} />}
      <div className="card">
        {data === undefined && <RowsSkeleton />}
        {data?.data.length === 0 && <Empty title={words.webhooks.noneRegistered} />}
        {data !== undefined && data.data.length > 0 && (
          <DataTable label={words.navigation.webhooks} rows={data.data} keyOf={({ id }) => id} columns={webhookColumns} />
        )}
      </div>
      <ObjectList of={events} only={{ partner }} filters={[webhookFilter(data?.data ?? [], environmentIn(search))]} />
    </Stack>
  );
}
