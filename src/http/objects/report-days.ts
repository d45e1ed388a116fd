import * as z from "zod";
import { DAY } from "../../core/clock.ts";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { dayIn, daysAfter, monthIn } from "../../core/time-zone.ts";
import type { Asker } from "./define.ts";

const date = z.iso.date("must be a date, such as 2026-10-01");

/** The query fields of a report's days. */
export const reportDays = {
  from: date.optional().describe("The first day, in the partner's time zone; default the first of the month of `to`"),
  days: z.coerce.number().int().min(1).max(limits.reports.days).optional().describe("Instead of `from`: so many days up to `to`"),
  to: date.optional().describe("The last day; default today"),
};

interface AskedDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly days?: number | undefined;
}

/** The asked days: this month up to today, unless they are said. @throws ServiceFailure `invalid_input` */
export function periodIn({ deps }: Asker, { from, to, days: count }: AskedDays, timeZone: string) {
  const now = deps.clock.now();
  const last = to ?? dayIn(now, timeZone);
  if (from !== undefined && count !== undefined) rejectInput("days: goes without `from`", "days");
  const first = from ?? (count === undefined ? null : daysAfter(last, 1 - count)) ?? `${(to ?? monthIn(now, timeZone)).slice(0, 7)}-01`;
  if (first > last) rejectInput("from: must not be after `to`", "from");
  const days = (Date.parse(last) - Date.parse(first)) / DAY;
  if (days > limits.reports.days) rejectInput(`to: a report covers ${limits.reports.days} days at most`, "to");
  return { from: first, to: last, timeZone };
}
