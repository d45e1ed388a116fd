import type Stripe from "stripe";
import { z } from "zod";
import { ServiceFailure } from "../core/errors.ts";
import { partnerIn } from "./attribution.ts";
import { toBalanceTransaction, transactionBehind } from "./balance-transactions.ts";
import { type Ask, SettledFailure } from "./calls.ts";
import type { PaymentFacts, SubscriptionFacts } from "./facts.ts";
import { expanded, idOf, toObject } from "./objects.ts";
import { toSubscriptionFacts } from "./subscriptions.ts";

const chargeStatus = z.enum(["succeeded", "pending", "failed"]);

/**
 * A charge and what stands around it. A one-time payment carries our metadata itself; a subscription's payment does
 * not, so it is found through its invoice, whose metadata is the subscription's (processor API, since 2025-03-31).
 */
export async function retrieveCharge(
  stripe: Stripe,
  ask: Ask,
  chargeId: string,
): Promise<Omit<PaymentFacts, "refund" | "dispute" | "transaction">> {
  const expand = ["balance_transaction", "failure_balance_transaction", "payment_intent"];
  const charge = await ask((options) => stripe.charges.retrieve(chargeId, { expand }, options));
  const intent = expanded(charge.payment_intent);
  const transaction = await transactionBehind(stripe, ask, charge.balance_transaction);
  const failure = await transactionBehind(stripe, ask, charge.failure_balance_transaction);
  const invoice = intent === null ? null : await findInvoice(intent.id);
  const details = invoice?.parent?.subscription_details ?? null;
  const subscriptionId = idOf(details?.subscription ?? null);
  const subscription = subscriptionId === null ? null : await subscriptionIfReadable(subscriptionId);
  const metadata = details?.metadata ?? subscription?.metadata ?? intent?.metadata ?? {};
  const isFirstInvoice = invoice === null || invoice.billing_reason === "subscription_create";
  // A renewal has no checkout of its own; the first one's tells the link, which is needed where the metadata is silent.
  const session = intent !== null && (isFirstInvoice || partnerIn(metadata) === null) ? await findSession(intent.id, subscriptionId) : null;

  return {
    charge: {
      id: charge.id,
      status: chargeStatus.parse(charge.status),
      description: charge.description,
      transaction: transaction && toBalanceTransaction(transaction),
      failureTransaction: failure && toBalanceTransaction(failure),
    },
    paymentIntentId: intent?.id ?? null,
    metadata,
    paymentLinkId: idOf(session?.payment_link ?? null),
    subscriptionId,
    subscription,
    clientReferenceId: isFirstInvoice ? (session?.client_reference_id ?? null) : null,
    objects: [
      {
        ...charge,
        payment_intent: intent?.id ?? null,
        balance_transaction: transaction?.id ?? null,
        failure_balance_transaction: failure?.id ?? null,
      },
      intent,
      transaction,
      failure,
      invoice,
      isFirstInvoice ? session : null,
    ].flatMap((object) => (object === null ? [] : [toObject(object)])),
  };

  /** The money counts, whatever becomes of its subscription: one that is refused to us is left out. */
  async function subscriptionIfReadable(id: string): Promise<SubscriptionFacts | null> {
    try {
      return toSubscriptionFacts(await ask((options) => stripe.subscriptions.retrieve(id, {}, options)));
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
