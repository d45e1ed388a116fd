import type { Clock } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { describeThrown, type Log } from "../core/log.ts";
import type { Database } from "../db/client.ts";
import { type KeyAnswer, refusal, replayOf, storedError } from "./answer.ts";
import { RecordRun } from "./run.ts";
import { type IdempotencyRecord, OwnershipLost, readRecord } from "./store.ts";
import type { AnyWork } from "./work.ts";

export interface AttemptTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * One attempt at a work, under a record that has been claimed for it: performs, and stores what came of it. Never
 * throws; what is neither done nor definitely failed leaves the record as it is, and the next request resumes it.
 */
export async function attempt<Tools extends AttemptTools>(tools: Tools, work: AnyWork<Tools>, held: IdempotencyRecord): Promise<KeyAnswer> {
  const run = new RecordRun(tools.db, tools.clock, held);
  try {
    return { ok: true, result: await work.start(tools, held.plan, run), replayed: false };
  } catch (thrown) {
    if (thrown instanceof OwnershipLost) return afterLoss(tools, held);
    if (thrown instanceof ServiceFailure) return fail(tools, work, held, run, thrown);
    tools.log.error("operation interrupted", { record: held.id, operation: held.operation, ...describeThrown(thrown) });
    return refusal({ kind: "internal" });
  }
}

async function fail<Tools extends AttemptTools>(
  tools: Tools,
  work: AnyWork<Tools>,
  held: IdempotencyRecord,
  run: RecordRun,
  failure: ServiceFailure,
): Promise<KeyAnswer> {
  const { error, leaves, cause } = failure;
  const about = { record: held.id, operation: held.operation };
  if (cause !== undefined) tools.log.error("operation failed", { ...about, kind: error.kind, leaves, ...describeThrown(cause) });
  if (leaves === "unfinished") return refusal(error);
  const { state, failures } = work.generation
    .protocolOf(held.key)
    .afterFailure({ error, previous: storedError(held), failures: held.failures });
  try {
    await run.move(
      {
        state,
        failures,
        failedAttempts: held.failedAttempts + 1,
        progress: run.progress,
        error: JSON.stringify(error),
        resumable: leaves === "unknown" || (leaves === "nothing" && run.hasMadeSomething),
      },
      [],
    );
  } catch (thrown) {
    tools.log.error("failure not stored", { ...about, ...describeThrown(thrown) });
    if (thrown instanceof OwnershipLost) return afterLoss(tools, held);
  }
  return refusal(error);
}

/**
 * The fence held a write back: either a commit of ours whose answer was lost, and then the result is there, or
 * another instance of this object is at work on the key.
 */
async function afterLoss({ db }: AttemptTools, held: IdempotencyRecord): Promise<KeyAnswer> {
  const record = await readRecord(db, held.id);
  return record?.state === "completed" ? replayOf(record, held.requestId) : refusal({ kind: "operation_in_progress" });
}
