import { ownLocale } from "../texts/own-language.ts";

/** What a day is measured by. */
export const measures = ["net", "gross", "orders"] as const;
export type Measure = (typeof measures)[number];

interface Sales {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly ({ readonly day?: string | null | undefined; readonly currency: string } & Readonly<Record<Measure, number>>)[];
}

const label = new Intl.DateTimeFormat(ownLocale(), { day: "numeric", month: "short", timeZone: "UTC" });
const A_DAY = 24 * 60 * 60_000;

/** Each day of a report with one measure in a currency, empty days included: a picture without them would lie about time. */
export function daysOf({ from, to, rows }: Sales, currency: string, measure: Measure): { readonly day: string; readonly value: number }[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / A_DAY) + 1;
  const byDay = new Map(rows.filter((row) => row.currency === currency).map((row) => [row.day, row[measure]]));
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.parse(from) + index * A_DAY);
    return { day: label.format(at), value: byDay.get(at.toISOString().slice(0, 10)) ?? 0 };
  });
}

/** The total of the currency that a person chose; without a choice, that of the currency with most orders. */
export const shownTotal = <Total extends { readonly currency: string; readonly orders: number }>(
  totals: readonly Total[],
  chosen: string | undefined,
): Total | undefined => totals.find(({ currency }) => currency === chosen) ?? totals.toSorted((one, other) => other.orders - one.orders)[0];
