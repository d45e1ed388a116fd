import { ownLocale } from "../texts/own-language.ts";

/** The zone of the times that the pages show, and of the dates that people type: the partner's own; for operators UTC. */
let zone = "UTC";

export const shownZone = (): string => zone;

export function noteZone(name: string): void {
  zone = name;
}

/** A time (ISO 8601) as clocks in a zone show it: `2026-11-29 18:00:00`. */
export function wallTime(at: string, of: string): string {
  const [two, year] = ["2-digit", "numeric"] as const;
  const clock = { month: two, day: two, hour: two, minute: two, second: two, hourCycle: "h23" } as const;
  // In this locale the parts stand in the order of ISO 8601.
  return new Intl.DateTimeFormat("sv-SE", { year, ...clock, timeZone: of }).format(new Date(at));
}

const A_DAY = 24 * 60 * 60_000;

/** The moment at which clocks in a zone show a time, in ISO 8601. Of a time that clocks skip, the moment that is as long after the skip. */
export function instantOf(wall: string, of: string): string {
  const wanted = Date.parse(`${wall.replace(" ", "T")}Z`);
  const shownAt = (at: number) => Date.parse(`${wallTime(new Date(at).toISOString(), of).replace(" ", "T")}Z`);
  // By the offset of the day before and of the day after: clocks may change in between.
  const [earlier = wanted, later = wanted] = [A_DAY, -A_DAY]
    .map((by) => wanted + by - shownAt(wanted + by) + wanted)
    .toSorted((one, other) => one - other);
  return new Date(shownAt(earlier) === wanted ? earlier : later).toISOString();
}

/** A formatter of times in the shown zone. Making one is slow, and a page of a list has hundreds of times. */
export function inShownZone(options: Intl.DateTimeFormatOptions): (at: string) => string {
  let made: { readonly zone: string; readonly format: Intl.DateTimeFormat } | null = null;
  return (at) => {
    if (made?.zone !== zone) made = { zone, format: new Intl.DateTimeFormat(ownLocale(), { ...options, timeZone: zone }) };
    return made.format.format(new Date(at));
  };
}
