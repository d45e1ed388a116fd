import type Stripe from "stripe";

type Options = { readonly timeout: number };

/** A resource that the service reads, and what does not work without permission. */
interface Resource {
  /** The name in the processor's dashboard. */
  readonly right: string;
  readonly without: string;
  readonly ask: (stripe: Stripe, options: Options) => Promise<unknown>;
}

const ONE = { limit: 1 } as const;

/** The resources that the service reads. */
export const RESOURCES: readonly Resource[] = [
  { right: "Products", without: "no product can be approved", ask: (stripe, how) => stripe.products.list(ONE, how) },
  { right: "Prices", without: "no link can be made", ask: (stripe, how) => stripe.prices.list(ONE, how) },
  { right: "Payment Links", without: "no link can be made", ask: (stripe, how) => stripe.paymentLinks.list(ONE, how) },
  { right: "Coupons", without: "no promotion code can be created", ask: (stripe, how) => stripe.coupons.list(ONE, how) },
  { right: "Promotion Codes", without: "no promotion code can be created", ask: (stripe, how) => stripe.promotionCodes.list(ONE, how) },
  {
    right: "Subscriptions",
    without: "subscriptions are not seen, and cannot be cancelled",
    ask: (stripe, how) => stripe.subscriptions.list(ONE, how),
  },
  { right: "Charges", without: "no payment is recorded", ask: (stripe, how) => stripe.charges.list(ONE, how) },
  { right: "Refunds", without: "no refund is recorded", ask: (stripe, how) => stripe.refunds.list(ONE, how) },
  { right: "Disputes", without: "no dispute is recorded", ask: (stripe, how) => stripe.disputes.list(ONE, how) },
  { right: "Payment Intents", without: "payments show no owner", ask: (stripe, how) => stripe.paymentIntents.list(ONE, how) },
  {
    right: "Checkout Sessions",
    without: "order references and free orders are not seen",
    ask: (stripe, how) => stripe.checkout.sessions.list(ONE, how),
  },
  { right: "Invoices", without: "renewals show no owner", ask: (stripe, how) => stripe.invoices.list(ONE, how) },
  { right: "Balance Transactions", without: "no payment is recorded", ask: (stripe, how) => stripe.balanceTransactions.list(ONE, how) },
  { right: "Events", without: "events that were missed are not found again", ask: (stripe, how) => stripe.events.list(ONE, how) },
];

/**
 * The read permissions that a key needs, by their names in the processor's dashboard. Write permissions only show in a
 * sale.
 */
export const neededRights: readonly string[] = RESOURCES.map(({ right }) => right);
