import { expect, it } from "vitest";
import { periodEnd } from "../../sandbox/processor/period.ts";

const at = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1_000;
const dayOf = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);
const subscription = (interval: string, interval_count: number, anchor: string) =>
  ({ id: "sub_1", recurring: { interval, interval_count }, billing_cycle_anchor: at(anchor) }) as unknown as Parameters<
    typeof periodEnd
  >[0];

it.each([
  ["month", 1, ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]],
  ["month", 3, ["2026-11-30", "2027-02-28", "2027-05-30"]],
  ["year", 1, ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]],
  ["week", 2, ["2026-02-27", "2026-03-13"]],
  ["day", 1, ["2026-02-28", "2026-03-01"]],
])("%s × %i: the days of renewal follow the calendar", (interval, count, [first = "", ...days]) => {
  const paid = subscription(interval, count, first);
  let now = at(first);
  for (const day of days) {
    now = periodEnd(paid, now);
    expect(dayOf(now)).toBe(day);
  }
});
