import { type Clock, SECOND } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { describeThrown, type Log } from "../core/log.ts";
import type { Database } from "../db/client.ts";
import { type KeyAnswer, refusal, replayOf, storedError } from "./answer.ts";
import { cleanUpTime } from "./clean-up.ts";
import { RecordRun } from "./run.ts";
import { type IdempotencyRecord, OwnershipLost, readRecord } from "./store.ts";
import type { AnyWork } from "./work.ts";

export interface AttemptTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** How an attempt ended: with an answer, or with another instance at work on the key. */
export type Ending = KeyAnswer | "lost";

/**
 * One attempt at a work, under a record that has been claimed for it: performs, and stores what came of it. Throws
 * nothing. What the generation does not count as a failure leaves the record as it is, and the next request resumes it.
 */
export async function attempt<Tools extends AttemptTools>(tools: Tools, work: AnyWork<Tools>, held: IdempotencyRecord): Promise<Ending> {
  const run = new RecordRun(tools.db, tools.clock, held);
  try {
    return { ok: true, result: await work.start(tools, held.plan, run), replayed: false };
  } catch (thrown) {
    if (thrown instanceof OwnershipLost) return afterLoss(tools, held);
    // A fault of our own: what became of the step that it happened in, nobody knows.
    const unforeseen = () => new ServiceFailure({ kind: "internal" }, { leaves: "unknown", cause: thrown });
    return fail(tools, work, held, run, thrown instanceof ServiceFailure ? thrown : unforeseen());
  }
}

async function fail<Tools extends AttemptTools>(
  tools: Tools,
  work: AnyWork<Tools>,
  held: IdempotencyRecord,
  run: RecordRun,
  { error, leaves, cause }: ServiceFailure,
): Promise<Ending> {
  const about = { record: held.id, operation: held.operation };
  if (cause !== undefined) tools.log.error("operation failed", { ...about, kind: error.kind, leaves, ...describeThrown(cause) });
  const { state, failures } = work.generation
    .protocolOf(held.key)
    .afterFailure({ error, previous: storedError(held), failures: held.failures });
  if (state === "running") return refusal(error);
  const resumable = leaves === "unknown" || (leaves === "nothing" && run.hasMadeSomething);
  const left = { resumable, isOver: state === "failed_terminal", leftovers: leaves === "leftovers" };
  try {
    await run.move(
      {
        state,
        failures,
        failedAttempts: held.failedAttempts + 1,
        progress: run.progress,
        error: JSON.stringify(error),
        resumable,
        cleanUpAt: work.cleanUp === undefined ? null : cleanUpTime(tools.clock.now(), left),
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
async function afterLoss({ db }: AttemptTools, held: IdempotencyRecord): Promise<Ending> {
  const record = await readRecord(db, held.id);
  return record?.state === "completed" ? replayOf(record, held.requestId) : "lost";
}

/** A run takes half a minute at most; it is looked for in between so often. */
const LONGEST_RUN = 30 * SECOND;
const LOOK_EVERY = SECOND / 4;

/** Waits until whoever is at work on a key has ended. False where it takes longer than a run can. */
export async function endOfOther({ db, clock }: AttemptTools, recordId: string): Promise<boolean> {
  for (const giveUpAt = clock.now() + LONGEST_RUN; clock.now() < giveUpAt; ) {
    const record = await readRecord(db, recordId);
    if (record?.state !== "running") return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
  return false;
}
