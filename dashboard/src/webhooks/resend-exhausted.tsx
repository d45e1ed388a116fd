import { Button, Modal, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { client } from "../api/client.ts";
import { CallForm } from "../shared/call-form.tsx";
import { shownZone } from "../shared/time-zone.ts";
import type { Environment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";

const { webhooks: words } = texts;

interface ResendExhaustedProps {
  readonly environment: Environment;
  readonly webhook: string;
  readonly count: number;
}

/** Restarts the deliveries that were given up, since a day. They are sent in the background; the page counts what waits. */
export function ResendExhausted({ environment, webhook, count }: ResendExhaustedProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const [since, setSince] = useState("");
  const [done, setDone] = useState<{ readonly restarted: number; readonly left: number } | null>(null);
  return (
    <>
      {count > 0 && (
        <Button size="xs" variant="default" onClick={open}>
          {words.resendAll(count)}
        </Button>
      )}
      <Modal opened={isOpen} onClose={close} title={words.resendTitle}>
        <CallForm
          action={words.resendAction}
          isReady={done === null}
          send={async () => {
            const query = { environment, webhook, ...(since === "" ? {} : { since }) };
            const { data } = await client.POST("/partner/deliveries/resend", { params: { query } });
            setDone(data ?? null);
          }}
        >
          <Text size="sm" c="dimmed">
            {words.resendWhat}
          </Text>
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
      </Modal>
    </>
  );
}
