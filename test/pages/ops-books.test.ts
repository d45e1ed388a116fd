import { expect, it } from "vitest";
import { monthBefore, monthIn } from "../../dashboard/src/ops/books/month.ts";

it.each([
  ["2026-11-28T10:00:00Z", "2026-10"],
  ["2026-01-01T00:00:00Z", "2025-12"],
  ["2026-03-31T23:59:59Z", "2026-02"],
])("the month that is checked at %s is %s", (now, month) => expect(monthBefore(new Date(now))).toBe(month));

it.each([
  ["2026-10", "2026-10"],
  ["2026-13", null],
  ["2026-00", null],
  ["2026", null],
  ["october", null],
  [undefined, null],
])("%s in an address is the month %s", (text, month) => expect(monthIn(text)).toBe(month));
