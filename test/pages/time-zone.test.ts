import { describe, expect, it } from "vitest";
import { momentText, withMoments } from "../../dashboard/src/shared/moment-text.ts";
import { instantOf, wallTime } from "../../dashboard/src/shared/time-zone.ts";

describe("a time that is typed in the shown zone", () => {
  it.each([
    ["UTC", "2026-11-29 18:00:00", "2026-11-29T18:00:00.000Z"],
    ["Europe/Moscow", "2026-11-29 18:00:00", "2026-11-29T15:00:00.000Z"],
    ["America/New_York", "2026-07-01 00:30:00", "2026-07-01T04:30:00.000Z"],
    ["Asia/Kathmandu", "2026-01-01 00:00:00", "2025-12-31T18:15:00.000Z"],
    // Just before and after the clocks change.
    ["Europe/Berlin", "2026-03-29 01:59:00", "2026-03-29T00:59:00.000Z"],
    ["Europe/Berlin", "2026-03-29 03:00:00", "2026-03-29T01:00:00.000Z"],
    ["Europe/Berlin", "2026-10-25 03:00:00", "2026-10-25T02:00:00.000Z"],
    ["Europe/Berlin", "2026-10-25 01:59:00", "2026-10-24T23:59:00.000Z"],
  ])("in %s, %s is %s, and is shown as it was typed", (zone, wall, at) => {
    expect(instantOf(wall, zone)).toBe(at);
    expect(wallTime(at, zone)).toBe(wall);
  });

  it("that clocks skip is the moment as long after the skip, east and west", () => {
    expect(instantOf("2026-03-29 02:30:00", "Europe/Berlin")).toBe("2026-03-29T01:30:00.000Z");
    expect(instantOf("2026-03-08 02:30:00", "America/New_York")).toBe("2026-03-08T07:30:00.000Z");
  });

  it("that clocks show twice is the first of both moments", () => {
    expect(instantOf("2026-10-25 02:30:00", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
    expect(instantOf("2026-11-01 01:30:00", "America/New_York")).toBe("2026-11-01T05:30:00.000Z");
  });
});

it("a sentence of the Worker has its times as pages show them, and nothing else is changed", () => {
  const [first, second] = ["2026-11-29T07:38:59.304Z", "2026-11-12T15:32:01Z"];
  expect(withMoments(`The next attempt is due ${first}, after ${second}; order 2026-11-29.`)).toBe(
    `The next attempt is due ${momentText(first)}, after ${momentText(second)}; order 2026-11-29.`,
  );
});
