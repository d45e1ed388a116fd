/** The sums of a period that stand on the first page. */
type Figure = "disputes" | "fees" | "gross" | "net" | "refunds";

/** The kind of the movements that a sum is of; null for all kinds. */
const KINDS = { disputes: "dispute", fees: null, gross: "payment", net: null, refunds: "refund" } as const satisfies Record<
  Figure,
  unknown
>;

interface Days {
  readonly from: string;
  readonly to: string;
}

const ordersThat = (verb: "paid" | "refunded", currency: string, { from, to }: Days): string =>
  `/orders?settled_in=${currency}&${verb}_since=${from}&${verb}_until=${to}`;

/** The address of the orders that were paid in a period. */
export const paidOrders = (currency: string, days: Days): string => ordersThat("paid", currency, days);

/**
 * The address of the list that a sum of a period is of: movements of money, and in rubles the orders that were paid, or given back, in the
 * period. Null for a sum that no list has: a ruble order may have been given back on other days, too, and its own list says by how much in
 * all.
 */
export function listOf(figure: Figure, currency: string, days: Days): string | null {
  if (currency === "RUB")
    return figure === "gross" ? paidOrders(currency, days) : figure === "refunds" ? ordersThat("refunded", currency, days) : null;
  const kind = KINDS[figure];
  return `/balance?tab=movements&currency=${currency}&since=${days.from}&until=${days.to}${kind === null ? "" : `&kind=${kind}`}`;
}
