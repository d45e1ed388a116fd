import { type Clock, DAY, startOfUtcDay } from "../core/clock.ts";
import { addedUp } from "../core/sums.ts";
import type { Cell } from "../db/client.ts";
import { countEndpointsByDay } from "../webhooks/admin/daily-endpoints.ts";
import { readCountedEndpoints, readEndpointDays } from "./store.ts";

/** How many days of an endpoint can be looked at. */
export const ENDPOINT_DAYS = 90;

const COUNTS = ["deliveries", "attempts", "delivered", "inSecond", "inMinute", "inHour", "givenUp"] as const;

/** How the deliveries of some events went. */
export type DeliveryCounts = Readonly<Record<(typeof COUNTS)[number], number>>;

/** Adds counts up. */
export const sumOf = (counts: readonly DeliveryCounts[]): DeliveryCounts => addedUp(COUNTS, counts);

/**
 * How the deliveries to an endpoint went on each of the last days (UTC), oldest first, empty days included. The days before today were
 * counted by the cron, within the hour; today is counted now. Two D1 round trips to each cell.
 */
export async function endpointDays(
  cells: readonly { readonly db: Cell }[],
  clock: Clock,
  { partnerId, endpointId, count }: { readonly partnerId: string; readonly endpointId: string; readonly count: number },
): Promise<{ readonly day: number; readonly counts: DeliveryCounts }[]> {
  const today = startOfUtcDay(clock.now());
  const days = Array.from({ length: count }, (_, index) => today - (count - 1 - index) * DAY);
  const answers = await Promise.all(
    cells.map(async ({ db }) => {
      const now = countEndpointsByDay([partnerId], { from: today, to: today + DAY });
      const [before, ofToday] = await Promise.all([readEndpointDays(db, endpointId, days.slice(0, -1)), readCountedEndpoints(db, now)]);
      return [...before, ...ofToday.filter((row) => row.endpointId === endpointId)];
    }),
  );
  const rows = answers.flat();
  return days.map((day) => ({ day, counts: sumOf(rows.filter((row) => row.day === day)) }));
}
