import { Button, Group, Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { refreshAll } from "../api/queries.ts";
import { Refusal } from "./refusal.tsx";
import { sayDone } from "./say-done.ts";
import { useSending } from "./use-sending.ts";

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
  const { isBusy, failure, send: work } = useSending();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    void work(async () => {
      const isSent = (await send()) !== false;
      if (isSent && !isQuiet) sayDone(action);
      if (isSent) await refreshAll();
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <Refusal text={failure} />
        <Group>
          <Button type="submit" loading={isBusy} disabled={!isReady}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
