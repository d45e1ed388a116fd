import type Stripe from "stripe";
import * as z from "zod";
import { SECOND } from "../core/clock.ts";
import type { Account } from "./account.ts";
import { resolveTransaction, toBalanceTransaction } from "./balance-transactions.ts";
import { nullIfRefused, type Reader, readCallsUntil } from "./calls.ts";
import { type KnownObjects, retrieveCharge } from "./charges.ts";
import type { PaymentFacts, RefundFacts, Source } from "./facts.ts";
import { factsOfExpiredCheckout, factsOfFreeCheckout, isFree } from "./free-checkouts.ts";
import type { Call } from "./port.ts";
import { idOf, toObject } from "./stripe-objects.ts";
import { factsOfSubscription } from "./subscription-facts.ts";

/** The current facts of a payment or a subscription, as far as they can be found from `source`. */
export async function retrieveFacts({ stripe, report }: Account, source: Source, { budget }: Call): Promise<PaymentFacts> {
  return retrieve({ stripe, ask: readCallsUntil(budget, report) }, source);
}

async function retrieve(reader: Reader, { kind, id }: Source): Promise<PaymentFacts> {
  switch (kind) {
    case "charge":
      return chargeFacts(reader, id, null);
    case "payment_intent":
      return intentFacts(reader, id);
    case "refund":
      return retrieveRefund(reader, id);
    case "dispute":
      return retrieveDispute(reader, id);
    case "balance_transaction":
      return retrieveTransaction(reader, id);
    case "checkout_session":
      return retrieveSession(reader, id);
    case "invoice":
      return invoiceFacts(reader, await reader.ask((options) => reader.stripe.invoices.retrieve(id, { expand: ["payments"] }, options)));
    case "subscription":
      return { ...EMPTY_FACTS, ...(await factsOfSubscription(reader, id, null)) };
  }
}

/** The facts of the charge. They are empty for a payment that was never charged, and for a refund without a charge. */
async function chargeFacts(
  reader: Reader,
  chargeId: string | null,
  paymentIntentId: string | null,
  known: KnownObjects = {},
): Promise<PaymentFacts> {
  if (chargeId === null) return { ...EMPTY_FACTS, paymentIntentId };
  return { ...EMPTY_FACTS, ...(await retrieveCharge(reader, chargeId, known)) };
}

async function intentFacts(reader: Reader, id: string, known: KnownObjects = {}): Promise<PaymentFacts> {
  const intent = await reader.ask((options) => reader.stripe.paymentIntents.retrieve(id, {}, options));
  return chargeFacts(reader, idOf(intent.latest_charge), id, known);
}

async function retrieveSession(reader: Reader, id: string): Promise<PaymentFacts> {
  const session = await reader.ask((options) => reader.stripe.checkout.sessions.retrieve(id, { expand: ["invoice.payments"] }, options));
  const paymentIntentId = idOf(session.payment_intent);
  const withIds = { ...session, invoice: idOf(session.invoice) };
  if (session.status === "expired") return { ...EMPTY_FACTS, ...factsOfExpiredCheckout(session) };
  if (isFree(session)) return { ...EMPTY_FACTS, ...(await factsOfFreeCheckout(reader, session)) };
  if (paymentIntentId !== null) return intentFacts(reader, paymentIntentId, { session: withIds });
  if (session.invoice !== null && typeof session.invoice !== "string") return invoiceFacts(reader, session.invoice, withIds);
  const subscriptionId = idOf(session.subscription);
  return subscriptionId === null ? EMPTY_FACTS : { ...EMPTY_FACTS, ...(await factsOfSubscription(reader, subscriptionId, withIds)) };
}

/** The payment of an invoice; its subscription, if nothing was due. */
async function invoiceFacts(
  reader: Reader,
  invoice: Stripe.Invoice,
  session: Stripe.Checkout.Session | null = null,
): Promise<PaymentFacts> {
  const { payments, ...withoutPayments } = invoice;
  const attempts = payments?.data ?? [];
  // An invoice may have several payments. The successful one shows what was paid.
  const payment = (attempts.find(({ status }) => status === "paid") ?? attempts[0])?.payment;
  const intentId = idOf(payment?.payment_intent ?? null);
  const known = session === null ? { invoice: withoutPayments } : { session, invoice: withoutPayments };
  const paid = intentId === null ? null : await intentFacts(reader, intentId, known);
  // An invoice that was paid outside the processor may keep the intent of a payment that was never made.
  const isUnused = paid === null || (paid.charge === null && invoice.status === "paid");
  const facts = isUnused ? await factsWithoutPayment(reader, invoice, session) : paid;
  if (facts.charge !== null) return facts;
  // A payment outside the processor never becomes a charge here.
  if (invoice.amount_paid - (invoice.amount_paid_off_stripe ?? 0) > 0) return { ...facts, missing: "payment" };
  const isRenewal = invoice.status === "paid" && invoice.billing_reason !== "subscription_create";
  return isRenewal ? { ...facts, settledInvoiceId: invoice.id ?? null } : facts;
}

