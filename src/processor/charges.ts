import type Stripe from "stripe";
import * as z from "zod";
import { SECOND } from "../core/clock.ts";
import { isOfLink, partnerIdIn } from "./attribution-metadata.ts";
import { resolveTransaction, toBalanceTransaction } from "./balance-transactions.ts";
import { nullIfRefused, type Reader } from "./calls.ts";
import { buyerOf, methodOf } from "./customers.ts";
import { discountOf } from "./discounts.ts";
import type { ChargeFacts, PaymentFacts } from "./facts.ts";
import { findSession } from "./sessions.ts";
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
  reader: Reader,
  chargeId: string,
  known: KnownObjects,
): Promise<Omit<PaymentFacts, "refund" | "dispute" | "transaction" | "expiredCheckout">> {
  const expand = ["balance_transaction", "failure_balance_transaction", "payment_intent"];
  const charge = await reader.ask((options) => reader.stripe.charges.retrieve(chargeId, { expand }, options));
  const intent = expanded(charge.payment_intent);
  const transaction = await resolveTransaction(reader, charge.balance_transaction);
  const failure = await resolveTransaction(reader, charge.failure_balance_transaction);
  // A link gives its metadata to the payment or to the subscription. A payment that has it belongs to no invoice.
  const invoice = known.invoice ?? (intent === null || isOfLink(intent.metadata) ? null : await findInvoice(reader, intent.id));
  const { subscriptionId, subscription, metadata } = await subscriptionOf(reader, invoice, intent);
  const isRenewal = subscriptionId !== null && invoice?.billing_reason !== "subscription_create";
  const isOurs = partnerIdIn(metadata) !== null;
  // A renewal has no checkout session of its own. The session of the first payment shows the link, which is needed if
  // the metadata names no partner.
  const needsSession = intent !== null && (!isRenewal || !isOurs);
  const session =
    known.session ??
    (needsSession
      ? await findSession(reader, subscriptionId === null ? { payment_intent: intent.id } : { subscription: subscriptionId })
      : null);
  // All payments of this service go through a link, so the session exists. It may not name the subscription yet.
  const awaitsSession = isOurs && !isRenewal && intent !== null && session === null && charge.status !== "failed";
  const reference = session?.client_reference_id ?? null;
  return {
    charge: chargeFactsOf(charge, transaction, failure),
    paymentIntentId: intent?.id ?? null,
    metadata,
    paymentLinkId: idOf(session?.payment_link ?? null),
    subscriptionId,
    subscription,
    freeCheckout: null,
    settledInvoiceId: null,
    discount: await discountOf(reader, session, invoice),
    buyer: buyerOf(session?.customer_details, charge.billing_details),
    clientReferenceId: isRenewal ? null : reference,
    subscriptionReferenceId: subscriptionId === null ? null : reference,
    objects: [withIds(charge), intent, transaction, failure, invoice, isRenewal ? null : session].flatMap((object) =>
      object === null ? [] : [toObject(object)],
    ),
    missing: awaitsSession ? "checkout_session" : null,
  };
}

function chargeFactsOf(
  charge: Stripe.Charge,
  transaction: Stripe.BalanceTransaction | null,
  failure: Stripe.BalanceTransaction | null,
): ChargeFacts {
  return {
    id: charge.id,
    status: statusOf(charge),
    amount: charge.amount,
    currency: charge.currency.toUpperCase(),
    created: charge.created * SECOND,
    description: charge.description,
    method: methodOf(charge.payment_method_details),
    receiptUrl: charge.receipt_url,
    transaction: transaction && toBalanceTransaction(transaction),
    failureTransaction: failure && toBalanceTransaction(failure),
  };
}

/** A charge with the ids of its expanded objects, which are stored by themselves. */
function withIds(charge: Stripe.Charge): Stripe.Charge {
  return {
    ...charge,
    payment_intent: idOf(charge.payment_intent),
    balance_transaction: idOf(charge.balance_transaction),
    failure_balance_transaction: idOf(charge.failure_balance_transaction),
  };
}

/**
 * The subscription of an invoice, and the metadata that names the partner. The subscription is null if the processor denies
 * access to it: the payment is recorded in any case.
 */
async function subscriptionOf(reader: Reader, invoice: Stripe.Invoice | null, intent: Stripe.PaymentIntent | null) {
  const details = invoice?.parent?.subscription_details ?? null;
  const subscriptionId = idOf(details?.subscription ?? null);
  const subscription = subscriptionId === null ? null : await nullIfRefused(retrieveSubscription(reader, subscriptionId));
  // The subscription's own metadata comes before the invoice's copy, because the copy cannot be corrected.
  const carried = [subscription, details, intent].map((carrier) => carrier?.metadata ?? {});
  return { subscriptionId, subscription, metadata: carried.find((metadata) => partnerIdIn(metadata) !== null) ?? {} };
}

async function findInvoice({ stripe, ask }: Reader, paymentIntentId: string): Promise<Stripe.Invoice | null> {
  const payment = { type: "payment_intent", payment_intent: paymentIntentId } as const;
  const found = await ask((options) => stripe.invoicePayments.list({ payment, limit: 1, expand: ["data.invoice"] }, options));
  const invoice = found.data[0]?.invoice;
  return typeof invoice === "object" && !("deleted" in invoice) ? invoice : null;
}
