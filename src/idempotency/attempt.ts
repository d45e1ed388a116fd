import type { CallBudget } from "../core/call-budget.ts";
import { SECOND } from "../core/clock.ts";
import { type ServiceError, ServiceFailure } from "../core/errors.ts";
import { errorFields } from "../core/log.ts";
import { errorResponse, failureResponse, type KeyResponse, replayResponse, storedError } from "./answer.ts";
import { compensationTime } from "./compensation.ts";
import { RecordRun, type RunDeps } from "./run.ts";
import { type IdempotencyRecord, NOTHING_LEFT, OwnershipLost, readRecord } from "./store.ts";
import type { AnyWorkflow } from "./workflow.ts";

/**
 * The outcome of an attempt. Without an answer, the caller must read the record again. `retry_now`: at once.
 * `retry_after_other`: after the other instance has finished.
 */
export type AttemptOutcome = KeyResponse | "retry_now" | "retry_after_other";

/**
 * Runs one attempt of a workflow under a claimed record, and stores the outcome. If the generation does not count an
 * error as a failure, the record stays unchanged and the next request resumes it. `earlier` is the record of an
 * interrupted earlier run, which may have done more than the record shows; null if there was none. `onCompleted` gets
 * the record with its result. Throws only if the record cannot be read.
 */
export async function attempt<Deps extends RunDeps>(
  deps: Deps,
  workflow: AnyWorkflow<Deps>,
  held: IdempotencyRecord,
  budget: CallBudget,
  earlier: IdempotencyRecord | null,
  onCompleted: (record: IdempotencyRecord) => void,
): Promise<AttemptOutcome> {
  const run = new RecordRun(deps.db, deps.clock, held, budget, earlier);
  try {
    await workflow.perform(deps, held.plan, run);
    if (run.completed === null) throw new Error("the workflow has ended without a result");
    onCompleted(run.completed);
    return replayResponse(run.completed, held.requestId);
  } catch (thrown) {
    if (thrown instanceof OwnershipLost) return afterOwnershipLost(deps, held);
    // An internal fault: the outcome of the interrupted step is unknown.
    const unforeseen = () => new ServiceFailure({ kind: "internal" }, { sideEffects: "unknown", cause: thrown });
    return fail(deps, workflow, held, run, thrown instanceof ServiceFailure ? thrown : unforeseen());
  }
}

async function fail<Deps extends RunDeps>(
  deps: Deps,
  workflow: AnyWorkflow<Deps>,
  held: IdempotencyRecord,
  run: RecordRun,
  { error, sideEffects, cause }: ServiceFailure,
): Promise<AttemptOutcome> {
  const about = { record: held.id, operation: held.operation };
  if (cause !== undefined) deps.log.error("operation failed", { ...about, kind: error.kind, sideEffects, ...errorFields(cause) });
  const protocol = workflow.generation.forKey(held.key);
  const { state, failures } = protocol.afterFailure({ error, previous: storedError(held), failures: held.failures });
  if (state === "running") return errorResponse(error);
  const resumable = sideEffects === "unknown" || (sideEffects === "none" && run.hasCompletedSteps);
  const repeat = { stored: state, live: false, samePayload: true, expired: false, resumable, manual: false } as const;
  const after = {
    resumable,
    isAbandoned: workflow.compensateSoon || protocol.decide(repeat) !== "resume",
    compensationPending: sideEffects === "compensation_pending",
  };
  // A link that lacks only its short link is completed, not compensated.
  const isUndone = workflow.compensate !== undefined && state !== "awaiting_short_link";
  const compensateAt = isUndone ? compensationTime(deps.clock.now(), after) : null;
  const isOver = !resumable && compensateAt === null && state !== "awaiting_short_link";
  try {
    await run.write(
      {
        state,
        failures,
        failedAttempts: held.failedAttempts + 1,
        ...(isOver ? NOTHING_LEFT : { progress: run.progress }),
        error: JSON.stringify(error),
        resumable,
        compensateAt,
      },
      [],
    );
  } catch (thrown) {
    deps.log.error("failure not stored", { ...about, ...errorFields(thrown) });
    if (thrown instanceof OwnershipLost) return afterOwnershipLost(deps, held, error);
    // The record still says `running`, so a repeat resumes it. The answer must not say that the key is terminal.
    return failureResponse("running", error);
  }
  return failureResponse(state, error);
}

/**
 * Handles a write that the fencing token rejected. There are two possible reasons. Either an earlier commit succeeded
 * but its response was lost; then the record shows this run's progress. Or another instance of this object is
 * processing the key.
 */
async function afterOwnershipLost({ db }: RunDeps, held: IdempotencyRecord, failed: ServiceError | null = null): Promise<AttemptOutcome> {
  const record = await readRecord(db, held.id);
  if (record?.state === "completed") return replayResponse(record, held.requestId);
  if (failed !== null && record?.owner === held.owner && record.state !== "running") return failureResponse(record.state, failed);
  return record?.owner === held.owner ? "retry_now" : "retry_after_other";
}

/** The longest possible run of another instance, and the interval between two polls of its record. */
const MAX_RUN = 30 * SECOND;
const POLL_INTERVAL = SECOND / 4;

/** Waits until the other instance has finished with the key, or for so long that it must have died. */
export async function waitForOther({ db, clock }: RunDeps, recordId: string): Promise<void> {
  for (const giveUpAt = clock.now() + MAX_RUN; clock.now() < giveUpAt; ) {
    const record = await readRecord(db, recordId);
    if (record?.state !== "running") return;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
}
