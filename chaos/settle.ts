import { openBooks } from "./auditor/books.ts";
import type { House } from "./house.ts";

const MINUTE = 60_000;
/** How far the clock goes on between two looks: retries and polls come by the hour in the end. In minutes. */
const STEPS = [0, 0, 1, 2, 3, 3, 5, 10, 30, 60, 60, 120, 240, 240, 480, 480, 720, 720, 720, 720];

/** What may still be under way. Its number falls to nothing. */
const UNDER_WAY = [
  "SELECT count(*) AS count FROM idempotency_records WHERE state IN ('running', 'awaiting_short_link') OR compensate_at IS NOT NULL",
  "SELECT count(*) AS count FROM events WHERE state IN ('pending', 'sending')",
  "SELECT count(*) AS count FROM refreshes WHERE state = 'due'",
];

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Brings the service to rest: runs its cron again and again, with the clock going on by hours, as retries do. What is left
 * after it is for the auditor to find.
 */
export async function settle(house: House): Promise<void> {
  let clock = 0;
  for (const minutes of STEPS) {
    clock += minutes * MINUTE;
    await house.setWeather({ d1: 0, kv: 0, r2: 0, clock });
    for (let times = 0; times < 2; times += 1) {
      await house.cron();
      await sleep(1_000);
    }
    if (clock > 10 * MINUTE && openWork(house) === 0) break;
  }
  // What came in by the last deliveries, and what the processor lists, is worked off too.
  await house.cron();
  await sleep(2_000);
}

function openWork(house: House): number {
  const books = openBooks(house.stores);
  return UNDER_WAY.flatMap((sql) => books.rows(sql)).reduce((sum, { count }) => sum + Number(count), 0);
}
