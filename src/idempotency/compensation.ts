import type { CallBudget } from "../core/call-budget.ts";
import { HOUR, MINUTE } from "../core/clock.ts";
import { errorFields } from "../core/log.ts";
import { RecordRun, type RunDeps } from "./run.ts";
import { claimForCompensation, type IdempotencyRecord, markCompensated } from "./store.ts";
import type { AnyWorkflow } from "./workflow.ts";

/** Compensation runs soon if no request can resume the attempt, and a day later if one still can. */
const SOON = MINUTE;
const RESUMABLE_FOR = 24 * HOUR;
/** The shortest and the longest delay before an unfinished compensation is retried. */
const SHORTEST_RETRY = 2 * MINUTE;
const LONGEST_RETRY = 6 * HOUR;

interface FailedRun {
  /** Whether an upstream object was created, or may have been. */
  readonly resumable: boolean;
  /** Whether no repeat can resume: the key is terminal, or its workflow compensates soon. */
  readonly isAbandoned: boolean;
  /** Whether the attempt could not finish its own compensation. */
  readonly compensationPending: boolean;
}

/** When to compensate a failed attempt, in Unix milliseconds. Null: there is nothing to compensate. */
export function compensationTime(now: number, after: FailedRun): number | null {
  if (after.compensationPending || (after.resumable && after.isAbandoned)) return now + SOON;
  return after.resumable ? now + RESUMABLE_FOR : null;
}

/** The next try of an unfinished compensation: after half the time since the attempt failed, within limits. */
export function compensationRetryTime(now: number, failedAt: number): number {
  return now + Math.min(Math.max((now - failedAt) / 2, SHORTEST_RETRY), LONGEST_RETRY);
}

/**
 * Compensates the upstream side effects of a record's failed attempts, using the `compensate` function of its workflow.
 * The record becomes non-resumable at the start, so no instance of the key's object uses objects that are about to be
 * removed. When compensation is done, the progress is empty; state, error and result stay. Returns `done`; `superseded`
 * if another instance has changed the record; `failed` if compensation must be retried.
 */
export async function compensate<Deps extends RunDeps>(
  deps: Deps,
  workflow: AnyWorkflow<Deps>,
  record: IdempotencyRecord,
  budget: CallBudget,
): Promise<"done" | "superseded" | "failed"> {
  const { db, clock, log } = deps;
  try {
    const claimed = await claimForCompensation(db, record, compensationRetryTime(clock.now(), record.updatedAt));
    if (claimed === undefined) return "superseded";
    budget.environment = workflow.environmentOf(claimed.plan) ?? budget.environment;
    await workflow.compensate?.(deps, claimed.plan, new RecordRun(db, clock, claimed, budget, record));
    return (await markCompensated(db, claimed)) ? "done" : "superseded";
  } catch (thrown) {
    log.error("compensation failed", { record: record.id, operation: record.operation, ...errorFields(thrown) });
    return "failed";
  }
}
