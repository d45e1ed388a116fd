import * as z from "zod";
import type { Deadline } from "../core/deadline.ts";
import { orUnknown } from "../core/errors.ts";
import { retryWithNextKey } from "./calls.ts";

/** The part of a run that is needed to create objects with its idempotency keys. */
export interface IdempotentRun {
  readonly deadline: Deadline;
  readonly keysAreOld: boolean;
  renewKeys(): Promise<void>;
  upstreamKey(step: string, variant?: string): Promise<string>;
  recall<Output>(name: string, schema: z.ZodType<Output>): Output | undefined;
  note(name: string, output: unknown): Promise<void>;
}

/**
 * Creates an object with an idempotency key of the run, exactly once. The key does not show the result of its first
 * call if the processor has stored a failure under it or may have forgotten it. In this case, an object that may have
 * been created is searched for and used. Only if there is none, the call is repeated with another key. Each abandoned
 * key is recorded before the next call, so that a resumed run never uses an earlier key again.
 * @param step names the object; `variant` distinguishes calls with different parameters.
 * @throws ServiceFailure as `make` and `find` do.
 */
export async function createOrFind<Made>(
  run: IdempotentRun,
  { step, variant = "" }: { readonly step: string; readonly variant?: string },
  make: (key: string) => Promise<Made>,
  find: () => Promise<Made | null>,
): Promise<Made> {
  if (run.keysAreOld) {
    const found = await orUnknown(find);
    if (found !== null) return found;
    await run.renewKeys();
  }
  let abandoned = run.recall(abandonedKeys(step), z.int()) ?? 0;
  return retryWithNextKey(
    run.deadline,
    async () => make(await run.upstreamKey(step, JSON.stringify([variant, abandoned]))),
    async () => {
      const found = await orUnknown(find);
      if (found !== null) return found;
      abandoned += 1;
      await run.note(abandonedKeys(step), abandoned);
      return null;
    },
  );
}

/** Whether keys of a step were abandoned. If so, it is not certain which objects were created with them. */
export function hasAbandonedKeys(run: Pick<IdempotentRun, "recall">, step: string): boolean {
  return run.recall(abandonedKeys(step), z.int()) !== undefined;
}

function abandonedKeys(step: string): string {
  return `abandoned_keys:${step}`;
}
