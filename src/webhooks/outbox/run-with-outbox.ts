import type { MessageQueue } from "../../core/message-queue.ts";
import { type Database, runBatch, type Statement } from "../../db/client.ts";
import { newlyDue } from "./store.ts";

export interface OutboxDeps {
  readonly db: Database;
  readonly deliveryQueue: MessageQueue;
}

/**
 * Executes statements in one transaction, and enqueues the deliveries of the events that they recorded, and no others.
 * The sweep finds deliveries that were not enqueued. Returns the result of each statement.
 */
export async function runWithOutbox({ db, deliveryQueue }: OutboxDeps, statements: readonly Statement[]): Promise<readonly unknown[]> {
  const results = await runBatch(db, statements);
  await deliveryQueue.send(newlyDue(results));
  return results;
}
