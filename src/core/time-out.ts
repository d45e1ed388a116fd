import { SECOND } from "./clock.ts";

/** A cancellable time-out, for use in a race. */
export interface TimeOut {
  readonly over: Promise<"timed_out">;
  readonly cancel: () => void;
}

/** Expires after this many milliseconds; never if they are infinite. */
export function timeOut(milliseconds: number): TimeOut {
  if (milliseconds === Number.POSITIVE_INFINITY) return { over: new Promise(() => undefined), cancel: () => undefined };
  const { promise, resolve } = Promise.withResolvers<"timed_out">();
  const timer = setTimeout(() => resolve("timed_out"), milliseconds);
  return { over: promise, cancel: () => clearTimeout(timer) };
}

/**
 * The result of `work` if it ends within this many milliseconds. Longer work continues, and its result is dropped.
 * @throws the error of the work, or a time-out
 */
export async function withTimeOut<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const limit = timeOut(milliseconds);
  try {
    const result = await Promise.race([work.then((ended) => ({ ended })), limit.over]);
    if (result === "timed_out") throw new Error(`no answer within ${milliseconds / SECOND} seconds`);
    return result.ended;
  } finally {
    limit.cancel();
  }
}
