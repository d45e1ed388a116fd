import { moneyText } from "../shared/money-text.ts";
import { texts } from "../texts/index.ts";
import { ownLocale } from "../texts/own-language.ts";

/** How many days are named. */
const SHOWN = 3;

/** What becomes available on which day: the next days, and how many follow. */
export function upcomingText(upcoming: readonly { readonly date: string; readonly amount: number }[], currency: string): string {
  const day = new Intl.DateTimeFormat(ownLocale(), { month: "short", day: "numeric", timeZone: "UTC" });
  const named = upcoming
    .slice(0, SHOWN)
    .map(({ date, amount }) => texts.balance.availableOn(moneyText(amount, currency), day.format(new Date(`${date}T00:00:00Z`))));
  const more = upcoming.length - named.length;
  return [...named, ...(more > 0 ? [texts.balance.moreDays(more)] : [])].join(", ");
}
