import { expect, it } from "vitest";
import { compensationRetryTime, compensationTime } from "../../src/idempotency/compensation.ts";
import { HOUR, MINUTE } from "../support/later.ts";

const NOW = 1_000;

it.each([
  ["nothing", { resumable: false, isAbandoned: false, compensationPending: false }, null],
  ["nothing, for the last time", { resumable: false, isAbandoned: true, compensationPending: false }, null],
  ["something to resume", { resumable: true, isAbandoned: false, compensationPending: false }, NOW + 24 * HOUR],
  ["something that nobody can resume", { resumable: true, isAbandoned: true, compensationPending: false }, NOW + MINUTE],
  ["an unfinished compensation", { resumable: false, isAbandoned: false, compensationPending: true }, NOW + MINUTE],
  ["an unfinished compensation, resumable", { resumable: true, isAbandoned: false, compensationPending: true }, NOW + MINUTE],
])("an attempt that leaves %s is compensated in time", (_what, after, wanted) => {
  expect(compensationTime(NOW, after)).toBe(wanted);
});

it.each([
  ["at first", 0, 2 * MINUTE],
  ["soon after", 4 * MINUTE + 1_000, 2 * MINUTE + 500],
  ["after half the time that has passed", HOUR, HOUR / 2],
  ["never later than after six hours", 30 * HOUR, 6 * HOUR],
])("one that does not finish is tried again %s", (_when, passed, wait) => {
  expect(compensationRetryTime(passed, 0)).toBe(passed + wait);
});
