import type Stripe from "stripe";
import { SECOND } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import type { Ask } from "./calls.ts";
import type { BalanceTransaction, ListedTransaction } from "./facts.ts";
import { listMadeBetween } from "./pages.ts";

/** {@link Processor.listBalanceTransactions} */
export async function listBalanceTransactions(
  stripe: Stripe,
  from: number,
  to: number,
  limit: number,
  { deadline }: { deadline: Deadline },
): Promise<ListedTransaction[]> {
  const found = await listMadeBetween({ from, to, limit, deadline }, (params, timeout) =>
    stripe.balanceTransactions.list(params, { timeout }),
  );
  return found.map(({ id, type }) => ({ id, type }));
}

export function toBalanceTransaction(transaction: Stripe.BalanceTransaction): BalanceTransaction {
  const { id, type, amount, fee, net, currency, created, description, reporting_category: category } = transaction;
  return { id, type, amount, fee, net, currency: currency.toUpperCase(), created: created * SECOND, description, category };
}

/** The transaction that another object names, asked for where it did not come along. */
export async function transactionBehind(
  stripe: Stripe,
  ask: Ask,
  reference: string | Stripe.BalanceTransaction | null,
): Promise<Stripe.BalanceTransaction | null> {
  if (typeof reference !== "string") return reference;
  return ask((options) => stripe.balanceTransactions.retrieve(reference, {}, options));
}
