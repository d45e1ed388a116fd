import type Stripe from "stripe";
import { SECOND } from "../core/clock.ts";
import type { Account } from "./account.ts";
import type { Reader } from "./calls.ts";
import type { BalanceTransaction } from "./facts.ts";
import { listCreatedBetween } from "./pages.ts";
import type { Call } from "./port.ts";

/** Balance transactions created between two times (Unix milliseconds), newest first, at most `limit` of them. */
export async function listBalanceTransactions(
  { stripe }: Account,
  from: number,
  to: number,
  limit: number,
  { budget }: Call,
): Promise<BalanceTransaction[]> {
  const found = await listCreatedBetween({ from, to, limit, budget }, (params, timeout) =>
    stripe.balanceTransactions.list(params, { timeout }),
  );
  return found.map(toBalanceTransaction);
}

export function toBalanceTransaction(transaction: Stripe.BalanceTransaction): BalanceTransaction {
  const { id, type, amount, fee, net, description, reporting_category: reportingCategory } = transaction;
  return {
    id,
    type,
    amount,
    fee,
    net,
    description,
    reportingCategory,
    currency: transaction.currency.toUpperCase(),
    created: transaction.created * SECOND,
    availableAt: transaction.available_on * SECOND,
  };
}

/** The balance transaction that another object references. It is fetched if it was not expanded. */
export async function resolveTransaction(
  { stripe, ask }: Reader,
  reference: string | Stripe.BalanceTransaction | null,
): Promise<Stripe.BalanceTransaction | null> {
  if (typeof reference !== "string") return reference;
  return ask((options) => stripe.balanceTransactions.retrieve(reference, {}, options));
}
