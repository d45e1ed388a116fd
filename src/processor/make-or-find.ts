import { z } from "zod";
import type { Deadline } from "../core/deadline.ts";
import { ServiceFailure } from "../core/errors.ts";
import { callUnderNextKey } from "./calls.ts";

/** What a run must offer so that something can be made under its keys. */
export interface KeyedRun {
  readonly deadline: Deadline;
  readonly keysAreOld: boolean;
  renewKeys(): Promise<void>;
  upstreamKey(step: string, variant?: string): Promise<string>;
  recall<Output>(name: string, schema: z.ZodType<Output>): Output | undefined;
  note(name: string, output: unknown): Promise<void>;
}

/**
 * Makes something under a key of the run, once. A key tells nothing of what became of its first call where the
 * processor has stored a failure under it, or may have forgotten it: then what may have been made is looked for and
 * taken, and only if there is nothing is the call made under another key. Each key given up is noted before the next
 * call, so that a resumed run never asks under an earlier one again.
 * @param step names the thing; `variant` tells calls apart whose parameters differ.
 * @throws ServiceFailure as `make` and `find`.
 */
export async function makeOrFind<Made>(
  run: KeyedRun,
  { step, variant = "" }: { readonly step: string; readonly variant?: string },
  make: (key: string) => Promise<Made>,
  find: () => Promise<Made | null>,
): Promise<Made> {
  if (run.keysAreOld) {
    const found = await lookFor(find);
    if (found !== null) return found;
    await run.renewKeys();
  }
  let abandoned = run.recall(abandonedKeys(step), z.int()) ?? 0;
  return callUnderNextKey(
    run.deadline,
    async () => make(await run.upstreamKey(step, JSON.stringify([variant, abandoned]))),
    async () => {
      const found = await lookFor(find);
      if (found !== null) return found;
      abandoned += 1;
      await run.note(abandonedKeys(step), abandoned);
      return null;
    },
  );
}

/** A look that fails shows nothing, however definite its own failure is. */
export async function lookFor<Made>(find: () => Promise<Made | null>): Promise<Made | null> {
  try {
    return await find();
  } catch (cause) {
    throw cause instanceof ServiceFailure ? new ServiceFailure(cause.error, { leaves: "unknown", cause }) : cause;
  }
}

/** Whether keys of a step were given up, so that nobody can be certain what was made under them. */
export function hasAbandonedKeys(run: Pick<KeyedRun, "recall">, step: string): boolean {
  return run.recall(abandonedKeys(step), z.int()) !== undefined;
}

function abandonedKeys(step: string): string {
  return `abandoned_keys:${step}`;
}
