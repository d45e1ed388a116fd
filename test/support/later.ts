import { vi } from "vitest";
import { endVirtualTime } from "./virtual-time.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Moves the clock on by so many milliseconds from where it is; timers keep real time. Undone by {@link realTime}. */
export function pass(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
}

/** Sets the clock to a time, in Unix milliseconds. Undone by {@link realTime}. */
export function setTime(now: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now });
}

/** Sets the clock to noon, UTC: what a test does in some minutes is of one day. Undone by {@link realTime}. */
export const atNoon = (): void => setTime(Date.now() - (Date.now() % DAY) + DAY / 2);

/** Ends virtual time and a jump. */
export function realTime(): void {
  endVirtualTime();
  vi.useRealTimers();
}
