import { ownLocale } from "../texts/own-language.ts";

/** An amount in major units as people of the person's language write it. */
export function moneyText(amount: number, currency: string): string {
  return new Intl.NumberFormat(ownLocale(), { style: "currency", currency, currencyDisplay: "narrowSymbol" }).format(amount);
}
