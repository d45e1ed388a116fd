import { Switch } from "@mantine/core";
import { api, client } from "../api/client.ts";
import { refreshAll } from "../api/queries.ts";
import { Failure } from "../shared/failure.tsx";
import { Card, Note } from "../shared/page.tsx";
import { useSending } from "../shared/use-sending.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { account: words } = texts;

/** Whether checkouts that ended unpaid have an event. Owners say it. */
export function ExpiredCheckoutsCard() {
  const isOwner = useMay("owner");
  const { data } = api.useQuery("get", "/partner/settings");
  const { thrown, send } = useSending();
  if (data === undefined) return null;
  const set = (isAsked: boolean) =>
    send(async () => {
      await client.PUT("/partner/settings", { body: { expired_checkouts: isAsked } });
      await refreshAll();
    });
  return (
    <Card title={words.expired}>
      <Note>{words.expiredWhat}</Note>
      <Switch
        label={words.expiredLabel}
        checked={data.expired_checkouts}
        disabled={!isOwner}
        onChange={(event) => void set(event.currentTarget.checked)}
      />
      {thrown !== null && <Failure thrown={thrown} />}
    </Card>
  );
}
