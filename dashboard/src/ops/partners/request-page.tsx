import { NotThere } from "../../objects/object-page.tsx";
import { RequestDetail } from "../../objects/requests/detail.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";

/** One request of a partner. */
export function RequestPage() {
  const partner = useIdInPath("partner");
  const request = useIdInPath("request");
  const back = { to: `/partners/${partner}?tab=requests`, label: texts.requests.title };
  const { data, error, refetch } = api.useQuery("get", "/ops/partners/{partner}/requests/{request}", {
    params: { path: { partner, request } },
  });
  if (data === undefined) return <NotThere title={request} back={back} error={error} retry={() => void refetch()} />;
  return <RequestDetail request={data} back={back} origin="/ops" />;
}
