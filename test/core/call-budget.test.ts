import { expect, it } from "vitest";
import { CallBudget } from "../../src/core/call-budget.ts";

it("counts a deadline down to nothing and no further", () => {
  let now = 1_000;
  const deadline = new CallBudget({ now: () => now }, 500);
  expect(deadline.remaining()).toBe(500);
  now += 499;
  expect(deadline.remaining()).toBe(1);
  now += 10_000;
  expect(deadline.remaining()).toBe(0);
});
