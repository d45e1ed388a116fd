import { datesOf, periodNames } from "../shared/periods.ts";
import { shownZone } from "../shared/time-zone.ts";

/** Filters of an address. A named period stands beside its dates, under `period`. */
export type View = Readonly<Record<string, string>>;

const nameIn = ({ period }: View) => periodNames.find((one) => one === period);

/** The filters of an address as a person keeps them: of a named period the name alone. This month is another one next month. */
export function keptFilters(view: View): View {
  if (nameIn(view) === undefined) return view;
  const { since: _, until: __, ...rest } = view;
  return rest;
}

/** Kept filters as those of an address. */
export function usedFilters(view: View, now = new Date()): View {
  const name = nameIn(view);
  return name === undefined ? view : { ...view, ...datesOf(name, now, shownZone()) };
}
