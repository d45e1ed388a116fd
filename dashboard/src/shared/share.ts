import { ownLocale } from "../texts/own-language.ts";

const percent = new Intl.NumberFormat(ownLocale(), { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The share of the events that were delivered, rounded down: 100 % is all of them. */
export function shareOf(delivered: number, events: number): string {
  return events === 0 ? "–" : percent.format(Math.floor((delivered / events) * 1000) / 1000);
}
