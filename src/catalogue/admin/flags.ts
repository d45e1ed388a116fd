import { moneyText } from "../../core/money.ts";
import { ordinal } from "../../core/ordinal.ts";
import type { Neighbour } from "./search.ts";

/** What moderation looks at twice, before it approves a product. */
export const productFlags = ["duplicate_name", "unusual_price", "no_terminal", "no_vat", "other_vat"] as const;

/** A flag, and why the product has it, in a sentence. */
export interface ProductFlag {
  readonly flag: (typeof productFlags)[number];
  readonly says: string;
}

/** A price is unusual if it is this many times the usual one, or that part of it. */
const FAR = 10;
/** Products of a partner in one currency, before there is a usual price. */
const FEWEST = 3;
/** The number of products of the same name that a flag lists. */
const MOST_LISTED = 3;

/**
 * The flags of a product, from the other products of its partner: a name that another has; a price ten times above or below
 * the median of its approved ones in the currency, or while these are few of all that were not rejected; a ruble product without a terminal or a VAT rate, or with another rate than
 * all approved ones of its terminal.
 */
export function flagsOf(product: Neighbour, all: readonly Neighbour[]): ProductFlag[] {
  const isOther = ({ kind, id, partnerId }: Neighbour) => partnerId === product.partnerId && kind === product.kind && id !== product.id;
  const others = all.filter(isOther).filter(({ environment }) => environment === product.environment);
  const approved = others.filter(({ moderation }) => moderation === "approved");
  const isRuble = product.kind === "ruble";
  const said: Readonly<Record<ProductFlag["flag"], string | null>> = {
    duplicate_name: sayDuplicates(others.filter(({ name }) => nameKey(name) === nameKey(product.name))),
    unusual_price: sayPrice(product, approved, others),
    no_terminal: isRuble && product.terminal === null ? "It has no terminal: no customer can pay for it at the bank." : null,
    no_vat: isRuble && product.vat === null ? "It has no VAT rate, which its receipt must name." : null,
    other_vat: isRuble && product.vat !== null ? sayVat(product, approved) : null,
  };
  return productFlags.flatMap((flag) => {
    const says = said[flag];
    return says === null ? [] : [{ flag, says }];
  });
}

/** Names that people take for the same one. */
const nameKey = (name: string): string => name.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();

const STATES: Readonly<Record<Neighbour["moderation"], string>> = { approved: "approved", in_review: "in review", rejected: "rejected" };

function sayDuplicates(named: readonly Neighbour[]): string | null {
  if (named.length === 0) return null;
  const listed = named
    .slice(0, MOST_LISTED)
    .map(
      ({ kind, id, name, unitAmount, currency, moderation }) =>
        `“${name}” (${kind}/${id}, ${moneyText(unitAmount, currency)}, ${STATES[moderation]})`,
    );
  const more = named.length > MOST_LISTED ? ` and ${named.length - MOST_LISTED} more` : "";
  return `Its name is, or looks like, that of ${listed.join(", ")}${more}.`;
}

/** The usual price of a partner in a currency, and of how many products; undefined while there are too few. */
function usualPrice(currency: string, approved: readonly Neighbour[], others: readonly Neighbour[]) {
  const pricesOf = (all: readonly Neighbour[]) => all.filter((other) => other.currency === currency).map((other) => other.unitAmount);
  const ofApproved = pricesOf(approved);
  const prices = ofApproved.length < FEWEST ? pricesOf(others.filter(({ moderation }) => moderation !== "rejected")) : ofApproved;
  const usual = prices.toSorted((one, other) => one - other)[Math.floor(prices.length / 2)];
  return usual === undefined || prices.length < FEWEST ? undefined : { usual, count: prices.length };
}

function sayPrice({ unitAmount, currency }: Neighbour, approved: readonly Neighbour[], others: readonly Neighbour[]): string | null {
  const found = usualPrice(currency, approved, others);
  if (found === undefined || (unitAmount < found.usual * FAR && unitAmount * FAR > found.usual)) return null;
  const { usual, count } = found;
  const times = Math.round(Math.max(unitAmount / usual, usual / Math.max(unitAmount, 1)));
  const far = unitAmount > usual ? `${times} times` : `one ${ordinal(times)} of`;
  return `Its price is ${moneyText(unitAmount, currency)}: ${far} the usual ${moneyText(usual, currency)}, the median of ${count} of its partner's products in ${currency}.`;
}

function sayVat({ terminal, vat }: Neighbour, approved: readonly Neighbour[]): string | null {
  const ofTerminal = approved.filter((other) => other.terminal === terminal);
  if (terminal === null || ofTerminal.length === 0 || ofTerminal.some((other) => other.vat === vat)) return null;
  const rates = [...new Set(ofTerminal.flatMap((other) => other.vat ?? []))].toSorted();
  return `Its VAT is ${vat}; that of the approved products of terminal ${terminal} is ${rates.length === 0 ? "not set" : rates.join(" or ")}.`;
}
