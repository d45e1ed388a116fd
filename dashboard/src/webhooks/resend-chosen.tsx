import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { client } from "../api/client.ts";
import { refreshAll } from "../api/queries.ts";
import { Failure } from "../shared/failure.tsx";
import { useSending } from "../shared/use-sending.ts";
import { texts } from "../texts/index.ts";

const { webhooks: words } = texts;

interface ResendChosenProps {
  readonly deliveries: readonly string[];
  readonly clear: () => void;
}

/** Sends the chosen deliveries again, and says of how many that is true. */
export function ResendChosen({ deliveries, clear }: ResendChosenProps) {
  const [said, setSaid] = useState<string | null>(null);
  const { isBusy, thrown, send } = useSending();
  const resend = () =>
    send(async () => {
      setSaid(null);
      const { data } = await client.POST("/partner/deliveries/resend-chosen", { body: { deliveries: [...deliveries] } });
      setSaid(data === undefined ? null : words.chosenResent(data.restarted.length, data.unchanged.length));
      clear();
      await refreshAll();
    });
  return (
    <>
      {deliveries.length > 0 && (
        <Button size="xs" loading={isBusy} onClick={() => void resend()}>
          {words.resendChosen(deliveries.length)}
        </Button>
      )}
      {deliveries.length === 0 && said !== null && (
        <Text size="sm" role="status">
          {said}
        </Text>
      )}
      {thrown !== null && deliveries.length > 0 && <Failure thrown={thrown} />}
    </>
  );
}
