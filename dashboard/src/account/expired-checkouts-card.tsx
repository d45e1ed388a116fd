import { Switch, Text } from "@mantine/core";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { refreshAll } from "../api/queries.ts";
import { Failure } from "../shared/failure.tsx";
import { Card } from "../shared/page.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { account: words } = texts;

/** Whether checkouts that ended unpaid have an event. Owners say it. */
export function ExpiredCheckoutsCard() {
  const isOwner = useMay("owner");
  const { data } = api.useQuery("get", "/partner/settings");
  const [fault, setFault] = useState<unknown>(null);
  if (data === undefined) return null;
  const set = async (isAsked: boolean) => {
    try {
      await client.PUT("/partner/settings", { body: { expired_checkouts: isAsked } });
      setFault(null);
      await refreshAll();
    } catch (thrown) {
      setFault(thrown);
    }
  };
  return (
    <Card title={words.expired}>
      <Text size="sm" c="dimmed">
        {words.expiredWhat}
      </Text>
      <Switch
        label={words.expiredLabel}
        checked={data.expired_checkouts}
        disabled={!isOwner}
        onChange={(event) => void set(event.currentTarget.checked)}
      />
      {fault !== null && <Failure thrown={fault} />}
    </Card>
  );
}
