import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, later, nowInSeconds, randomId, type World } from "../world.ts";
import { addChargeTransaction } from "./balance.ts";
import { addCharge, type Charged, type Payment } from "./charge.ts";
import { makeEvent, sendEvents } from "./events.ts";
import { invalidRequest } from "./failure.ts";
import { getPaymentLink } from "./first-link.ts";
import { totalOf } from "./links.ts";
import { startSubscription } from "./subscriptions.ts";

/** The ids of a payment's objects. `balance_transaction` is reserved at once, even if it is created later. */
export interface Paid {
  readonly checkout_session: string;
  /** Null, like the charge, for a subscription that begins with a trial. */
  readonly payment_intent: string | null;
  readonly subscription?: string;
  readonly charge: string | null;
  readonly balance_transaction: string | null;
}

type Events = ProcessorObject[];

/** A customer pays a link; all events are sent. Like the real checkout, it drops an invalid order reference. */
export async function pay(world: World, linkId: string, payment: Payment): Promise<Paid> {
  const link = getPaymentLink(world, linkId);
  const { livemode } = link;
  const reference = payment.client_reference_id ?? "";
  const session = addObject(world, livemode ? "cs_live" : "cs_test", {
    object: "checkout.session",
    livemode,
    mode: link.subscription_data === null ? "payment" : "subscription",
    status: "open",
    payment_status: "unpaid",
    payment_link: link.id,
    client_reference_id: /^[A-Za-z0-9_-]{1,200}$/.test(reference) ? reference : null,
    customer_details: { email: payment.email ?? null },
    amount_total: totalOf(world, linkId),
    currency: link.currency,
    metadata: link.metadata,
    url: null,
    payment_intent: null,
    subscription: null,
    invoice: null,
  });
  const money = { livemode, amount: Number(session.amount_total), currency: String(link.currency) };
  if (session.mode === "payment") {
    const data = link.payment_intent_data as { metadata?: object } | null;
    const charged = addCharge(world, { ...money, metadata: data?.metadata ?? {}, description: null }, payment);
    session.payment_intent = charged.intent.id;
    return finish(world, session, charged, payment, []);
  }
  const { subscription, invoice, charged, events } = startSubscription(world, link, money, payment);
  session.subscription = subscription.id;
  session.invoice = invoice.id;
  if (charged === null) return { ...(await finishWithoutPayment(world, session, events)), subscription: subscription.id };
  return { ...(await finish(world, session, charged, payment, events)), subscription: subscription.id };
}

/** Settles a pending payment. */
export async function settle(world: World, intentId: string, outcome: "succeeded" | "failed") {
  const intent = getObject(world, "payment_intent", intentId);
  if (intent.status !== "processing")
    throw invalidRequest(`This payment is ${String(intent.status)}, and only a pending one can be settled.`);
  const charge = getObject(world, "charge", intent.latest_charge);
  const session = Object.values(world.state.objects).find(
    ({ object, payment_intent }) => object === "checkout.session" && payment_intent === intentId,
  );
  intent.status = outcome === "succeeded" ? "succeeded" : "requires_payment_method";
  charge.status = outcome;
  charge.paid = outcome === "succeeded";
  const events: Events = [];
  if (outcome === "failed") charge.failure_balance_transaction = reverse(world, charge);
  events.push(makeEvent(world, `charge.${outcome}`, charge));
  events.push(makeEvent(world, outcome === "succeeded" ? "payment_intent.succeeded" : "payment_intent.payment_failed", intent));
  if (session !== undefined) {
    session.payment_status = outcome === "succeeded" ? "paid" : "unpaid";
    events.push(makeEvent(world, `checkout.session.async_payment_${outcome}`, session));
  }
  await sendEvents(world, events);
  return { payment_intent: intentId, status: intent.status };
}

function reverse(world: World, charge: ProcessorObject): string {
  const original = getObject(world, "balance_transaction", charge.balance_transaction);
  const reversal = { ...original, id: randomId("txn"), created: nowInSeconds(world), type: "payment_failure_refund", source: charge.id };
  return addObject(world, "txn", { ...reversal, amount: -Number(original.amount), fee: 0, net: -Number(original.amount) }).id;
}

async function finishWithoutPayment(world: World, session: ProcessorObject, events: Events): Promise<Paid> {
  session.status = "complete";
  session.payment_status = "no_payment_required";
  await sendEvents(world, [...events, makeEvent(world, "checkout.session.completed", session)]);
  return { checkout_session: session.id, payment_intent: null, charge: null, balance_transaction: null };
}

async function finish(world: World, session: ProcessorObject, charged: Charged, payment: Payment, events: Events): Promise<Paid> {
  const { intent, charge, transactionId } = charged;
  const outcome = payment.outcome ?? "succeeded";
  const late = outcome === "succeeded" ? (payment.balance_after_ms ?? 0) : 0;
  if (outcome !== "failed") {
    session.status = "complete";
    session.payment_status = outcome === "succeeded" ? "paid" : "unpaid";
    if (late === 0) addChargeTransaction(world, charge, transactionId, outcome === "pending" ? "payment" : "charge", payment.settlement);
    events.push(makeEvent(world, "checkout.session.completed", session));
  }
  events.push(makeEvent(world, `charge.${outcome}`, charge));
  const word = { succeeded: "succeeded", pending: "processing", failed: "payment_failed" }[outcome];
  events.push(makeEvent(world, `payment_intent.${word}`, intent));
  await sendEvents(world, events);
  if (late > 0) {
    later(world, late, async () => {
      addChargeTransaction(world, charge, transactionId, "charge", payment.settlement);
      await sendEvents(world, [makeEvent(world, "charge.updated", charge)]);
    });
  }
  return {
    checkout_session: session.id,
    payment_intent: intent.id,
    charge: charge.id,
    balance_transaction: outcome === "failed" ? null : transactionId,
  };
}
