import { HOUR, MINUTE } from "../core/clock.ts";
import { isFinal, stageOf } from "./status.ts";

const DAY = 24 * HOUR;

/** The bank's payment pages expire after at most 90 days, ours after one day. */
const MAX_POLL_AGE = 100 * DAY;

/** The first poll gives the customer time to pay. Each next poll comes when the payment's age has grown by half. */
export const POLL_DELAYS = { shortest: 10 * MINUTE, longest: 12 * HOUR, stopAfterAge: MAX_POLL_AGE };

/** A customer can retry a rejected payment until its page expires after one day. Polling stops after a margin. */
const REJECTED_FINAL_AGE = 3 * DAY;

/** The time of the first poll for a payment opened at `now`, in Unix milliseconds. */
export function firstPollAt(now: number): number {
  return now + POLL_DELAYS.shortest;
}

/** Whether a payment needs no more polls, by its status and its age in milliseconds. */
export function isPollingDone(status: string, age: number): boolean {
  return isFinal(status) || age > MAX_POLL_AGE || (stageOf(status) === "rejected" && age > REJECTED_FINAL_AGE);
}
