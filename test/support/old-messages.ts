import worker from "../../src/worker.ts";

const { queue } = worker;
let since = 0;

/** Drops the messages that an earlier file of the same worker has left in the queues: the platform cannot empty a queue. */
export function dropOldMessages(): void {
  since = Date.now();
  worker.queue = async (batch, ...rest) => {
    const [old, ours] = [batch.messages.filter(isOld), batch.messages.filter((message) => !isOld(message))];
    for (const message of old) message.ack();
    if (ours.length > 0) await queue({ queue: batch.queue, messages: ours } as unknown as typeof batch, ...rest);
  };
}

const isOld = (message: Message): boolean => message.timestamp.getTime() < since;
