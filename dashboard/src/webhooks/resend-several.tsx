import { Button, Modal, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { client } from "../api/client.ts";
import { CallForm } from "../shared/call-form.tsx";
import { Note } from "../shared/page.tsx";
import { shownZone } from "../shared/time-zone.ts";
import type { Environment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const { webhooks: words } = texts;

interface ResendSeveralProps {
  readonly environment: Environment;
  readonly webhook: string;
  /** Those that were given up, or those that wait for their next attempt. */
  readonly state: "exhausted" | "pending";
  readonly count: number;
}

/** Restarts deliveries, since a day. They are sent in the background; the page counts what waits. */
export function ResendSeveral(of: ResendSeveralProps) {
  const { state, count } = of;
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      {count > 0 && (
        <Button size="xs" variant="default" onClick={open}>
          {state === "exhausted" ? words.resendAll(count) : words.sendWaiting(count)}
        </Button>
      )}
      <Modal opened={isOpen} onClose={close} title={state === "exhausted" ? words.resendTitle : words.sendWaitingTitle}>
        <ResendForm {...of} />
      </Modal>
    </>
  );
}

function ResendForm({ environment, webhook, state }: ResendSeveralProps) {
  const [since, setSince] = useState("");
  const [done, setDone] = useState<{ readonly restarted: number; readonly left: number } | null>(null);
  return (
    <CallForm
      action={state === "exhausted" ? words.resendAction : words.sendWaitingAction}
      isReady={done === null}
      isQuiet
      send={async () => {
        const query = { environment, webhook, state, ...(since === "" ? {} : { since }) };
        const { data } = await client.POST("/partner/deliveries/resend", { params: { query } });
        setDone(data ?? null);
      }}
    >
      <Note>{state === "exhausted" ? words.resendWhat : words.sendWaitingWhat}</Note>
      <TextInput
        type="date"
        label={texts.list.since(shownZone())}
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      {done !== null && (
        <Text size="sm" role="status">
          {words.restarted(done.restarted, done.left)}
        </Text>
      )}
    </CallForm>
  );
}
