import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CallBudget } from "../../src/core/call-budget.ts";
import { backoff, MIN_ATTEMPT_TIME, waitBeforeRetry } from "../../src/core/retry.ts";

describe("the pause before another try", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    [1, 200],
    [2, 400],
    [3, 800],
    [4, 1600],
    [5, 3200],
    [6, 4000],
    [20, 4000],
  ])("after %i tries is %i ms, give or take a quarter", (tries, milliseconds) => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    expect(backoff(tries)).toBe(milliseconds);
    vi.spyOn(Math, "random").mockReturnValue(0);
    expect(backoff(tries)).toBe(milliseconds * 0.75);
    vi.spyOn(Math, "random").mockReturnValue(1);
    expect(backoff(tries)).toBe(milliseconds * 1.25);
  });
});

describe("waiting under a deadline", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());
  const clock = { now: () => Date.now() };

  it("waits and counts a retry where time for a try is left", async () => {
    const budget = new CallBudget(clock, 1_000 + MIN_ATTEMPT_TIME);
    const waited = waitBeforeRetry(budget, 1_000);
    let isOver = false;
    void waited.then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await waited).toBe(true);
    expect(budget.retries).toBe(1);
  });

  it("does neither where there is none", async () => {
    const budget = new CallBudget(clock, 1_000 + MIN_ATTEMPT_TIME - 1);
    expect(await waitBeforeRetry(budget, 1_000)).toBe(false);
    expect(budget.retries).toBe(0);
  });
});
