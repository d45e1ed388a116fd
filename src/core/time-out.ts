import { SECOND } from "./clock.ts";

/** A time-out that is waited for beside something else, and cancelled when that has ended. */
export interface TimeOut {
  readonly over: Promise<"timed_out">;
  readonly cancel: () => void;
}

/** Over after so many milliseconds; never, if they are infinite. */
export function timeOut(milliseconds: number): TimeOut {
  if (milliseconds === Number.POSITIVE_INFINITY) return { over: new Promise(() => undefined), cancel: () => undefined };
  const { promise, resolve } = Promise.withResolvers<"timed_out">();
  const timer = setTimeout(() => resolve("timed_out"), milliseconds);
  return { over: promise, cancel: () => clearTimeout(timer) };
}

/**
 * The result of work that ends within so many milliseconds. Work that takes longer goes on, and nobody hears of it.
 * @throws what the work throws, or that it took too long
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
