import { type Clock, SECOND } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import { type ServiceError, ServiceFailure } from "../core/errors.ts";
import { describeThrown, type Log } from "../core/log.ts";
import type { Database } from "../db/client.ts";
import { failureIn, type KeyAnswer, refusal, replayOf, storedError } from "./answer.ts";
import { cleanUpTime } from "./clean-up.ts";
import { RecordRun } from "./run.ts";
import { type IdempotencyRecord, OwnershipLost, readRecord } from "./store.ts";
import type { AnyWork } from "./work.ts";

export interface AttemptTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** How an attempt ended: with an answer; or without, and the record says how to go on, now or once another instance has ended. */
export type Ending = KeyAnswer | "ask_again" | "ask_after_other";

/**
 * One attempt at a work, under a record that has been claimed for it: performs, and stores what came of it. What the
 * generation does not count as a failure leaves the record as it is, and the next request resumes it. `resumed`: an
 * earlier run may have got further than the record says. Throws only where the record cannot be read.
 */
export async function attempt<Tools extends AttemptTools>(
  tools: Tools,
  work: AnyWork<Tools>,
  held: IdempotencyRecord,
  deadline: Deadline,
  resumed: boolean,
): Promise<Ending> {
  const run = new RecordRun(tools.db, tools.clock, held, deadline, resumed);
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
    if (thrown instanceof OwnershipLost) return afterLoss(tools, held, error);
  }
  return failureIn(state, error);
}

/**
 * The fence held a write back: either a commit of ours whose answer was lost, and then the record says how far we got,
 * or another instance of this object is at work on the key.
 */
async function afterLoss({ db }: AttemptTools, held: IdempotencyRecord, failed: ServiceError | null = null): Promise<Ending> {
  const record = await readRecord(db, held.id);
  if (record?.state === "completed") return replayOf(record, held.requestId);
  if (failed !== null && record?.owner === held.owner && record.state !== "running") return failureIn(record.state, failed);
  return record?.owner === held.owner ? "ask_again" : "ask_after_other";
}

/** A run takes half a minute at most; it is looked for in between so often. */
const LONGEST_RUN = 30 * SECOND;
const LOOK_EVERY = SECOND / 4;

/** Waits until whoever is at work on a key has ended, or must be dead. */
export async function endOfOther({ db, clock }: AttemptTools, recordId: string): Promise<void> {
  for (const giveUpAt = clock.now() + LONGEST_RUN; clock.now() < giveUpAt; ) {
    const record = await readRecord(db, recordId);
    if (record?.state !== "running") return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}
