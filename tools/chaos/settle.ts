import { openBooks } from "./auditor/books.ts";
import { endMoves, movePartner, type Partner, phasesOfMoves } from "./partners.ts";
import { type ChaosSystem, NO_FAILURES } from "./system.ts";

const MINUTE = 60_000;
/** Clock steps between two checks, in minutes: late retries and polls are hours apart. */
const STEPS = [0, 1, 2, 3, 5, 10, 15, 30, 60, 60, 120, 240, 240, 480, 480, 720, 720, 720, 720, 720];
/** The minimum time in minutes: the bank is first polled after ten minutes. */
const AT_LEAST = 90 * MINUTE;

/** Work that may still be in progress. Its number must reach zero. */
const UNDER_WAY = [
  "SELECT count(*) AS count FROM idempotency_records WHERE state IN ('running', 'awaiting_short_link') OR compensate_at IS NOT NULL",
  "SELECT count(*) AS count FROM events WHERE state IN ('pending', 'sending')",
  "SELECT count(*) AS count FROM refreshes WHERE state = 'due'",
  "SELECT count(*) AS count FROM arrivals",
];

/** The number of consecutive checks that must find no work, and the maximum number of checks. */
const QUIET_LOOKS = 3;
const MAX_LOOKS = 600;

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Brings the service to rest: runs its cron repeatedly while the clock advances by hours, as retries need. The auditor
 * must find what is left after it.
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
  // Work that the last runs found is finished too, however slow the machine is.
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

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What a run books lies within two months, and a month is closed on the fifth of the next one. Then the partners change their cells. */
const CLOSINGS = [
  { after: 37 * DAY, change: "move" },
  { after: 72 * DAY, change: "split" },
  { after: 107 * DAY, change: null },
] as const;

/** Advances the clock until all months of the run are closed. Between them, each partner moves to another cell, or is split. */
export async function closeMonths(system: ChaosSystem, partners: readonly Partner[]): Promise<void> {
  for (const [index, { after: clock, change }] of CLOSINGS.entries()) {
    await system.fail({ ...NO_FAILURES, clock });
    await system.cron();
    if (system.cells === 1 || change === null) continue;
    const to = String(index + 1).padStart(2, "0");
    for (const partner of partners) await movePartner(system, partner, change, to).catch(ignoreRefusal);
    await endMoves(system);
    for (let waited = HOUR; (await phasesOfMoves(system)).length > 0; waited += HOUR) {
      await system.fail({ ...NO_FAILURES, clock: clock + waited });
      await system.cron();
    }
  }
}

/** A partner that is in the cell already, or has a part of its data there, is refused. */
function ignoreRefusal(thrown: unknown): void {
  if (!(thrown instanceof Error) || !thrown.message.includes(" answered 409: ")) throw thrown;
}
