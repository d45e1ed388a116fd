import { vi } from "vitest";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Moves the clock on by so many milliseconds from where it is; timers keep real time. Undone by `vi.useRealTimers()`. */
export function pass(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
}

/**
 * Lets time run so many times faster, for clock and timers alike: what waits 25 seconds is over in two and a half,
 * and the machine may still be slow. Gives what jumps ahead by so many milliseconds. Undone by {@link realTime}.
 */
export function timeLapse(factor = 10): (milliseconds: number) => void {
  const { now } = Date;
  const { setTimeout } = globalThis;
  const start = now();
  let jumped = 0;
  vi.stubGlobal("setTimeout", (task: () => void, wait = 0) => setTimeout(task, wait / factor));
  lapse = vi.spyOn(Date, "now").mockImplementation(() => Math.floor(start + (now() - start) * factor) + jumped);
  return (milliseconds) => {
    jumped += milliseconds;
  };
}

let lapse: { mockRestore(): void } | undefined;

/** Ends a time lapse and a jump. */
export function realTime(): void {
  lapse?.mockRestore();
  lapse = undefined;
  vi.unstubAllGlobals();
  vi.useRealTimers();
}
