import { aroundEffects, crash, type Effect, objectAtWork } from "./observe.ts";

export type Moment = "before" | "after";

/**
 * Really ends the Durable Object at one of its effects, counted from 0: before it, or after it while its answer is
 * under way. Once, unless `times` says more. Gives what was reached, and whether the crash came.
 */
export function crashAt(step: number, moment: Moment, times = 1): { readonly reached: readonly Effect[]; readonly crashed: () => boolean } {
  const reached: Effect[] = [];
  let left = times;
  aroundEffects(async (effect, perform) => {
    if (effect === "object" || !objectAtWork() || left === 0) return perform();
    reached.push(effect);
    if (reached.length - 1 < step) return perform();
    left -= 1;
    if (moment === "after") await perform();
    return crash();
  });
  return { reached, crashed: () => left < times };
}

/** What the object does while `work` runs, in order: the places at which it can be cut off. */
export async function effectsOf(work: () => Promise<unknown>): Promise<Effect[]> {
  const seen: Effect[] = [];
  aroundEffects((effect, perform) => {
    if (effect !== "object" && objectAtWork()) seen.push(effect);
    return perform();
  });
  await work();
  return seen;
}

/** Ends the object around its first effect of a kind, and the object that is asked next at its very first. */
export function cutOffAround(kind: Effect, moment: Moment): void {
  let crashes = 0;
  aroundEffects(async (effect, perform) => {
    const isItsTime = crashes === 0 ? effect === kind : crashes === 1 && effect !== "object";
    if (!objectAtWork() || !isItsTime) return perform();
    crashes += 1;
    if (moment === "after" && effect === kind) await perform();
    return crash();
  });
}

/** Lets the object's n-th D1 round trip fail, counted from 0: refused, or done with its answer lost. Once. */
export function failD1At(step: number, how: "refused" | "answer lost"): { readonly failed: () => boolean } {
  let reached = -1;
  let failed = false;
  aroundEffects(async (effect, perform) => {
    if (effect !== "d1" || !objectAtWork() || failed) return perform();
    reached += 1;
    if (reached !== step) return perform();
    failed = true;
    if (how === "answer lost") await perform();
    throw new Error("D1_ERROR: Network connection lost.");
  });
  return { failed: () => failed };
}
