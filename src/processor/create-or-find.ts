import * as z from "zod";
import type { CallBudget } from "../core/call-budget.ts";
import { orUnknown, ServiceFailure } from "../core/errors.ts";
import { retryWithNextKey } from "./next-key.ts";
import type { ProcessorCall } from "./port.ts";

/** The part of a run that is needed to create objects with its idempotency keys. */
export interface IdempotentRun {
  readonly budget: CallBudget;
  readonly keysAreOld: boolean;
  readonly resumed: boolean;
  renewKeys(): Promise<void>;
  upstreamKey(step: string, variant?: string): Promise<string>;
  readNote<Output>(name: string, schema: z.ZodType<Output>): Output | undefined;
  saveNote(name: string, output: unknown): Promise<void>;
}

/**
 * Creates an object with an idempotency key of the run, exactly once. The key does not show the result of its first
 * call if the processor has stored a failure under it or may have forgotten it. In this case, an object that may have
 * been created is searched for and used. Only if there is none, the call is repeated with another key. Each abandoned
 * key is recorded before the next call, so that a resumed run never uses an earlier key again. A call with an abandoned key may
 * still take effect: a refusal of a later call does not show that nothing was created.
 * @param step names the object; `variant` distinguishes calls with different parameters.
 * @throws ServiceFailure as `make` and `find` do.
 */
export async function createOrFind<Made>(
  run: IdempotentRun,
  { step, variant = "" }: { readonly step: string; readonly variant?: string },
  make: (call: ProcessorCall) => Promise<Made>,
  find: () => Promise<Made | null>,
): Promise<Made> {
  let wasSent = run.resumed;
  if (run.keysAreOld) {
    const found = await orUnknown(find);
    if (found !== null) return found;
    await run.renewKeys();
    wasSent = false;
  }
  let abandoned = run.readNote(abandonedKeys(step), z.int()) ?? 0;
  const callOnce = async () =>
    make({ key: await run.upstreamKey(step, JSON.stringify([variant, abandoned])), budget: run.budget, wasSent });
  try {
    return await retryWithNextKey(run.budget, callOnce, async () => {
      const found = await orUnknown(find);
      if (found !== null) return found;
      abandoned += 1;
      await run.saveNote(abandonedKeys(step), abandoned);
      wasSent = false;
      return null;
    });
  } catch (thrown) {
    const isRefused = thrown instanceof ServiceFailure && thrown.sideEffects === "none";
    if (abandoned > 0 && isRefused) throw new ServiceFailure(thrown.error, { sideEffects: "unknown", cause: thrown.cause });
    throw thrown;
  }
}

/** Whether keys of a step were abandoned. If so, it is not certain which objects were created with them. */
export function hasAbandonedKeys(run: Pick<IdempotentRun, "readNote">, step: string): boolean {
  return run.readNote(abandonedKeys(step), z.int()) !== undefined;
}

function abandonedKeys(step: string): string {
  return `abandoned_keys:${step}`;
}
