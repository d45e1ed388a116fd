/** The periods that a list offers, by name. */
export const periodNames = ["today", "last_7_days", "last_30_days", "this_month", "last_month", "this_quarter", "this_year"] as const;
export type PeriodName = (typeof periodNames)[number];

/** Dates, both inclusive. */
interface Dates {
  readonly since: string;
  readonly until: string;
}

/** A date some days later; a day of the month of 0 is the last one of the month before. */
function dateOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}

/** The dates of a period, of a zone at a moment. */
export function datesOf(name: PeriodName, now: Date, zone: string): Dates {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(now);
  const [year = 0, one = 1, day = 1] = today.split("-").map(Number);
  const month = one - 1;
  switch (name) {
    case "today":
      return { since: today, until: today };
    case "last_7_days":
      return { since: dateOf(year, month, day - 6), until: today };
    case "last_30_days":
      return { since: dateOf(year, month, day - 29), until: today };
    case "this_month":
      return { since: dateOf(year, month, 1), until: today };
    case "last_month":
      return { since: dateOf(year, month - 1, 1), until: dateOf(year, month, 0) };
    case "this_quarter":
      return { since: dateOf(year, month - (month % 3), 1), until: today };
    case "this_year":
      return { since: dateOf(year, 0, 1), until: today };
  }
}

/** The period that some dates are; null for dates of a person's own, and for none. */
export function periodWith({ since, until }: Partial<Dates>, now: Date, zone: string): PeriodName | null {
  const found = periodNames.find((name) => {
    const dates = datesOf(name, now, zone);
    return dates.since === since && dates.until === until;
  });
  return found ?? null;
}
