import { LONGEST_DESCRIPTION } from "../bank/port.ts";
import { cutText } from "../core/text.ts";

const plural = new Intl.PluralRules("ru");
const GOODS: Readonly<Record<Intl.LDMLPluralRule, string>> = {
  one: "товар",
  few: "товара",
  many: "товаров",
  two: "товара",
  zero: "товаров",
  other: "товара",
};

/**
 * What the bank's page shows beside the total (interface, "Bank cart payment result"): the first item's name and how
 * many more there are, in Russian. A name that is too long is cut, the note never.
 */
export function describeCart(names: readonly string[]): string {
  const [first = ""] = names;
  const more = names.length - 1;
  const note = more > 0 ? ` и ещё ${more} ${GOODS[plural.select(more)]}` : "";
  return `${cutText(first, LONGEST_DESCRIPTION - note.length)}${note}`;
}
