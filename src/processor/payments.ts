import type Stripe from "stripe";
import { z } from "zod";
import { SECOND } from "../core/clock.ts";
import type { Deadline } from "../core/deadline.ts";
import { ServiceFailure } from "../core/errors.ts";
import { callProcessor, SettledFailure } from "./calls.ts";
import { expanded, idOf, toObject } from "./objects.ts";
import type { BalanceTransaction, ChargeFacts, SubscriptionFacts } from "./port.ts";
import { retrieveSubscription } from "./subscriptions.ts";

const chargeStatus = z.enum(["succeeded", "pending", "failed"]);

interface Call {
  readonly deadline: Deadline;
}

/**
 * A charge and what stands around it. A one-time payment carries our metadata itself; a subscription's payment does
 * not, so it is found through its invoice, whose metadata is the subscription's (processor API, since 2025-03-31).
 */
export async function retrieveCharge(stripe: Stripe, chargeId: string, { deadline }: Call): Promise<ChargeFacts> {
  const ask = <Result>(send: (options: { timeout: number }) => Promise<Result>) => callProcessor(deadline, (timeout) => send({ timeout }));
  const charge = await ask((options) => stripe.charges.retrieve(chargeId, { expand: ["balance_transaction", "payment_intent"] }, options));
  const intent = expanded(charge.payment_intent);
  const transaction = expanded(charge.balance_transaction);
  const invoice = intent === null ? null : await findInvoice(intent.id);
  const subscription = invoice?.parent?.subscription_details ?? null;
  const subscriptionId = idOf(subscription?.subscription ?? null);
  const subscriptionNow = subscriptionId === null ? null : await subscriptionIfReadable(subscriptionId);
  const isFirstInvoice = invoice === null || invoice.billing_reason === "subscription_create";
  const session = intent !== null && isFirstInvoice ? await findSession(intent.id, subscriptionId) : null;

  return {
    chargeId: charge.id,
    status: chargeStatus.parse(charge.status),
    description: charge.description,
    paymentIntentId: intent?.id ?? null,
    balanceTransaction: transaction === null ? null : toBalanceTransaction(transaction),
    metadata: subscription?.metadata ?? subscriptionNow?.metadata ?? intent?.metadata ?? {},
    subscriptionId,
    subscription: subscriptionNow,
    clientReferenceId: session?.client_reference_id ?? null,
    objects: [
      { ...charge, payment_intent: intent?.id ?? null, balance_transaction: transaction?.id ?? null },
      intent,
      transaction,
      invoice,
      session,
    ].flatMap((object) => (object === null ? [] : [toObject(object)])),
  };

  /** The money counts, whatever becomes of its subscription: one that is refused to us is left out. */
  async function subscriptionIfReadable(id: string): Promise<SubscriptionFacts | null> {
    try {
      return await retrieveSubscription(stripe, id, { deadline });
    } catch (thrown) {
      const isRefused = thrown instanceof SettledFailure || (thrown instanceof ServiceFailure && thrown.leaves === "nothing");
      if (isRefused) return null;
      throw thrown;
    }
  }

  async function findInvoice(paymentIntentId: string): Promise<Stripe.Invoice | null> {
    const payment = { type: "payment_intent", payment_intent: paymentIntentId } as const;
    const found = await ask((options) => stripe.invoicePayments.list({ payment, limit: 1, expand: ["data.invoice"] }, options));
    const invoiceOfPayment = found.data[0]?.invoice;
    return typeof invoiceOfPayment === "object" && !("deleted" in invoiceOfPayment) ? invoiceOfPayment : null;
  }

  async function findSession(paymentIntentId: string, subscriptionOfPayment: string | null): Promise<Stripe.Checkout.Session | null> {
    const filter = subscriptionOfPayment === null ? { payment_intent: paymentIntentId } : { subscription: subscriptionOfPayment };
    const found = await ask((options) => stripe.checkout.sessions.list({ ...filter, limit: 1 }, options));
    return found.data[0] ?? null;
  }
}

/** {@link Processor.listBalanceTransactions} */
export async function listBalanceTransactions(
  stripe: Stripe,
  from: number,
  to: number,
  limit: number,
  { deadline }: Call,
): Promise<BalanceTransaction[]> {
  const created = { gte: Math.floor(from / SECOND), lte: Math.floor(to / SECOND) };
  const found: BalanceTransaction[] = [];
  let startingAfter: string | undefined;
  while (found.length < limit) {
    const params = {
      created,
      limit: Math.min(100, limit - found.length),
      ...(startingAfter === undefined ? {} : { starting_after: startingAfter }),
    };
    const page = await callProcessor(deadline, (timeout) => stripe.balanceTransactions.list(params, { timeout }));
    found.push(...page.data.map(toBalanceTransaction));
    startingAfter = page.data.at(-1)?.id;
    if (!page.has_more || startingAfter === undefined) break;
  }
  return found;
}

function toBalanceTransaction(transaction: Stripe.BalanceTransaction): BalanceTransaction {
  return {
    id: transaction.id,
    type: transaction.type,
    amount: transaction.amount,
    fee: transaction.fee,
    net: transaction.net,
    currency: transaction.currency.toUpperCase(),
    created: transaction.created * SECOND,
    description: transaction.description,
    sourceId: idOf(transaction.source),
  };
}
