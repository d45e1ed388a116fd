import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTimestamp } from "../../src/core/iso-timestamp.ts";

const at = (iso: string) => Date.parse(iso);

describe("a bare date", () => {
  // interface 5.1
  it("is the whole of its day, UTC", () => {
    expect(parseTimestamp("2026-11-20", "start")).toBe(at("2026-11-20T00:00:00.000Z"));
    expect(parseTimestamp("2026-11-20", "end")).toBe(at("2026-11-20T23:59:59.999Z"));
    expect(parseTimestamp("2028-02-29", "start")).toBe(at("2028-02-29T00:00:00.000Z"));
  });
});

describe("a date-time", () => {
  it.each([
    ["2026-11-20T08:30:00Z", "2026-11-20T08:30:00.000Z"],
    ["2026-11-20T08:30:00.125Z", "2026-11-20T08:30:00.125Z"],
    ["2026-11-20T08:30:00.1Z", "2026-11-20T08:30:00.100Z"],
    ["2026-11-20T08:30:00,5Z", "2026-11-20T08:30:00.500Z"],
    ["2026-11-20T08:30:00.123456789Z", "2026-11-20T08:30:00.123Z"],
    ["2026-11-20T08:30:00", "2026-11-20T08:30:00.000Z"],
    ["2026-11-20T08:30", "2026-11-20T08:30:00.000Z"],
    ["2026-11-20t08:30:00z", "2026-11-20T08:30:00.000Z"],
    ["2026-11-20T08:30:00+03:00", "2026-11-20T05:30:00.000Z"],
    ["2026-11-20T08:30:00+0300", "2026-11-20T05:30:00.000Z"],
    ["2026-11-20T08:30:00+03", "2026-11-20T05:30:00.000Z"],
    ["2026-11-20T00:30:00-01:00", "2026-11-20T01:30:00.000Z"],
    // interface 5.1
  ])("%s is %s", (text, moment) => {
    for (const edge of ["start", "end"] as const) expect(parseTimestamp(text, edge)).toBe(at(moment));
  });
});

it.each([
  "",
  "yesterday",
  "2026",
  "2026-11",
  "2026-11-31",
  "2026-02-29",
  "2026-02-30T00:00:00Z",
  "2026-13-01",
  "2026-00-10",
  "2026-11-00",
  "20-11-2026",
  "2026/11/20",
  "2026-11-20 08:30:00",
  "2026-11-20T24:01:00Z",
  "2026-11-20T08:60:00Z",
  "2026-11-20T08:30:61Z",
  "2026-11-20T08:30:00+3",
  "2026-11-20T",
  "1795132800",
  " 2026-11-20",
  "2026-11-20\n",
  "x2026-11-20",
  "x2026-11-20T08:30:00Z",
  "2026-11-32",
  "2026-13-01T00:00:00Z",
  "2026-00-10T00:00:00Z",
  "2026-11-00T00:00:00Z",
  "٢٠٢٦-١١-٢٠",
  // interface 5.2
])("%j is refused", (text) => {
  expect(parseTimestamp(text, "start")).toBeNull();
});

it("reads every moment as it was written, and puts every day's start before its end", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date("2999-12-31"), noInvalidDate: true }), (date) => {
      expect(parseTimestamp(date.toISOString(), "start")).toBe(date.getTime());
      const day = date.toISOString().slice(0, 10);
      const [start, end] = [parseTimestamp(day, "start"), parseTimestamp(day, "end")];
      expect((end ?? 0) - (start ?? 0)).toBe(24 * 3600 * 1000 - 1);
    }),
  );
});
