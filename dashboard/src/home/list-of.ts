/** The sums of a period that stand on the first page. */
type Figure = "disputes" | "fees" | "gross" | "net" | "orders" | "refunds";

interface Days {
  readonly from: string;
  readonly to: string;
}

/**
 * The address of the list that a figure of a period counts: orders, or movements of money. In rubles it is the orders that were paid, or
 * given back, in the period. Null for a figure that no list counts: a ruble order may have been given back on other days, too, and its own
 * list says by how much in all.
 */
export function listOf(figure: Figure, currency: string, { from, to }: Days): string | null {
  const ordersThat = (verb: "paid" | "refunded") => `/orders?settled_in=${currency}&${verb}_since=${from}&${verb}_until=${to}`;
  if (figure === "orders") return ordersThat("paid");
  if (currency === "RUB") return figure === "gross" ? ordersThat("paid") : figure === "refunds" ? ordersThat("refunded") : null;
  const type = figure === "refunds" ? "&type=processor_refund" : "";
  return `/balance?tab=movements&currency=${currency}&since=${from}&until=${to}${type}`;
}
