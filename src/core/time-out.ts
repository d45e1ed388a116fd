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
