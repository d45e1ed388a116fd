import type { Clock } from "../core/clock.ts";
import { type TimeOut, timeOut } from "../core/time-out.ts";

/** The rest of a batch gets at least this long. In milliseconds. */
const LEAST_FOR_REST = 50;

/** How long a batch waits for its messages. */
export interface BatchWait {
  readonly over: Promise<"timed_out">;
  /** A message of the batch is done. */
  noteDone(): void;
  cancel(): void;
}

/**
 * A batch of `count` messages waits `waitAtMost` milliseconds at most; infinite: until all are done. Once most are done, the
 * rest gets as long again: a receiver that hangs must not cost the next batches their place. Under load all messages are
 * slow, so the wait still limits how many run at a time.
 */
export function batchWait(clock: Clock, count: number, waitAtMost: number): BatchWait {
  const began = clock.now();
  const { promise: over, resolve } = Promise.withResolvers<"timed_out">();
  const timeOuts: TimeOut[] = [];
  const endAfter = (milliseconds: number) => {
    const limit = timeOut(milliseconds);
    timeOuts.push(limit);
    void limit.over.then(resolve);
  };
  endAfter(waitAtMost);
  let done = 0;
  let isCancelled = false;
  return {
    over,
    noteDone() {
      done += 1;
      const isMost = done === Math.floor(count / 2) + 1;
      if (isMost && !isCancelled && waitAtMost !== Number.POSITIVE_INFINITY) endAfter(Math.max(LEAST_FOR_REST, clock.now() - began));
    },
    cancel() {
      isCancelled = true;
      for (const { cancel } of timeOuts) cancel();
    },
  };
}
