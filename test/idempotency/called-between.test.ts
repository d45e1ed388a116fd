import { describe, expect, it } from "vitest";
import { CallBudget, UPSTREAM_BUDGET } from "../../src/core/call-budget.ts";
import { RecordRun } from "../../src/idempotency/run.ts";
import { EMPTY_PROGRESS, type IdempotencyRecord } from "../../src/idempotency/store.ts";
import { cellDeps } from "../support/cells.ts";
import { HOUR } from "../support/later.ts";

/** When calls under an attempt's keys were made: what is searched for was created then. */

const NOW = 50 * HOUR;
const clock = { now: () => NOW };
const record = { attemptStartedAt: HOUR, progress: EMPTY_PROGRESS, id: "r", attempt: 1 } as IdempotencyRecord;
const runOn = (held: IdempotencyRecord, earlier: IdempotencyRecord | null) =>
  new RecordRun(cellDeps().db, clock, held, new CallBudget(clock, 1), earlier);

describe("calls under an attempt's keys were made", () => {
  const claimed = { ...record, updatedAt: NOW };

  it("by an earlier run: from the keys' first use to the end of the time that its calls had", () => {
    const run = runOn(claimed, { ...record, updatedAt: 2 * HOUR });
    expect(run.calledBetween()).toEqual({ from: HOUR, to: 2 * HOUR + UPSTREAM_BUDGET });
  });

  it("by this run too, once it has used a key", async () => {
    const run = runOn(claimed, { ...record, updatedAt: 2 * HOUR });
    await run.upstreamKey("payment_link");
    expect(run.calledBetween()).toEqual({ from: HOUR, to: NOW + UPSTREAM_BUDGET });
  });

  it("by this run alone, if there was none before", () => {
    expect(runOn(claimed, null).calledBetween()).toEqual({ from: HOUR, to: NOW + UPSTREAM_BUDGET });
  });
});
