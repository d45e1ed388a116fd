import Stripe from "stripe";
import type { CallBudget } from "../core/call-budget.ts";
import { ServiceFailure } from "../core/errors.ts";
import { callProcessor } from "./calls.ts";
import type { MissingRight } from "./port.ts";

type Options = { readonly timeout: number };

/** A resource that the service reads, and what does not work without permission. */
interface Resource {
  /** The name in the processor's dashboard. */
  readonly right: string;
  readonly without: string;
  readonly ask: (stripe: Stripe, options: Options) => Promise<unknown>;
}

const ONE = { limit: 1 } as const;

const RESOURCES: readonly Resource[] = [
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

/** The number of parallel requests: the processor's test environment takes 25 per second from an account. */
const AT_A_TIME = 4;

/** {@link Processor.findMissingRights} */
export async function findMissingRights(stripe: Stripe, { deadline }: { deadline: CallBudget }): Promise<MissingRight[]> {
  const missing: MissingRight[] = [];
  for (let from = 0; from < RESOURCES.length; from += AT_A_TIME) {
    const some = RESOURCES.slice(from, from + AT_A_TIME);
    const have = await Promise.all(some.map(({ ask }) => mayAsk(callProcessor(deadline, (timeout) => ask(stripe, { timeout }), 2))));
    missing.push(...some.filter((_, at) => have[at] === false).map(({ right, without }) => ({ right, without })));
  }
  return missing;
}

async function mayAsk(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (thrown) {
    if (thrown instanceof ServiceFailure && thrown.cause instanceof Stripe.errors.StripePermissionError) return false;
    throw thrown;
  }
}
