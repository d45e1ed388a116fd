/** The clock dependency. A lint rule forbids `Date.now()` everywhere else. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The start of the day (UTC) of a time. */
export const startOfUtcDay = (time: number): number => time - (time % DAY);

/** The earliest of some times; null if there is none. */
export function earliestOf(times: readonly (number | null | undefined)[]): number | null {
  const known = times.flatMap((time) => time ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** A span of time in Unix milliseconds: from `from` on, before `to`. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** ISO 8601 in UTC with milliseconds, from Unix milliseconds. */
export function isoTime(timestamp: number): string {
  return new Date(timestamp).toISOString();
}

/** {@link isoTime}; null stays null. */
export function isoTimeOrNull(timestamp: number | null): string | null {
  return timestamp === null ? null : isoTime(timestamp);
}
