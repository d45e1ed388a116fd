import * as z from "zod";
import type { Period } from "../../core/clock.ts";
import { parseTimestamp } from "../../core/iso-timestamp.ts";
import { daysAfter, startOfDay, UTC } from "../../core/time-zone.ts";

/** A moment as a request writes it: an instant in Unix milliseconds, or a calendar day, whose instants depend on the time zone. */
export type Moment = { readonly at: number } | { readonly day: string };

/** A date or a timestamp. A date is a day of the partner's time zone; of UTC for operators who name no partner. */
export const momentField = z.string().transform((text, context): Moment => {
  const at = parseTimestamp(text, "start");
  if (at !== null) return /^\d{4}-\d{2}-\d{2}$/.test(text) ? { day: text } : { at };
  context.addIssue({ code: "custom", message: "must be a date or a timestamp in ISO 8601, such as 2026-11-01T00:00:00Z" });
  return z.NEVER;
});

/** The first instant: of a day its start. */
export const startOf = (moment: Moment, zone: string): number => ("at" in moment ? moment.at : startOfDay(moment.day, zone));

/** The first instant that is not in a period that ends with it: a day is in it to its end, an instant is not. */
export const untilOf = (moment: Moment, zone: string): number => ("at" in moment ? moment.at : startOfDay(daysAfter(moment.day, 1), zone));

/** The last instant: of a day its end. */
export const endOf = (moment: Moment, zone: string): number => ("at" in moment ? moment.at : untilOf(moment, zone) - 1);

/** The query of a list by time. */
export const periodQuery = {
  since: momentField.optional().describe("From this time on, or from the start of this date in the partner's time zone"),
  until: momentField.optional().describe("Before this time, or up to the end of this date in the partner's time zone"),
};

/** A period as a request writes it. */
export interface AskedPeriod {
  readonly since?: Moment | undefined;
  readonly until?: Moment | undefined;
}

/** The requested period: all time by default. */
export function periodOf({ since, until }: AskedPeriod, zone: string = UTC): Period {
  return { from: since === undefined ? 0 : startOf(since, zone), to: until === undefined ? Number.MAX_SAFE_INTEGER : untilOf(until, zone) };
}

/** A month of the books, such as 2026-10. */
export const monthField = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, "must be a month, such as 2026-10");
