import type Stripe from "stripe";
import * as z from "zod";
import { isOfLink, partnerIdIn } from "./attribution.ts";
import { resolveTransaction, toBalanceTransaction } from "./balance-transactions.ts";
import { nullIfRefused, type ReadCall } from "./calls.ts";
import { discountOf } from "./discounts.ts";
import type { ChargeFacts, PaymentFacts } from "./facts.ts";
import { expanded, idOf, toObject } from "./stripe-objects.ts";
import { retrieveSubscription } from "./subscriptions.ts";

const statusSchema = z.enum(["succeeded", "pending", "failed"]);

/** An unknown status that the processor adds later must not prevent the money from being recorded. */
function statusOf({ status, paid }: Stripe.Charge): ChargeFacts["status"] {
  const known = statusSchema.safeParse(status);
  return known.success ? known.data : paid ? "succeeded" : "pending";
}

/** Objects of a payment that are already known, because the search started at them. */
export interface KnownObjects {
  readonly session?: Stripe.Checkout.Session;
  readonly invoice?: Stripe.Invoice;
}

/**
 * A charge and its related objects. A one-time payment carries our metadata itself. The payment of a subscription does
 * not, so its metadata is found through its invoice: the invoice has the metadata of the subscription (processor API,
 * since 2025-03-31).
 */
export async function retrieveCharge(
  stripe: Stripe,
  ask: ReadCall,
  chargeId: string,
  known: KnownObjects,
): Promise<Omit<PaymentFacts, "refund" | "dispute" | "transaction">> {
  const expand = ["balance_transaction", "failure_balance_transaction", "payment_intent"];
  const charge = await ask((options) => stripe.charges.retrieve(chargeId, { expand }, options));
  const intent = expanded(charge.payment_intent);
  const transaction = await resolveTransaction(stripe, ask, charge.balance_transaction);
  const failure = await resolveTransaction(stripe, ask, charge.failure_balance_transaction);
  // A link gives its metadata to the payment or to the subscription. A payment that has it belongs to no invoice.
  const invoice = known.invoice ?? (intent === null || isOfLink(intent.metadata) ? null : await findInvoice(intent.id));
  const details = invoice?.parent?.subscription_details ?? null;
  const subscriptionId = idOf(details?.subscription ?? null);
  // The payment is recorded in any case. Its subscription is null if the processor denies access to it.
  const subscription = subscriptionId === null ? null : await nullIfRefused(retrieveSubscription(stripe, ask, subscriptionId));
  // The subscription's own metadata comes before the invoice's copy, because the copy cannot be corrected.
  const metadataSources = [subscription, details, intent].map((carrier) => carrier?.metadata ?? {});
  const metadata = metadataSources.find((carried) => partnerIdIn(carried) !== null) ?? {};
  const isRenewal = subscriptionId !== null && invoice?.billing_reason !== "subscription_create";
  const isOurs = partnerIdIn(metadata) !== null;
  // A renewal has no checkout session of its own. The session of the first payment shows the link, which is needed if
  // the metadata names no partner.
  const session = known.session ?? (intent !== null && (!isRenewal || !isOurs) ? await findSession(intent.id, subscriptionId) : null);
  // All payments of this service go through a link, so the session exists. It may not name the subscription yet.
  const awaitsSession = isOurs && !isRenewal && intent !== null && session === null && charge.status !== "failed";

  return {
    charge: {
      id: charge.id,
      status: statusOf(charge),
      amount: charge.amount,
      currency: charge.currency.toUpperCase(),
      description: charge.description,
      transaction: transaction && toBalanceTransaction(transaction),
      failureTransaction: failure && toBalanceTransaction(failure),
    },
    paymentIntentId: intent?.id ?? null,
    metadata,
    paymentLinkId: idOf(session?.payment_link ?? null),
    subscriptionId,
    subscription,
    freeCheckout: null,
    settledInvoiceId: null,
    discount: await discountOf(stripe, ask, session, invoice),
    clientReferenceId: isRenewal ? null : (session?.client_reference_id ?? null),
    subscriptionReferenceId: subscriptionId === null ? null : (session?.client_reference_id ?? null),
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
      isRenewal ? null : session,
    ].flatMap((object) => (object === null ? [] : [toObject(object)])),
    missing: awaitsSession ? "checkout_session" : null,
  };

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
