import { expect, it } from "vitest";
import { DAY, earliestOf, HOUR, isoTime, MINUTE, SECOND } from "../../src/core/clock.ts";

it("counts in milliseconds, and writes ISO 8601 in UTC", () => {
  expect([SECOND, MINUTE, HOUR, DAY]).toEqual([1_000, 60_000, 3_600_000, 86_400_000]);
  expect(isoTime(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe("2026-01-02T03:04:05.006Z");
});

it("finds the earliest of some times, of which some may not be known", () => {
  expect([earliestOf([3, 1, 2]), earliestOf([null, 5, undefined]), earliestOf([0, 7]), earliestOf([null]), earliestOf([])]).toEqual([
    1,
    5,
    0,
    null,
    null,
  ]);
});
