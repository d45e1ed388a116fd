import { expect, it } from "vitest";
import { keptFilters, usedFilters } from "../../dashboard/src/objects/kept-filters.ts";

const inMonth = (month: number) => new Date(Date.UTC(2026, month - 1, 15, 12));

it("kept filters of a named period are of that period whenever they are used", () => {
  const kept = keptFilters({ status: "refunded", since: "2026-10-01", until: "2026-10-15" }, inMonth(10));
  expect(kept).toEqual({ status: "refunded", period: "this_month" });
  expect(usedFilters(kept, inMonth(11))).toEqual({ status: "refunded", since: "2026-11-01", until: "2026-11-15" });
});

it("dates of a person's own stay, and so do filters without any", () => {
  const views: readonly Readonly<Record<string, string>>[] = [
    { since: "2026-10-03", until: "2026-10-04" },
    { until: "2026-10-04" },
    { status: "paid" },
    {},
  ];
  for (const view of views) {
    expect(keptFilters(view, inMonth(10))).toEqual(view);
    expect(usedFilters(view, inMonth(11))).toEqual(view);
  }
  expect(usedFilters({ period: "of another version", status: "paid" }, inMonth(11))).toEqual({ status: "paid" });
});
