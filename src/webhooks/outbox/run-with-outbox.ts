import type { MessageQueue } from "../../core/message-queue.ts";
import { type Database, type ReturnedRows, runBatch, type Statement } from "../../db/client.ts";
import { newlyDue } from "./store.ts";

export interface OutboxDeps {
  readonly db: Database;
  readonly deliveryQueue: MessageQueue;
}

/**
 * Executes statements in one transaction, and enqueues the deliveries of the events that they recorded, and no others.
 * The sweep finds deliveries that were not enqueued. Returns the rows that the statements returned.
 */
export async function runWithOutbox({ db, deliveryQueue }: OutboxDeps, statements: readonly Statement[]): Promise<ReturnedRows> {
  const returned = (await runBatch(db, statements)).flat();
  await deliveryQueue.send(newlyDue(returned));
  return returned;
}
