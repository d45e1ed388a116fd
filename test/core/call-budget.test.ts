import { describe, expect, it, vi } from "vitest";
import { CallBudget } from "../../src/core/call-budget.ts";

it("counts a budget down to nothing and no further", () => {
  let now = 1_000;
  const budget = new CallBudget({ now: () => now }, 500);
  expect(budget.remaining()).toBe(500);
  now += 499;
  expect(budget.remaining()).toBe(1);
  now += 10_000;
  expect(budget.remaining()).toBe(0);
});

describe("a call waits for a slot of the rate limit", () => {
  /** Asks with so much time left at each look, and says what was asked and how long it waited. */
  async function wait(answers: readonly boolean[], left: readonly number[]) {
    vi.useFakeTimers();
    let looks = 0;
    const asked: string[] = [];
    const budget = new CallBudget({ now: () => (looks === 0 ? 0 : 10_000 - (left[looks - 1] ?? 0)) }, 10_000, (environment) => {
      asked.push(environment);
      looks += 1;
      return Promise.resolve(answers[looks - 1] ?? true);
    });
    const begun = Date.now();
    const waiting = budget.waitForSlot();
    await vi.runAllTimersAsync();
    const has = await waiting;
    const waited = Date.now() - begun;
    vi.useRealTimers();
    return { has, asked, waited };
  }

  it("not at all where one is free, of the environment of the calls", async () => {
    expect(await wait([true], [9_000])).toEqual({ has: true, asked: ["live"], waited: 0 });
    const budget = new CallBudget({ now: () => 0 }, 1, (environment) => Promise.resolve(environment === "test"));
    budget.environment = "test";
    expect(await budget.waitForSlot()).toBe(true);
  });

  it("half a second between its looks", async () => {
    expect(await wait([false, false, true], [9_000, 501, 9_000])).toEqual({ has: true, asked: ["live", "live", "live"], waited: 1_000 });
  });

  it("and gives up where the next look would come too late", async () => {
    expect(await wait([false, true], [500])).toEqual({ has: false, asked: ["live"], waited: 0 });
    expect(await wait([false, false, true], [9_000, 0])).toMatchObject({ has: false, asked: ["live", "live"] });
  });
});
