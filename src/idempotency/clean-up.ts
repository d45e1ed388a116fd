import { HOUR, MINUTE } from "../core/clock.ts";
import { describeThrown } from "../core/log.ts";
import type { AttemptTools } from "./attempt.ts";
import { RecordRun } from "./run.ts";
import { type IdempotencyRecord, markCleanedUp, postponeCleanUp } from "./store.ts";
import type { AnyWork } from "./work.ts";

/** What is certain to be needed no more is taken back soon; what somebody may still go on from, a day later. */
const SOON = MINUTE;
const ABANDONED_AFTER = 24 * HOUR;
/** The wait after a clean-up that failed. */
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
 * same but for having nothing to go on from. Gives whether that is so. Only to be called by who serialises the key.
 */
export async function cleanUp<Tools extends AttemptTools>(tools: Tools, work: AnyWork<Tools>, record: IdempotencyRecord): Promise<boolean> {
  if (record.cleanUpAt === null) return true;
  const run = new RecordRun(tools.db, tools.clock, record);
  try {
    await work.cleanUp?.(tools, record.plan, run);
    await markCleanedUp(tools.db, record);
    return true;
  } catch (thrown) {
    tools.log.error("not cleaned up", { record: record.id, operation: record.operation, ...describeThrown(thrown) });
    await postponeCleanUp(tools.db, record, tools.clock.now() + RETRY_AFTER);
    return false;
  }
}
