import { expect, it } from "vitest";
import { keptFilters, usedFilters } from "../../dashboard/src/objects/kept-filters.ts";
import { datesOf, periodNames } from "../../dashboard/src/shared/periods.ts";

const on = (day: string) => new Date(`${day}T12:00:00Z`);

it.each(periodNames)("kept filters of %s are of that period whenever they are used, on whatever day they were kept", (period) => {
  for (const day of ["2026-01-01", "2026-10-07", "2026-11-30"]) {
    const address = { status: "refunded", period, ...datesOf(period, on(day), "UTC") };
    const kept = keptFilters(address);
    expect(kept).toEqual({ status: "refunded", period });
    expect(usedFilters(kept, on(day))).toEqual(address);
    expect(usedFilters(kept, on("2027-05-20"))).toEqual({ ...kept, ...datesOf(period, on("2027-05-20"), "UTC") });
  }
});

it("dates of a person's own stay, and so do filters without any", () => {
  const views: readonly Readonly<Record<string, string>>[] = [
    { since: "2026-10-03", until: "2026-10-04" },
    { until: "2026-10-04" },
    { status: "paid" },
    { period: "of another version", status: "paid" },
    {},
  ];
  for (const view of views) {
    expect(keptFilters(view)).toEqual(view);
    expect(usedFilters(view, on("2026-11-15"))).toBe(view);
  }
});
