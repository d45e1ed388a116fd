import { SERVICE_NAME } from "../core/actor.ts";
import { CallBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, HOUR, MINUTE, SECOND } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import { newRequestId } from "../core/request-id.ts";
import type { Cell } from "../db/client.ts";
import type { KeyActors } from "./client.ts";
import { recordsToCompensate, unfinishedRecords } from "./find-records.ts";

/** A run takes at most half a minute, so a record without an update for this long was interrupted. */
const GRACE = 2 * MINUTE;
const MAX_WAIT = 6 * HOUR;
const MAX_PER_SWEEP = 20;
/** The time after which a sweep starts no more records, so that other sweeps can run. */
const BUDGET = 45 * SECOND;

interface SweepDeps {
  readonly databaseName: CellCode;
  readonly db: Cell;
  readonly clock: Clock;
  readonly log: Log;
  readonly keyActors: KeyActors;
}

/**
 * Resumes interrupted operations if their caller has not retried. The Durable Object of each key finishes it, as if the
 * caller had repeated the request. Returns the number of records found.
 * @param operations the operations with autoResume.
 */
export async function sweepUnfinishedOperations(deps: SweepDeps, operations: readonly string[]): Promise<number> {
  const wanted = { now: deps.clock.now(), grace: GRACE, longestWait: MAX_WAIT, limit: MAX_PER_SWEEP };
  const records = await unfinishedRecords(deps.db, operations, wanted);
  return sweep(deps, "unfinished operation", records, async ({ id: recordId, partnerId, holder, operation, key, fingerprint, plan }) => {
    // A separate request id, so a later request of the caller gets the result as a replay.
    const requestId = `cron_${newRequestId()}`;
    const of = { recordId, cell: deps.databaseName, partnerId, holder: holder ?? SERVICE_NAME };
    const whose = { ...of, operation, key, fingerprints: [fingerprint], start: { plan } } as const;
    const request = { ...whose, requestId, manual: false };
    const answer = await deps.keyActors(recordId, deps.databaseName).handle(request);
    return answer.ok ? "completed" : answer.error.kind;
  });
}

/** Compensates failed operations that are due, each in the Durable Object of its key. Returns the number found. */
export async function sweepCompensations(deps: SweepDeps): Promise<number> {
  const records = await recordsToCompensate(deps.db, deps.clock.now(), MAX_PER_SWEEP);
  return sweep(deps, "compensation", records, async ({ id, operation }) =>
    (await deps.keyActors(id, deps.databaseName).compensate(operation, id, deps.databaseName)) ? "compensated" : "not done",
  );
}

async function sweep<Found extends { readonly id: string; readonly operation: string }>(
  { clock, log }: SweepDeps,
  what: string,
  records: readonly Found[],
  work: (record: Found) => Promise<string>,
): Promise<number> {
  const budget = new CallBudget(clock, BUDGET);
  for (const record of records) {
    if (budget.remaining() === 0) break;
    const about = { record: record.id, operation: record.operation };
    try {
      log.info(`${what} processed`, { ...about, outcome: await work(record) });
    } catch (thrown) {
      log.error(`${what} not processed`, { ...about, ...errorFields(thrown) });
    }
  }
  return records.length;
}
