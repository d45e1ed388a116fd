import { expect, it } from "vitest";
import { compensationTime } from "../../src/idempotency/compensation.ts";
import { HOUR, MINUTE } from "../support/later.ts";

const NOW = 1_000;

it.each([
  ["nothing", { resumable: false, isTerminal: false, compensationPending: false }, null],
  ["nothing, for the last time", { resumable: false, isTerminal: true, compensationPending: false }, null],
  ["something to resume", { resumable: true, isTerminal: false, compensationPending: false }, NOW + 24 * HOUR],
  ["something that nobody can resume", { resumable: true, isTerminal: true, compensationPending: false }, NOW + MINUTE],
  ["an unfinished compensation", { resumable: false, isTerminal: false, compensationPending: true }, NOW + MINUTE],
  ["an unfinished compensation, resumable", { resumable: true, isTerminal: false, compensationPending: true }, NOW + MINUTE],
])("an attempt that leaves %s is compensated in time", (_what, after, wanted) => {
  expect(compensationTime(NOW, after)).toBe(wanted);
});
