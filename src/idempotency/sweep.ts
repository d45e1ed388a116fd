import { type Clock, MINUTE } from "../core/clock.ts";
import { describeThrown, type Log } from "../core/log.ts";
import type { Database } from "../db/client.ts";
import type { OperationObjects } from "./client.ts";
import { UPSTREAM_KEY_LIFE } from "./run.ts";
import { unfinishedRecords } from "./store.ts";

/** A run takes half a minute at most, so what has stood still for this long was cut off. */
const GRACE = 2 * MINUTE;
const MOST_PER_SWEEP = 20;

interface SweepTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly operationObjects: OperationObjects;
}

/**
 * Has every operation that was cut off, and whose caller has not come back, finished by its own object: while its
 * upstream keys are still known there, and as if the caller had repeated its request. Gives how many it found.
 * @param operations those that may be finished unasked.
 */
export async function sweepUnfinishedOperations(tools: SweepTools, operations: readonly string[]): Promise<number> {
  const now = tools.clock.now();
  const records = await unfinishedRecords(tools.db, operations, {
    before: now - GRACE,
    startedAfter: now - UPSTREAM_KEY_LIFE,
    limit: MOST_PER_SWEEP,
  });
  for (const { id: recordId, partnerId, operation, key, fingerprint, plan, requestId } of records) {
    try {
      // Under a request id of its own: whoever asks afterwards is told that the work had been done before.
      const request = {
        recordId,
        partnerId,
        operation,
        key,
        fingerprint,
        plan,
        requestId: `cron_${requestId}`,
        byHand: false,
      };
      const answer = await tools.operationObjects(recordId).handle(request);
      tools.log.info("unfinished operation resumed", { record: recordId, operation, outcome: answer.ok ? "completed" : answer.error.kind });
    } catch (thrown) {
      tools.log.error("unfinished operation not resumed", { record: recordId, operation, ...describeThrown(thrown) });
    }
  }
  return records.length;
}
