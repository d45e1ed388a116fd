import { Alert, Button, Group, Stack } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { messageOf } from "../api/failure.ts";
import { refreshAll } from "../api/queries.ts";
import { sayDone } from "./say-done.ts";

interface CallFormProps {
  readonly action: string;
  /** False: nothing was sent, because a field is wrong. */
  readonly send: () => Promise<unknown>;
  readonly isReady?: boolean;
  /** The form, or the page, says by itself what was done. */
  readonly isQuiet?: boolean;
  readonly children: ReactNode;
}

/** A small form for one call. A refusal stays below the fields, and nothing that was typed is lost. */
export function CallForm({ action, send, isReady = true, isQuiet = false, children }: CallFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      const isSent = (await send()) !== false;
      if (isSent && !isQuiet) sayDone(action);
      if (isSent) await refreshAll();
    } catch (thrown) {
      setFailure(messageOf(thrown));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {children}
        {failure !== null && (
          <Alert color="red" icon={<AlertIcon size={18} aria-hidden />} role="alert">
            {failure}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={isBusy} disabled={!isReady}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
