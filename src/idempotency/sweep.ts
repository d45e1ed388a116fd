import { type Clock, HOUR, MINUTE, SECOND } from "../core/clock.ts";
import { Deadline } from "../core/deadline.ts";
import { describeThrown, type Log } from "../core/log.ts";
import type { Database } from "../db/client.ts";
import type { OperationObjects } from "./client.ts";
import { recordsToCleanUp, unfinishedRecords } from "./store.ts";

/** A run takes half a minute at most, so what has stood still for this long was cut off. */
const GRACE = 2 * MINUTE;
const LONGEST_WAIT = 6 * HOUR;
const MOST_PER_SWEEP = 20;
/** A sweep begins nothing more after this long: the others have their work too. */
const BUDGET = 45 * SECOND;

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
  const wanted = { now: tools.clock.now(), grace: GRACE, longestWait: LONGEST_WAIT, limit: MOST_PER_SWEEP };
  const records = await unfinishedRecords(tools.db, operations, wanted);
  return sweep(tools, "unfinished operation", records, async ({ id: recordId, partnerId, operation, key, fingerprint, plan }) => {
    // Under a request id of its own: whoever asks afterwards is told that the work had been done before.
    const requestId = `cron_${crypto.randomUUID()}`;
    const request = { recordId, partnerId, operation, key, fingerprint, plan, requestId, refuseNew: null, byHand: false };
    const answer = await tools.operationObjects(recordId).handle(request);
    return answer.ok ? "completed" : answer.error.kind;
  });
}

/** Has what failed operations left upstream taken back, each by its own object, once it is due. Gives how many it found. */
export async function sweepLeftovers(tools: SweepTools): Promise<number> {
  const records = await recordsToCleanUp(tools.db, tools.clock.now(), MOST_PER_SWEEP);
  return sweep(tools, "leftovers", records, async ({ id, operation }) =>
    (await tools.operationObjects(id).cleanUp(operation, id)) ? "taken back" : "left for later",
  );
}

async function sweep<Found extends { readonly id: string; readonly operation: string }>(
  { clock, log }: SweepTools,
  what: string,
  records: readonly Found[],
  work: (record: Found) => Promise<string>,
): Promise<number> {
  const deadline = new Deadline(clock, BUDGET);
  for (const record of records) {
    if (deadline.remaining() === 0) break;
    const about = { record: record.id, operation: record.operation };
    try {
      log.info(`${what} looked after`, { ...about, outcome: await work(record) });
    } catch (thrown) {
      log.error(`${what} not looked after`, { ...about, ...describeThrown(thrown) });
    }
  }
  return records.length;
}
