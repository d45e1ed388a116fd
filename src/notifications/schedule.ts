import { HOUR, MINUTE, SECOND } from "../core/clock.ts";

/** The wait before each further attempt, in milliseconds. The first attempt is made at once. */
const WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR] as const;
const JITTER = 0.1;
/** The longest `Retry-After` that is honoured, in milliseconds. */
export const LONGEST_WAIT = 24 * HOUR;

/**
 * Milliseconds to wait after `attempts` failed attempts, or null when there are no more. The schedule's wait, give
 * or take a tenth, or the receiver's `Retry-After` (milliseconds, a day at most; 0 for none) where that is longer.
 * @param random from 0 to 1.
 */
export function waitAfter(attempts: number, retryAfter: number, random: number): number | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (1 - JITTER + 2 * JITTER * random), retryAfter);
}
