import type { CallBudget } from "./call-budget.ts";
import { SECOND } from "./clock.ts";

/** The minimum remaining time for another try, in milliseconds. With less, the deadline would interrupt it. */
export const MIN_ATTEMPT_TIME = 250;

const FIRST_PAUSE = 200;
const MAX_PAUSE = 4 * SECOND;

/** Exponential backoff after `tries` tries, in milliseconds: doubles each time up to a limit, with ±25% jitter. */
export function backoff(tries: number): number {
  return Math.min(FIRST_PAUSE * 2 ** (tries - 1), MAX_PAUSE) * (0.75 + Math.random() / 2);
}

/** Waits before a retry and counts the retry. Returns false without waiting if the deadline leaves no time for it. */
export async function waitBeforeRetry(budget: CallBudget, pause: number): Promise<boolean> {
  if (pause + MIN_ATTEMPT_TIME > budget.remaining()) return false;
  budget.retries += 1;
  await new Promise((resolve) => setTimeout(resolve, pause));
  return true;
}
