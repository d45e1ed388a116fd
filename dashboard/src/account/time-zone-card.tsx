import { Select, Text } from "@mantine/core";
import { useState } from "react";
import { client } from "../api/client.ts";
import { refreshAll } from "../api/queries.ts";
import { CallForm } from "../shared/call-form.tsx";
import { Card, Note } from "../shared/page.tsx";
import { useMay, useSession } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { account: words } = texts;

/** The partner's time zone. Owners set it. */
export function TimeZoneCard() {
  const { time_zone } = useSession();
  const isOwner = useMay("owner");
  const [zone, setZone] = useState(time_zone);
  return (
    <Card title={words.zone}>
      <Note>{words.zoneWhat}</Note>
      {isOwner ? (
        <CallForm
          action={words.setZone}
          isReady={zone !== time_zone}
          send={async () => {
            await client.PUT("/partner/settings", { body: { time_zone: zone } });
            await refreshAll();
          }}
        >
          <Select
            label={words.zone}
            // Some browsers list UTC, too.
            data={[...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])]}
            value={zone}
            onChange={(value) => setZone(value ?? time_zone)}
            searchable
            allowDeselect={false}
            maw={360}
          />
        </CallForm>
      ) : (
        <Text size="sm">{time_zone}</Text>
      )}
    </Card>
  );
}
