import { describe, expect, it } from "vitest";
import { datesOf, periodNames, periodWith } from "../../dashboard/src/shared/periods.ts";

const at = (text: string) => new Date(text);

describe("a period of a list", () => {
  it.each([
    ["today", "2026-03-01", "2026-03-01"],
    ["last_7_days", "2026-02-23", "2026-03-01"],
    ["last_30_days", "2026-01-31", "2026-03-01"],
    ["this_month", "2026-03-01", "2026-03-01"],
    ["last_month", "2026-02-01", "2026-02-28"],
    ["this_quarter", "2026-01-01", "2026-03-01"],
    ["this_year", "2026-01-01", "2026-03-01"],
  ] as const)("%s is from %s to %s", (name, since, until) => {
    expect(datesOf(name, at("2026-03-01T12:00:00Z"), "UTC")).toEqual({ since, until });
  });

  it("goes over the end of a year, and is of the partner's zone", () => {
    const eve = at("2026-12-31T22:30:00Z");
    expect(datesOf("last_month", at("2027-01-15T12:00:00Z"), "UTC")).toEqual({ since: "2026-12-01", until: "2026-12-31" });
    expect(datesOf("today", eve, "Europe/Moscow")).toEqual({ since: "2027-01-01", until: "2027-01-01" });
    expect(datesOf("this_month", eve, "UTC")).toEqual({ since: "2026-12-01", until: "2026-12-31" });
    expect(datesOf("last_month", eve, "Europe/Moscow")).toEqual({ since: "2026-12-01", until: "2026-12-31" });
  });

  it("is known again by its dates, and other dates are none", () => {
    const now = at("2026-11-27T12:00:00Z");
    expect(datesOf("this_quarter", now, "UTC").since).toBe("2026-10-01");
    for (const name of periodNames) expect(periodWith(datesOf(name, now, "UTC"), now, "UTC")).toBe(name);
    expect(periodWith({ since: "2026-11-27" }, now, "UTC")).toBeNull();
    expect(periodWith({ since: "2026-11-26", until: "2026-11-27" }, now, "UTC")).toBeNull();
    expect(periodWith({}, now, "UTC")).toBeNull();
  });
});
