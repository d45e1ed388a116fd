import { type Clock, HOUR, MINUTE } from "../core/clock.ts";
import { describeThrown, type Log } from "../core/log.ts";
import type { Database } from "../db/client.ts";
import type { OperationObjects } from "./client.ts";
import { recordsToCleanUp, unfinishedRecords } from "./store.ts";

/** A run takes half a minute at most, so what has stood still for this long was cut off. */
const GRACE = 2 * MINUTE;
/** What could not be finished for so long is left to its caller. */
const LONGEST = 72 * HOUR;
const MOST_PER_SWEEP = 20;

interface SweepTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly operationObjects: OperationObjects;
}

/**
 * Has every operation that was cut off, and whose caller has not come back, finished by its own object, as if the
 * caller had repeated its request. Gives how many it found.
 * @param operations those that may be finished unasked.
 */
export async function sweepUnfinishedOperations(tools: SweepTools, operations: readonly string[]): Promise<number> {
  const now = tools.clock.now();
  const records = await unfinishedRecords(tools.db, operations, {
    before: now - GRACE,
    createdAfter: now - LONGEST,
    limit: MOST_PER_SWEEP,
  });
  for (const { id: recordId, partnerId, operation, key, fingerprint, plan, requestId } of records) {
    try {
      // Under a request id of its own: whoever asks afterwards is told that the work had been done before.
      const request = { recordId, partnerId, operation, key, fingerprint, plan, requestId: `cron_${requestId}`, byHand: false };
      const answer = await tools.operationObjects(recordId).handle(request);
      tools.log.info("unfinished operation resumed", { record: recordId, operation, outcome: answer.ok ? "completed" : answer.error.kind });
    } catch (thrown) {
      tools.log.error("unfinished operation not resumed", { record: recordId, operation, ...describeThrown(thrown) });
    }
  }
  return records.length;
}

/** Has what failed operations left upstream taken back, each by its own object, once it is due. Gives how many it found. */
export async function sweepLeftovers(tools: SweepTools): Promise<number> {
  const records = await recordsToCleanUp(tools.db, tools.clock.now(), MOST_PER_SWEEP);
  for (const { id, operation } of records) {
    try {
      const done = await tools.operationObjects(id).cleanUp(operation, id);
      tools.log.info("leftovers looked after", { record: id, operation, done });
    } catch (thrown) {
      tools.log.error("leftovers not looked after", { record: id, operation, ...describeThrown(thrown) });
    }
  }
  return records.length;
}
