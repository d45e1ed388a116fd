import { HOUR, MINUTE } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import { describeThrown } from "../core/log.ts";
import type { AttemptTools } from "./attempt.ts";
import { RecordRun } from "./run.ts";
import { claimForCleanUp, type IdempotencyRecord, markCleanedUp } from "./store.ts";
import type { AnyWork } from "./work.ts";

/** What is certain to be needed no more is taken back soon; what somebody may still go on from, a day later. */
const SOON = MINUTE;
const ABANDONED_AFTER = 24 * HOUR;
/** The wait after a clean-up that did not come to its end. */
const RETRY_AFTER = HOUR;

/** When what a failed attempt left is to be taken back, in Unix milliseconds; null where it left nothing. */
export function cleanUpTime(
  now: number,
  left: { readonly resumable: boolean; readonly isOver: boolean; readonly leftovers: boolean },
): number | null {
  if (left.leftovers || (left.resumable && left.isOver)) return now + SOON;
  return left.resumable ? now + ABANDONED_AFTER : null;
}

/**
 * Takes back what a record's failed attempts have left upstream, as its work knows to; afterwards the record is the
 * same but for having nothing to go on from. It has nothing to go on from as soon as this begins, so that no instance
 * of the key's object makes use of what is about to go. Gives whether it came to
 * its end; `moved`: somebody else has got on with the record, `failed`: it is to be tried again.
 */
export async function cleanUp<Tools extends AttemptTools>(
  tools: Tools,
  work: AnyWork<Tools>,
  record: IdempotencyRecord,
  deadline: Deadline,
): Promise<"done" | "moved" | "failed"> {
  const { db, clock, log } = tools;
  try {
    const claimed = await claimForCleanUp(db, record, clock.now() + RETRY_AFTER);
    if (claimed === undefined) return "moved";
    await work.cleanUp?.(tools, claimed.plan, new RecordRun(db, clock, claimed, deadline, true));
    return (await markCleanedUp(db, claimed)) ? "done" : "moved";
  } catch (thrown) {
    log.error("not cleaned up", { record: record.id, operation: record.operation, ...describeThrown(thrown) });
    return "failed";
  }
}
