import type { ProcessorObject } from "../state.ts";

/** The end of a subscription's period that begins at `start`; Unix seconds, by the calendar in UTC. */
export function periodEnd(subscription: ProcessorObject, start: number): number {
  const { interval, interval_count: count } = subscription.recurring as { interval: string; interval_count: number };
  const date = new Date(start * 1000);
  if (interval === "day") date.setUTCDate(date.getUTCDate() + count);
  if (interval === "week") date.setUTCDate(date.getUTCDate() + 7 * count);
  if (interval === "month") date.setUTCMonth(date.getUTCMonth() + count);
  if (interval === "year") date.setUTCFullYear(date.getUTCFullYear() + count);
  return Math.floor(date.getTime() / 1000);
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
