import { Button } from "@mantine/core";
import { useState } from "react";
import { client } from "../api/client.ts";
import { refreshAll } from "../api/queries.ts";
import type { paths } from "../api/schema.d.ts";
import { EventDetail } from "../objects/events/detail.tsx";
import { Failure } from "../shared/failure.tsx";
import { texts } from "../texts/index.ts";
import { Outcome } from "./test-event-form.tsx";

type Resent = paths["/partner/deliveries/{event}/resend"]["post"]["responses"]["200"]["content"]["application/json"];

const { webhooks: words } = texts;

/** One event, which its partner can send again. */
export function EventPage() {
  const [resent, setResent] = useState<Resent | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const resend = async (event: string) => {
    setBusy(true);
    setFailure(null);
    setResent(null);
    try {
      const { data } = await client.POST("/partner/deliveries/{event}/resend", { params: { path: { event } } });
      setResent(data ?? null);
      await refreshAll();
    } catch (thrown) {
      setFailure(thrown);
    }
    setBusy(false);
  };
  return (
    <EventDetail
      back={{ to: "/webhooks", label: words.title }}
      actions={(event) => (
        <Button size="xs" loading={isBusy} onClick={() => void resend(event)}>
          {words.resend}
        </Button>
      )}
    >
      {failure !== null && <Failure thrown={failure} />}
      {resent !== null && <Outcome attempt={resent.attempt} isAccepted={resent.success} />}
    </EventDetail>
  );
}
