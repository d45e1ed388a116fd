import type { ProcessorObject } from "../state.ts";

/** The end of a subscription's period that begins at `start`; Unix seconds, by the calendar in UTC. */
export function periodEnd(subscription: ProcessorObject, start: number): number {
  const { interval, interval_count: count } = subscription.recurring as { interval: string; interval_count: number };
  const date = new Date(start * 1000);
  if (interval === "day") date.setUTCDate(date.getUTCDate() + count);
  if (interval === "week") date.setUTCDate(date.getUTCDate() + 7 * count);
  if (interval === "month") addMonths(date, count, anchorDay(subscription, date));
  if (interval === "year") addMonths(date, 12 * count, anchorDay(subscription, date));
  return Math.floor(date.getTime() / 1000);
}

/** The day of the month on which a subscription renews: that of its anchor, or of the end of its trial, which a short month does not change. */
function anchorDay({ billing_cycle_anchor, trial_end }: ProcessorObject, start: Date): number {
  const anchor = trial_end ?? billing_cycle_anchor;
  return typeof anchor === "number" ? new Date(anchor * 1000).getUTCDate() : start.getUTCDate();
}

/** Moves a date by whole months, to `day` or the last day of the month: 31 January, 28 February, 31 March. */
export function addMonths(date: Date, count: number, day: number): void {
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
}

type Items = { data: { current_period_start: number; current_period_end: number }[] };

/** Moves every item of a subscription to its next period. */
export function addPeriod(subscription: ProcessorObject): void {
  for (const item of (subscription.items as Items).data) {
    item.current_period_start = item.current_period_end;
    item.current_period_end = periodEnd(subscription, item.current_period_start);
  }
}

/** The end of the current period; Unix seconds. */
export function currentPeriodEnd(subscription: ProcessorObject): number | null {
  return (subscription.items as Items).data[0]?.current_period_end ?? null;
}
