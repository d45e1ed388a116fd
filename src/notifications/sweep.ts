import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import type { WakeUp } from "../core/wake-up.ts";
import type { Database } from "../db/client.ts";
import { overdueDeliveries } from "./store.ts";

/** Time that the queue gets before the sweep takes over, and that an attempt gets before its consumer counts as dead. */
const QUEUE_GRACE = 30 * SECOND;
const CLAIM_LIFE = 2 * MINUTE;
const MOST_PER_SWEEP = 500;

/** Wakes every delivery that a lost, dead or over-long queue message left lying. Gives how many. */
export async function sweepDeliveries(tools: {
  readonly db: Database;
  readonly clock: Clock;
  readonly wakeDeliveries: WakeUp;
}): Promise<number> {
  const now = tools.clock.now();
  const overdue = await overdueDeliveries(tools.db, now - QUEUE_GRACE, now - CLAIM_LIFE, MOST_PER_SWEEP);
  await tools.wakeDeliveries.send(overdue);
  return overdue.length;
}
