import { SECOND } from "./clock.ts";
import type { Deadline } from "./deadline.ts";

/** With less than this left, in milliseconds, another try would only be cut off. */
export const LEAST_TRY = 250;

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 4 * SECOND;

/** How long to wait after so many tries, in milliseconds: twice as long each time, give or take a quarter. */
export function backoff(tries: number): number {
  return Math.min(FIRST_PAUSE * 2 ** (tries - 1), LONGEST_PAUSE) * (0.75 + Math.random() / 2);
}

/** Waits before another try, and counts it; false, without a wait, where the deadline leaves no time for one. */
export async function pausedInTime(deadline: Deadline, pause: number): Promise<boolean> {
  if (pause + LEAST_TRY > deadline.remaining()) return false;
  deadline.retries += 1;
  await new Promise((resolve) => setTimeout(resolve, pause));
  return true;
}
