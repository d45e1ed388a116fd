import { openBooks } from "./auditor/books.ts";
import { type ChaosSystem, NO_FAILURES } from "./system.ts";

const MINUTE = 60_000;
/** How far the clock goes on between two looks: retries and polls come by the hour in the end. In minutes. */
const STEPS = [0, 1, 2, 3, 5, 10, 15, 30, 60, 60, 120, 240, 240, 480, 480, 720, 720, 720, 720, 720];
/** Before this much time, in minutes, something may not have been asked for yet: the bank is first polled after ten. */
const AT_LEAST = 90 * MINUTE;

/** What may still be under way. Its number falls to nothing. */
const UNDER_WAY = [
  "SELECT count(*) AS count FROM idempotency_records WHERE state IN ('running', 'awaiting_short_link') OR compensate_at IS NOT NULL",
  "SELECT count(*) AS count FROM events WHERE state IN ('pending', 'sending')",
  "SELECT count(*) AS count FROM refreshes WHERE state = 'due'",
  "SELECT count(*) AS count FROM arrivals",
];

/** Looks in a row that must find nothing under way, and how often it is looked in the end. */
const QUIET_LOOKS = 3;
const MAX_LOOKS = 600;

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Brings the service to rest: runs its cron again and again, with the clock going on by hours, as retries do. What is left
 * after it is for the auditor to find.
 */
export async function settle(system: ChaosSystem): Promise<void> {
  let clock = 0;
  for (const minutes of STEPS) {
    clock += minutes * MINUTE;
    await system.fail({ ...NO_FAILURES, clock });
    for (let times = 0; times < 2; times += 1) {
      await system.cron();
      await sleep(700);
    }
    if (clock > AT_LEAST && openWork(system) === 0) break;
  }
  // What the last runs found is worked off too, however slow the machine is.
  let quiet = 0;
  for (let looks = 0; looks < MAX_LOOKS && quiet < QUIET_LOOKS; looks += 1) {
    await sleep(700);
    quiet = openWork(system) === 0 ? quiet + 1 : 0;
  }
}

function openWork(system: ChaosSystem): number {
  const books = openBooks(system.stores);
  try {
    return UNDER_WAY.flatMap((sql) => books.rows(sql)).reduce((sum, { count }) => sum + Number(count), 0);
  } finally {
    books.close();
  }
}
