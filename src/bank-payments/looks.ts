import { HOUR, MINUTE } from "../core/clock.ts";
import { isOver, stageOf } from "./status.ts";

const DAY = 24 * HOUR;

/** No payment page of the bank lives longer than 90 days, and ours a day. */
const TOO_OLD = 100 * DAY;

/** A payment is first looked at when its customer has had time to pay, then each time it is half as old again. */
export const LOOK_WAITS = { shortest: 10 * MINUTE, longest: 12 * HOUR, forGood: TOO_OLD };

/** A rejected payment may be tried again as long as its page lives: a day, with a margin. */
const REJECTED_FOR_GOOD = 3 * DAY;

/** When a payment that was opened now is first looked at, in Unix milliseconds. */
export function firstLookAt(now: number): number {
  return now + LOOK_WAITS.shortest;
}

/** Whether the bank need not be asked any more how a payment is, by its status and its age in milliseconds. */
export function isSettled(status: string, age: number): boolean {
  return isOver(status) || age > TOO_OLD || (stageOf(status) === "rejected" && age > REJECTED_FOR_GOOD);
}
