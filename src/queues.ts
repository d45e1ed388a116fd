import { z } from "zod";
import { SECOND } from "./core/clock.ts";
import { describeThrown } from "./core/log.ts";
import type { Tools } from "./deps.ts";
import { workOffProcessorEvent } from "./ledger/processor-events.ts";
import { attemptDelivery } from "./notifications/deliver.ts";

const wakeUpSchema = z.object({ id: z.string() });

interface Job {
  readonly perform: (tools: Tools, id: string) => Promise<void>;
  /** For how many milliseconds a batch waits for it; what takes longer goes on by itself, and the cron is its second chance. */
  readonly patience: number;
}

const jobs: Readonly<Record<string, Job>> = {
  // A receiver may take 15 seconds: whoever is next in the queue has nothing to do with it.
  deliveries: { perform: attemptDelivery, patience: SECOND / 2 },
  "processor-events": { perform: workOffProcessorEvent, patience: Number.POSITIVE_INFINITY },
};

/**
 * Works a batch of wake-up calls, all at once. A message only names a row that is due: one that fails is retried by the
 * queue a few times, and after that the cron finds the row. `goOn` keeps the Worker alive for what outlasts the batch.
 */
export async function workBatch(tools: Tools, batch: MessageBatch, goOn: (work: Promise<void>) => void): Promise<void> {
  const job = jobs[batch.queue];
  if (job === undefined) throw new Error(`no job reads the queue ${batch.queue}`);
  const patience = timeOut(job.patience);
  await Promise.all(
    batch.messages.map(async (message) => {
      const work = perform(tools, batch.queue, job, message.body);
      const outcome = await Promise.race([work, patience.over]);
      if (outcome === "failed") message.retry();
      else message.ack();
      if (outcome === "outlasts") goOn(work.then(() => undefined));
    }),
  );
  patience.cancel();
}

async function perform(tools: Tools, queue: string, job: Job, body: unknown): Promise<"done" | "failed"> {
  try {
    await job.perform(tools, wakeUpSchema.parse(body).id);
    return "done";
  } catch (thrown) {
    tools.log.error("wake-up call failed", { queue, ...describeThrown(thrown) });
    return "failed";
  }
}

function timeOut(milliseconds: number): { readonly over: Promise<"outlasts">; readonly cancel: () => void } {
  if (milliseconds === Number.POSITIVE_INFINITY) return { over: new Promise(() => undefined), cancel: () => undefined };
  const { promise, resolve } = Promise.withResolvers<"outlasts">();
  const timer = setTimeout(() => resolve("outlasts"), milliseconds);
  return { over: promise, cancel: () => clearTimeout(timer) };
}
