import { expect, it } from "vitest";
import { DAY, HOUR, isoTime, MINUTE, SECOND } from "../../src/core/clock.ts";

it("counts in milliseconds, and writes ISO 8601 in UTC", () => {
  expect([SECOND, MINUTE, HOUR, DAY]).toEqual([1_000, 60_000, 3_600_000, 86_400_000]);
  expect(isoTime(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe("2026-01-02T03:04:05.006Z");
});
