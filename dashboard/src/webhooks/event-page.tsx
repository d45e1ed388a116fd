import { Button } from "@mantine/core";
import { useState } from "react";
import { client } from "../api/client.ts";
import { refreshAll } from "../api/queries.ts";
import type { paths } from "../api/schema.d.ts";
import { EventDetail } from "../objects/events/detail.tsx";
import { Failure } from "../shared/failure.tsx";
import { useSending } from "../shared/use-sending.ts";
import { texts } from "../texts/index.ts";
import { Outcome } from "./test-event-form.tsx";

type Resent = paths["/partner/deliveries/{event}/resend"]["post"]["responses"]["200"]["content"]["application/json"];

const { webhooks: words } = texts;

/** One event, which its partner can send again. */
export function EventPage() {
  const [resent, setResent] = useState<Resent | null>(null);
  const { isBusy, thrown, send } = useSending();
  const resend = (event: string) =>
    send(async () => {
      setResent(null);
      const { data } = await client.POST("/partner/deliveries/{event}/resend", { params: { path: { event } } });
      setResent(data ?? null);
      await refreshAll();
    });
  return (
    <EventDetail
      back={{ to: "/webhooks", label: words.title }}
      actions={(event) => (
        <Button size="xs" loading={isBusy} onClick={() => void resend(event)}>
          {words.resend}
        </Button>
      )}
    >
      {thrown !== null && <Failure thrown={thrown} />}
      {resent !== null && <Outcome attempt={resent.attempt} isAccepted={resent.success} />}
    </EventDetail>
  );
}
