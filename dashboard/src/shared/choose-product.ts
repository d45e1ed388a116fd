import { texts } from "../texts/index.ts";
import { moneyText } from "./money-text.ts";
import type { Product } from "./products.ts";
import { minorUnits, shownAmount } from "./typed-number.ts";

export type SoldProduct = Product & { id: string };

/** A product in a choice: its name and its price in the catalogue. */
export const choiceOf = ({ id, name, type, amount, currency }: SoldProduct) => ({
  value: id,
  label: `${name} · ${moneyText(amount, currency)}${type === "subscription" ? texts.links.perPeriod : ""}`,
});

/** The price after another product is chosen: that of the catalogue, unless a person typed a price of their own. */
export function priceAfter(typed: number | string, before: Product | undefined, chosen: Product | undefined): number | string {
  const isOwn = typed !== "" && minorUnits(typed) !== minorUnits(before?.amount ?? "");
  return isOwn ? typed : shownAmount(chosen?.amount ?? "");
}

/** The products that one cart can have beside another: of its currency, and as it is paid. The Worker refuses the others. */
export const offeredBeside = (products: readonly SoldProduct[], other: Product | undefined): readonly SoldProduct[] =>
  other === undefined ? products : products.filter((one) => TERMS.every((term) => one[term] === other[term]));

const TERMS = ["currency", "type", "interval", "interval_count"] as const;
