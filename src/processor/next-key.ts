import type { CallBudget } from "../core/call-budget.ts";
import { ServiceFailure } from "../core/errors.ts";
import { backoff, waitBeforeRetry } from "../core/retry.ts";

/**
 * The key's final failure does not show what its first request did. The caller must find out in another way whether an
 * object was created.
 */
export class FinalKeyFailure extends ServiceFailure {}

/** Maximum number of keys that a call uses within one run. */
const MAX_KEYS = 4;

/**
 * Repeats the call of `send` until it gets a final answer, each time with the next key. For calls where the processor
 * may have stored a failure under the previous key, after `findResult` has shown that the call created nothing. The delays
 * and the deadline are those of {@link callProcessor}.
 * @param findResult finds what the call created, or switches to the next key. Null: repeat the call.
 */
export async function retryWithNextKey<Result>(
  budget: CallBudget,
  send: () => Promise<Result>,
  findResult: () => Promise<Result | null>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (thrown) {
      if (!(thrown instanceof FinalKeyFailure)) throw thrown;
      const settled = await findResult();
      if (settled !== null) return settled;
      if (tries >= MAX_KEYS || !(await waitBeforeRetry(budget, backoff(tries)))) throw thrown;
    }
  }
}
