import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import type { WakeUp } from "../core/wake-up.ts";
import type { Database } from "../db/client.ts";
import { overdueDeliveries } from "./deliveries-store.ts";
import { deleteExpiredSecrets } from "./secrets-store.ts";

/** Time that the queue gets before the sweep takes over, and that an attempt gets before its consumer counts as dead. */
const QUEUE_GRACE = 30 * SECOND;
const CLAIM_LIFE = 2 * MINUTE;

/**
 * Wakes what a lost, dead or over-long queue message left lying: of each endpoint as many as it takes at once, since
 * whoever delivers one goes on to the next. Gives how many.
 */
export async function sweepDeliveries(tools: {
  readonly db: Database;
  readonly clock: Clock;
  readonly wakeDeliveries: WakeUp;
}): Promise<number> {
  const now = tools.clock.now();
  const overdue = await overdueDeliveries(tools.db, now, now - QUEUE_GRACE, now - CLAIM_LIFE);
  await tools.wakeDeliveries.send(overdue);
  await deleteExpiredSecrets(tools.db, now);
  return overdue.length;
}
