import { ownLocale } from "../texts/own-language.ts";

/** An amount as `Money` shows it, with the code of its currency where the sign is of several: the name of a link that has one begins so. */
export function moneyWithCode(amount: number, currency: string): string {
  const text = moneyText(amount, currency);
  return text.includes(currency) ? text : `${text} ${currency}`;
}

/** An amount in major units as people of the person's language write it. */
export function moneyText(amount: number, currency: string): string {
  return new Intl.NumberFormat(ownLocale(), { style: "currency", currency, currencyDisplay: "narrowSymbol" }).format(amount);
}
