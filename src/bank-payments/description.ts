import { MAX_DESCRIPTION_LENGTH } from "../bank/port.ts";
import { lazy } from "../core/lazy.ts";
import { truncate } from "../core/text.ts";

const plural = lazy(() => new Intl.PluralRules("ru"));
const GOODS: Readonly<Record<Intl.LDMLPluralRule, string>> = {
  one: "товар",
  few: "товара",
  many: "товаров",
  two: "товара",
  zero: "товаров",
  other: "товара",
};

/**
 * The description on the bank's payment page (interface 9.8): the first item's name and the
 * number of further items, in Russian. A long name is truncated; the number is always shown.
 */
export function describeCart(names: readonly string[]): string {
  const [first = ""] = names;
  const more = names.length - 1;
  const note = more > 0 ? ` и ещё ${more} ${GOODS[plural().select(more)]}` : "";
  return `${truncate(first, MAX_DESCRIPTION_LENGTH - note.length)}${note}`;
}