async function factsWithoutPayment(
  reader: Reader,
  { parent }: Stripe.Invoice,
  session: Stripe.Checkout.Session | null,
): Promise<PaymentFacts> {
  const id = idOf(parent?.subscription_details?.subscription ?? null);
  return id === null ? EMPTY_FACTS : { ...EMPTY_FACTS, ...(await factsOfSubscription(reader, id, session)) };
}

async function retrieveRefund(reader: Reader, id: string): Promise<PaymentFacts> {
  const expand = ["balance_transaction", "failure_balance_transaction"];
  const refund = await reader.ask((options) => reader.stripe.refunds.retrieve(id, { expand }, options));
  const transaction = await resolveTransaction(reader, refund.balance_transaction);
  const failure = await resolveTransaction(reader, refund.failure_balance_transaction ?? null);
  const facts = {
    ...(await chargeFacts(reader, idOf(refund.charge), idOf(refund.payment_intent))),
    refund: {
      id: refund.id,
      status: refundStatus(refund.status),
      amount: refund.amount,
      currency: refund.currency.toUpperCase(),
      created: refund.created * SECOND,
      transaction: transaction && toBalanceTransaction(transaction),
      failureTransaction: failure && toBalanceTransaction(failure),
    },
  };
  const byId = { balance_transaction: transaction?.id ?? null, failure_balance_transaction: failure?.id ?? null };
  return withObjects(facts, [{ ...refund, ...byId }, transaction, failure]);
}

async function retrieveDispute(reader: Reader, id: string): Promise<PaymentFacts> {
  const dispute = await reader.ask((options) => reader.stripe.disputes.retrieve(id, {}, options));
  const outcome = verdictSchema.safeParse(dispute.status);
  const dueBy = dispute.evidence_details.due_by;
  const facts = {
    ...(await chargeFacts(reader, idOf(dispute.charge), idOf(dispute.payment_intent))),
    dispute: {
      id: dispute.id,
      status: dispute.status,
      outcome: outcome.success ? outcome.data : null,
      reason: dispute.reason,
      created: dispute.created * SECOND,
      // The processor says 0 where no evidence can be given.
      evidenceDueBy: dueBy === null || dueBy === 0 ? null : dueBy * SECOND,
      amount: dispute.amount,
      currency: dispute.currency.toUpperCase(),
      transactions: dispute.balance_transactions.map(toBalanceTransaction),
    },
  };
  return withObjects(facts, [dispute, ...dispute.balance_transactions]);
}

async function retrieveTransaction(reader: Reader, transactionId: string): Promise<PaymentFacts> {
  const transaction = await reader.ask((options) =>
    reader.stripe.balanceTransactions.retrieve(transactionId, { expand: ["source"] }, options),
  );
  const origin = typeof transaction.source === "string" ? null : transaction.source;
  const kind = origin === null ? null : kindOf(origin.object);
  const id = kind === null ? null : idOf(transaction.source);
  // A transaction without a readable source is still money. It is recorded for an operator to check.
  const facts = kind === null || id === null ? null : await nullIfRefused(retrieve(reader, { kind, id }));
  const stored = { ...transaction, source: idOf(transaction.source) };
  return withObjects({ ...(facts ?? EMPTY_FACTS), transaction: toBalanceTransaction(transaction) }, [stored]);
}

/** The final statuses of a dispute. There are more statuses that are not final, and new ones are added over time. */
const verdictSchema = z.enum(["won", "lost"]);

const EMPTY_FACTS: PaymentFacts = {
  charge: null,
  refund: null,
  dispute: null,
  transaction: null,
  paymentIntentId: null,
  metadata: {},
  paymentLinkId: null,
  subscriptionId: null,
  subscription: null,
  freeCheckout: null,
  expiredCheckout: null,
  settledInvoiceId: null,
  discount: null,
  buyer: null,
  clientReferenceId: null,
  subscriptionReferenceId: null,
  objects: [],
  missing: null,
};

function withObjects(facts: PaymentFacts, objects: readonly ({ id: string; object: string } | null)[]): PaymentFacts {
  return { ...facts, objects: [...facts.objects, ...objects.flatMap((object) => (object === null ? [] : [toObject(object)]))] };
}

/** The source type, if it is part of a payment; null for all other sources of balance transactions. */
function kindOf(object: string): "charge" | "refund" | "dispute" | null {
  return object === "charge" || object === "refund" || object === "dispute" ? object : null;
}

/** A refund that waits for the bank or the customer is pending; a cancelled one never reaches the customer. */
function refundStatus(status: string | null): RefundFacts["status"] {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
}
