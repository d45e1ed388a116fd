import { z } from "zod";
import { describeThrown } from "./core/log.ts";
import type { Tools } from "./deps.ts";
import { workOffProcessorEvent } from "./ledger/processor-events.ts";
import { attemptDelivery } from "./notifications/deliver.ts";

const wakeUpSchema = z.object({ id: z.string() });

const jobs: Readonly<Record<string, (tools: Tools, id: string) => Promise<void>>> = {
  deliveries: attemptDelivery,
  "processor-events": workOffProcessorEvent,
};

/**
 * Works a batch of wake-up calls, all at once, so that a slow receiver does not hold up the others. A message only
 * names a row that is due: one that fails is retried by the queue a few times, and after that the cron finds the row.
 */
export async function workBatch(tools: Tools, batch: MessageBatch): Promise<void> {
  const job = jobs[batch.queue];
  if (job === undefined) throw new Error(`no job reads the queue ${batch.queue}`);
  await Promise.all(
    batch.messages.map(async (message) => {
      try {
        await job(tools, wakeUpSchema.parse(message.body).id);
        message.ack();
      } catch (thrown) {
        tools.log.error("wake-up call failed", { queue: batch.queue, ...describeThrown(thrown) });
        message.retry();
      }
    }),
  );
}
