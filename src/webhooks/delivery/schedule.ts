import { HOUR, MINUTE, SECOND } from "../../core/clock.ts";

/** The delay before each retry, in milliseconds. The first attempt is made at once. */
const RETRY_DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR] as const;
const JITTER = 0.1;
/** Attempts at a message to a chat: within 35 minutes. What comes later is no news. */
const MESSAGE_ATTEMPTS = 4;
/** The longest `Retry-After` that is honoured, in milliseconds. */
export const MAX_RETRY_AFTER = 24 * HOUR;

/**
 * The delay after `attempts` failed attempts, in milliseconds, or null if no attempt is left: the schedule's delay with
 * a jitter of ±10 %, or the receiver's `Retry-After` (milliseconds, at most a day; 0 for none) if that is longer.
 * @param random from 0 to 1.
 * @param isMessage whether it is a message of a chat, and no event of a webhook.
 */
export function retryDelay(attempts: number, retryAfter: number, random: number, isMessage = false): number | null {
  const wait = RETRY_DELAYS[attempts - 1];
  if (wait === undefined || (isMessage && attempts >= MESSAGE_ATTEMPTS)) return null;
  return Math.max(wait * (1 - JITTER + 2 * JITTER * random), retryAfter);
}
