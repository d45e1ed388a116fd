import { type Clock, MINUTE, SECOND } from "../../core/clock.ts";
import type { MessageQueue } from "../../core/message-queue.ts";
import type { Cell } from "../../db/client.ts";
import { deleteExpiredSecrets } from "../endpoints/secrets-store.ts";
import { recoverOverdueDeliveries } from "./overdue.ts";

/** After this time, the sweep handles a delivery that is due. */
const QUEUE_GRACE = 30 * SECOND;
/** The consumer of an older claim is dead. */
const CLAIM_TTL = 2 * MINUTE;

/** What a change of endpoints or deliveries needs: it is followed by a sweep. */
export interface SweepDeps {
  readonly db: Cell;
  readonly clock: Clock;
  readonly deliveryQueue: MessageQueue;
}

/**
 * Enqueues overdue deliveries: their queue message was lost or took too long, or their consumer died. Enqueues at most
 * the free slots of each endpoint, because a consumer continues with the next waiting delivery. Also deletes expired
 * secrets. Returns the number of enqueued deliveries.
 */
export async function sweepDeliveries(deps: SweepDeps): Promise<number> {
  const now = deps.clock.now();
  const overdue = await recoverOverdueDeliveries(deps.db, now, now - QUEUE_GRACE, now - CLAIM_TTL);
  await deps.deliveryQueue.send(overdue);
  await deleteExpiredSecrets(deps.db, now);
  return overdue.length;
}
