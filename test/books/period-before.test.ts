import { expect, it } from "vitest";
import { periodBefore } from "../../src/books/sales.ts";

const before = (from: string, to: string) => {
  const { from: first, to: last } = periodBefore({ from, to, timeZone: "UTC" });
  return [first, last];
};

it.each([
  ["2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"],
  ["2026-01-01", "2026-01-31", "2025-12-01", "2025-12-31"],
  ["2026-01-01", "2026-12-31", "2025-01-01", "2025-12-31"],
  ["2026-04-01", "2026-06-30", "2026-01-01", "2026-03-31"],
  // As many days, where it is not of whole months.
  ["2026-11-01", "2026-11-29", "2026-10-03", "2026-10-31"],
  ["2026-11-02", "2026-11-30", "2026-10-04", "2026-11-01"],
  ["2026-11-29", "2026-11-29", "2026-11-28", "2026-11-28"],
])("the period before %s to %s is %s to %s", (from, to, first, last) => {
  expect(before(from, to)).toEqual([first, last]);
});
