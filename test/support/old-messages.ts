import { AsyncLocalStorage } from "node:async_hooks";
import worker from "../../src/worker.ts";

const { queue } = worker;
const atWork = new Set<Promise<unknown>>();
let since = 0;

const consuming = new AsyncLocalStorage<true>();

/** Whether a batch of messages of the queues is what is at work: it may come at any time, beside what a test asks. */
export const isConsuming = (): boolean => consuming.getStore() === true;

/** In milliseconds. What was cut off by a test of an earlier file never ends. */
const ENDS_WITHIN = 2_000;

/**
 * Ends what an earlier file of the same worker has left in the queues: waits for the batches that are at work, and drops
 * later ones with its messages. The platform cannot empty a queue.
 */
export async function dropOldMessages(): Promise<void> {
  since = Date.now();
  worker.queue = async (batch, bindings, context) => {
    const [old, ours] = [batch.messages.filter(isOld), batch.messages.filter((message) => !isOld(message))];
    for (const message of old) message.ack();
    if (ours.length === 0) return;
    const own = { queue: batch.queue, messages: ours } as unknown as typeof batch;
    const work = Promise.resolve(consuming.run(true, () => queue(own, bindings, context)));
    atWork.add(work);
    await work.finally(() => atWork.delete(work));
  };
  await Promise.race([Promise.allSettled(atWork), scheduler.wait(ENDS_WITHIN)]);
  atWork.clear();
  // What they have sent meanwhile is theirs too.
  since = Date.now();
}

const isOld = (message: Message): boolean => message.timestamp.getTime() < since;
