import { api } from "../api/client.ts";
import { NotThere } from "../objects/object-page.tsx";
import { RequestDetail } from "../objects/requests/detail.tsx";
import { useIdInPath } from "../shared/search-texts.ts";
import { useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const BACK = { to: "/developers", label: texts.developers.title };

/** One of the partner's requests. */
export function RequestPage() {
  const request = useIdInPath("request");
  const { api: origin } = useSession();
  const { data, error, refetch } = api.useQuery("get", "/partner/requests/{request}", { params: { path: { request } } });
  if (data === undefined) return <NotThere title={request} back={BACK} error={error} retry={() => void refetch()} />;
  return <RequestDetail request={data} back={BACK} origin={origin} />;
}
