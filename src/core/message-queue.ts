import * as z from "zod";
import type { DatabaseName } from "./cell-code.ts";
import { databaseNameSchema } from "./cell-code-schema.ts";
import { DAY, SECOND } from "./clock.ts";
import { errorFields, type Log } from "./log.ts";

/**
 * A queue whose messages each name a database and the id of a due row. The row is the source of truth: if a message is
 * lost, the cron finds the row a minute later.
 */
export interface MessageQueue {
  /** Enqueues with a delay of `wait` ms, limited to the queue's maximum. Early delivery is harmless. Never fails. */
  send(ids: readonly string[], wait?: number): Promise<void>;
}

/** The maximum number of messages per batch, by queue: `max_batch_size` in wrangler.toml. */
export const messagesAtOnce = { deliveries: 5, "processor-events": 10 } as const;

/** The platform's limits: messages in a batch, and the delay of a message. */
const MAX_BATCH = 100;
const MAX_DELAY = DAY;

/** The body of a message. */
export const queueMessageSchema = z.object({ databaseName: databaseNameSchema, id: z.string() });
type QueueMessage = z.infer<typeof queueMessageSchema>;

/** A {@link MessageQueue} for the rows of one database. A failure is logged: the cron finds the rows. */
export function openMessageQueue(queue: Queue, name: string, databaseName: DatabaseName, log: Log): MessageQueue {
  return {
    async send(ids, wait = 0) {
      const delaySeconds = Math.ceil(Math.min(wait, MAX_DELAY) / SECOND);
      for (let start = 0; start < ids.length; start += MAX_BATCH) {
        const batch = ids.slice(start, start + MAX_BATCH);
        try {
          await queue.sendBatch(
            batch.map((id) => ({ body: { databaseName, id } satisfies QueueMessage, contentType: "json" as const })),
            { delaySeconds },
          );
        } catch (thrown) {
          log.error("enqueue failed", { queue: name, first: batch[0], count: batch.length, ...errorFields(thrown) });
        }
      }
    },
  };
}
