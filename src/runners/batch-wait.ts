import type { Clock } from "../core/clock.ts";
import { type TimeOut, timeOut } from "../core/time-out.ts";

/** The rest of a batch gets at least this long. In milliseconds. */
const LEAST_FOR_REST = 50;

/** One message of a batch. Only its first note counts. */
interface Place {
  /** The message has its answer. */
  readonly noteAnswer: () => void;
  /** The batch does not wait for the message, or it has ended without an answer. */
  readonly noteReleased: () => void;
}

/** How long a batch waits for its messages. */
export interface BatchWait {
  readonly over: Promise<"timed_out">;
  /** The place of one more message; there are as many as messages. */
  readonly place: () => Place;
  readonly cancel: () => void;
}

/**
 * A batch of `count` messages waits `waitAtMost` milliseconds at most; infinite: until all are done. Once most messages that
 * it waits for have their answers, it waits as long again as it took so far: a receiver that hangs does not delay the next
 * batches by much. Under load all answers are slow, so the wait still limits how many messages run at a time.
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
  let answers = 0;
  let awaited = count;
  let isSettled = waitAtMost === Number.POSITIVE_INFINITY;
  const endIfMostAnswered = () => {
    if (isSettled || answers === 0 || answers <= awaited / 2) return;
    isSettled = true;
    endAfter(Math.min(waitAtMost, Math.max(LEAST_FOR_REST, clock.now() - began)));
  };
  return {
    over,
    place() {
      let isNoted = false;
      const noteOnce = (note: () => void) => () => {
        if (isNoted) return;
        isNoted = true;
        note();
        endIfMostAnswered();
      };
      return {
        noteAnswer: noteOnce(() => {
          answers += 1;
        }),
        noteReleased: noteOnce(() => {
          awaited -= 1;
        }),
      };
    },
    cancel() {
      isSettled = true;
      for (const { cancel } of timeOuts) cancel();
    },
  };
}
