import type { Neighbour } from "./search.ts";

/** What moderation looks at twice, before it approves a product. */
export const productFlags = ["duplicate_name", "unusual_price", "no_terminal", "no_vat", "other_vat"] as const;
export type ProductFlag = (typeof productFlags)[number];

/** A price is unusual if it is this many times the usual one, or that part of it. */
const FAR = 10;
/** Products of a partner in one currency, before there is a usual price. */
const FEWEST = 3;

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
  const found: Readonly<Record<ProductFlag, boolean>> = {
    duplicate_name: others.some(({ name }) => nameKey(name) === nameKey(product.name)),
    unusual_price: isFar(product, approved, others),
    no_terminal: isRuble && product.terminal === null,
    no_vat: isRuble && product.vat === null,
    other_vat: isRuble && product.vat !== null && hasOtherVat(product, approved),
  };
  return productFlags.filter((flag) => found[flag]);
}

/** Names that people take for the same one. */
const nameKey = (name: string): string => name.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();

function isFar({ unitAmount, currency }: Neighbour, approved: readonly Neighbour[], others: readonly Neighbour[]): boolean {
  const pricesOf = (all: readonly Neighbour[]) => all.filter((other) => other.currency === currency).map((other) => other.unitAmount);
  const ofApproved = pricesOf(approved);
  const prices = ofApproved.length < FEWEST ? pricesOf(others.filter(({ moderation }) => moderation !== "rejected")) : ofApproved;
  const usual = prices.toSorted((one, other) => one - other)[Math.floor(prices.length / 2)];
  if (usual === undefined || prices.length < FEWEST) return false;
  return unitAmount >= usual * FAR || unitAmount * FAR <= usual;
}

function hasOtherVat({ terminal, vat }: Neighbour, approved: readonly Neighbour[]): boolean {
  const ofTerminal = approved.filter((other) => other.terminal === terminal);
  return ofTerminal.length > 0 && ofTerminal.every((other) => other.vat !== vat);
}
