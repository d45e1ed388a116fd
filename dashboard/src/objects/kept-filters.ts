import { datesOf, periodNames, periodWith } from "../shared/periods.ts";
import { shownZone } from "../shared/time-zone.ts";

/** Filters that a person keeps. A named period stands by its name under `period`: this month is another one next month. */
export type View = Readonly<Record<string, string>>;

/** The filters of an address, to be kept. */
export function keptFilters({ since, until, ...rest }: View, now = new Date()): View {
  const dates = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  const period = periodWith(dates, now, shownZone());
  return period === null ? { ...rest, ...dates } : { ...rest, period };
}

/** Kept filters as those of an address. */
export function usedFilters({ period, ...rest }: View, now = new Date()): View {
  const name = periodNames.find((one) => one === period);
  return name === undefined ? rest : { ...rest, ...datesOf(name, now, shownZone()) };
}
