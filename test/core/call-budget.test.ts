import { expect, it } from "vitest";
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
