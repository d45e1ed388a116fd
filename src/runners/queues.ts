import { type DatabaseName, DIRECTORY } from "../core/cell-code.ts";
import { errorFields } from "../core/log.ts";
import { queueMessageSchema } from "../core/message-queue.ts";
import { runTraced, Trace } from "../core/trace.ts";
import type { CellDeps, Deps } from "../deps.ts";
import type { OwnBatch } from "../webhooks/delivery/deliver.ts";
import { SLOW_AFTER } from "../webhooks/delivery/slow-receivers.ts";
import { batchWait } from "./batch-wait.ts";

/** The work for the row of a message. */
type DoFor = (id: string, batch: OwnBatch) => Promise<void>;

interface Job {
  /** Creates what the messages of one batch for one database share. The code of a job is loaded with its first batch. */
  readonly open: (deps: Deps, databaseName: DatabaseName) => Promise<DoFor>;
  /**
   * How many milliseconds a batch waits for the job (`batch-wait.ts`), unless the job releases it earlier. A longer job is
   * acknowledged and continues in the background. If it fails then, the cron retries it.
   */
  readonly waitAtMost: number;
}

const jobs: Readonly<Record<string, Job>> = {
  // A receiver may take 15 seconds. Other messages in the queue must not wait for it.
  deliveries: {
    async open(deps, databaseName) {
      const { attemptDelivery, Deliverer } = await import("../webhooks/delivery/deliver.ts");
      const cell = cellAt(deps, databaseName);
      const deliverer = new Deliverer(cell);
      return (id, batch) => attemptDelivery(cell, id, deliverer, batch);
    },
    waitAtMost: SLOW_AFTER,
  },
  "processor-events": {
    async open(deps, databaseName) {
      const { processSubject } = await import("../ledger/processor-events.ts");
      return (id) => processSubject(deps.inDatabase(databaseName), id);
    },
    waitAtMost: Number.POSITIVE_INFINITY,
  },
};

/** The job of a queue. The name of a deployed queue starts with the name of its deployment. */
function jobOf(queue: string): readonly [string, Job] {
  const found = Object.entries(jobs).find(([name]) => queue === name || queue.endsWith(`-${name}`));
  if (found === undefined) throw new Error(`no job for queue ${queue}`);
  return found;
}

function cellAt(deps: Deps, databaseName: DatabaseName): CellDeps {
  if (databaseName === DIRECTORY) throw new Error("the directory has no deliveries");
  return deps.inCell(databaseName);
}

/**
 * Processes all messages of a batch in parallel. A message only says where a due row is. The queue retries a failed
 * message a few times; after that, the cron finds the row. `keepAlive` keeps the Worker alive for jobs that run longer.
 */
export async function processBatch(deps: Deps, batch: MessageBatch, keepAlive: (work: Promise<void>) => void): Promise<void> {
  const [name, job] = jobOf(batch.queue);
  const wait = batchWait(deps.clock, batch.messages.length, job.waitAtMost);
  const opened = new Map<DatabaseName, Promise<DoFor>>();
  const openOnce = (databaseName: DatabaseName) => {
    const work = opened.get(databaseName) ?? job.open(deps, databaseName);
    opened.set(databaseName, work);
    return work;
  };
  await Promise.all(
    batch.messages.map(async (message) => {
      const { promise: wasReleased, resolve } = Promise.withResolvers<"released">();
      const place = wait.place();
      const release = () => {
        place.noteReleased();
        resolve("released");
      };
      const work = carryOut(deps, name, openOnce, message.body, { release, noteAnswer: place.noteAnswer }).finally(place.noteReleased);
      const outcome = await Promise.race([work, wait.over, wasReleased]);
      if (outcome === "failed") message.retry();
      else message.ack();
      if (outcome === "timed_out" || outcome === "released") keepAlive(work.then(() => undefined));
    }),
  ).finally(wait.cancel);
}

async function carryOut(
  deps: Deps,
  queue: string,
  openOnce: (databaseName: DatabaseName) => Promise<DoFor>,
  body: unknown,
  ownBatch: OwnBatch,
): Promise<"done" | "failed"> {
  const work = new Trace();
  work.operation = queue;
  const began = deps.clock.now();
  await runTraced(work, async () => {
    try {
      const { databaseName, id } = queueMessageSchema.parse(body);
      const doFor = await openOnce(databaseName);
      await doFor(id, ownBatch);
    } catch (thrown) {
      work.outcome = "failed";
      deps.log.error("queue message failed", { queue, ...errorFields(thrown) });
    }
  });
  deps.reports.ended("queue message", work, { ms: deps.clock.now() - began }, deps.log);
  return work.outcome === "failed" ? "failed" : "done";
}
