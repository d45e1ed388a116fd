import { z } from "zod";
import { SettledFailure } from "./calls.ts";

/** What a run must offer so that something can be made under its keys. */
export interface KeyedRun {
  upstreamKey(step: string, variant?: string): Promise<string>;
  recall<Output>(name: string, schema: z.ZodType<Output>): Output | undefined;
  note(name: string, output: unknown): Promise<void>;
}

const MOST_ABANDONED = 2;

/**
 * Makes something under a key of the run. A key whose stored outcome is a failure says nothing of what became of its
 * first call, so what may have been made is looked for and taken; if there is nothing, the key is given up and the
 * call made under another. Each key given up is noted before the next call, so that a resumed run goes the same way
 * and never asks under an earlier key again.
 * @param step names the thing; `variant` tells calls apart whose parameters differ.
 * @throws ServiceFailure as `make` and `find`; the {@link SettledFailure} itself once {@link MOST_ABANDONED} keys are gone.
 */
export async function makeOrFind<Made>(
  run: KeyedRun,
  { step, variant = "" }: { readonly step: string; readonly variant?: string },
  make: (key: string) => Promise<Made>,
  find: () => Promise<Made | null>,
): Promise<Made> {
  const noted = `abandoned_keys:${step}`;
  for (let abandoned = run.recall(noted, z.int()) ?? 0; ; abandoned += 1) {
    try {
      return await make(await run.upstreamKey(step, JSON.stringify([variant, abandoned])));
    } catch (thrown) {
      if (!(thrown instanceof SettledFailure)) throw thrown;
      const found = await find();
      if (found !== null) return found;
      if (abandoned >= MOST_ABANDONED) throw thrown;
      await run.note(noted, abandoned + 1);
    }
  }
}
