import { DAY, HOUR } from "./clock.ts";

/** The time zone of a partner that has chosen none. */
export const UTC = "UTC";

const formats = new Map<string, Intl.DateTimeFormat>();

/** The parts of a time in a zone. One format is made for each zone: making it is slow. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const [two, timeZone] = ["2-digit", zone] as const;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  });
  formats.set(zone, made);
  return made;
}

/** Whether the runtime knows a time zone by this name, in the spelling of IANA. */
export function isTimeZone(name: string): boolean {
  if (name === UTC) return true;
  // Offsets such as +03:00 are taken too, and know no daylight saving.
  if (!/^[A-Z][A-Za-z_]{1,30}(?:\/[A-Za-z0-9_+-]{1,30}){1,2}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}

/** A local time as if it were UTC, in Unix milliseconds: `time` plus the offset of the zone at it. */
export function localTime(time: number, zone: string): number {
  if (zone === UTC) return time;
  const seconds = Math.floor(time / 1000) * 1000;
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(seconds)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (time - seconds);
}

const offsetAt = (time: number, zone: string): number => localTime(time, zone) - time;

/** The calendar day of a time: 2026-10-25. */
export const dayIn = (time: number, zone: string): string => new Date(localTime(time, zone)).toISOString().slice(0, 10);

/** The month of a time: 2026-10. */
export const monthIn = (time: number, zone: string): string => dayIn(time, zone).slice(0, 7);

/**
 * The first moment of a calendar day, in Unix milliseconds. A day may have 23 or 25 hours. Where the clocks go forward at midnight,
 * it begins with the first moment that exists.
 */
export function startOfDay(day: string, zone: string): number {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  if (zone === UTC) return wanted;
  // The offset before the day and the one within it: the first that leads to the day is its first moment.
  const candidates = [wanted - offsetAt(wanted - DAY, zone), wanted - offsetAt(wanted + DAY, zone)].toSorted((one, other) => one - other);
  const exact = candidates.find((time) => localTime(time, zone) === wanted);
  if (exact !== undefined) return exact;
  let [before, after] = [(candidates[0] ?? wanted) - HOUR, (candidates.at(-1) ?? wanted) + HOUR];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayIn(middle, zone) < day) before = middle;
    else after = middle;
  }
  return after;
}

/** The calendar day some days later. */
export const daysAfter = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);

/** The month some months later. */
export function monthsAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

/** The first moment of a month. */
export const startOfMonth = (month: string, zone: string): number => startOfDay(`${month}-01`, zone);

/** A part of a period with one offset from UTC. */
interface Offset {
  /** The first moment, in Unix milliseconds. */
  readonly from: number;
  /** Milliseconds to add. */
  readonly offset: number;
}

/** The offsets of a zone over a period, oldest first: SQL knows no zones. */
export function offsetsIn(zone: string, from: number, to: number): readonly Offset[] {
  const found: Offset[] = [{ from, offset: offsetAt(from, zone) }];
  for (let at = from; at < to; ) {
    const next = Math.min(at + 7 * DAY, to);
    const offset = offsetAt(next, zone);
    if (offset !== found.at(-1)?.offset) {
      let [before, after] = [at, next];
      while (after - before > 1) {
        const middle = Math.floor((before + after) / 2);
        if (offsetAt(middle, zone) === offset) after = middle;
        else before = middle;
      }
      found.push({ from: after, offset });
    }
    at = next;
  }
  return found;
}
