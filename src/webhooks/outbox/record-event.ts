import { type SQL, sql } from "drizzle-orm";
import type { MessageQueue } from "../../core/message-queue.ts";
import type { Database, Statement } from "../../db/client.ts";
import type { PartnerEvent } from "./events/define-event.ts";
import { insertDelivery, insertEvent } from "./store.ts";

export interface OutboxDeps {
  readonly db: Database;
  readonly deliveryQueue: MessageQueue;
}

/**
 * The outbox rows of a partner event. The caller writes them in the same batch as the change that caused the event.
 * Nothing is inserted if the deduplication key was recorded before, or if `onlyIf` is false at that point of the batch.
 * The event has no delivery if the partner has no registered endpoint.
 */
export function recordEvent(deps: Pick<OutboxDeps, "db">, event: PartnerEvent, now: number, onlyIf: SQL = sql`TRUE`): Statement[] {
  return [insertEvent(deps.db, event, now, onlyIf), insertDelivery(deps.db, event.id, now)];
}

/** Enqueues the deliveries of recorded events. Never fails: the sweep finds deliveries that were not enqueued. */
export async function enqueueDeliveries(deps: Pick<OutboxDeps, "deliveryQueue">, events: readonly PartnerEvent[]): Promise<void> {
  await deps.deliveryQueue.send(events.map(({ id }) => id));
}
