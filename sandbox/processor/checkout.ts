import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, later, nowInSeconds, randomId, type World } from "../world.ts";
import { addChargeTransaction } from "./balance.ts";
import { makeEvent, sendEvents } from "./events.ts";
import { invalidRequest } from "./failure.ts";
import { getPaymentLink } from "./first-link.ts";
import { totalOf } from "./links.ts";
import { addPeriod, periodEnd } from "./period.ts";

export interface Payment {
  readonly client_reference_id?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly method?: string | null | undefined;
  /** How many milliseconds later the balance transaction comes; 0: with the charge. */
  readonly balance_after_ms?: number | undefined;
  readonly outcome?: "succeeded" | "pending" | "failed" | undefined;
}

/** The ids of what a payment made; `balance_transaction` is set aside at once even where it comes later. */
export interface Paid {
  readonly checkout_session: string;
  readonly payment_intent: string;
  readonly subscription?: string;
  readonly charge: string;
  readonly balance_transaction: string | null;
}

type Events = ProcessorObject[];

/** A customer pays a link, to the last event. What the checkout is given in a wrong form it drops, as the real one does. */
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
  return { ...(await finish(world, session, charged, payment, events)), subscription: subscription.id };
}

/** The next period of a subscription is invoiced and paid. Its payment carries no metadata of ours. */
export async function renew(world: World, subscriptionId: string) {
  const subscription = getObject(world, "subscription", subscriptionId);
  if (subscription.status !== "active") throw invalidRequest(`This subscription is ${String(subscription.status)} and is not renewed.`);
  addPeriod(subscription);
  const money = { livemode: subscription.livemode, amount: Number(subscription.amount), currency: String(subscription.currency) };
  const charged = addCharge(world, { ...money, metadata: {}, description: "Subscription update" }, {});
  const invoice = addInvoice(world, subscription, charged, "subscription_cycle");
  const transaction = addChargeTransaction(world, charged.charge, charged.transactionId, "charge");
  await sendEvents(world, [
    makeEvent(world, "customer.subscription.updated", subscription),
    makeEvent(world, "charge.succeeded", charged.charge),
    makeEvent(world, "payment_intent.succeeded", charged.intent),
    makeEvent(world, "invoice.paid", invoice),
  ]);
  return { invoice: invoice.id, payment_intent: charged.intent.id, charge: charged.charge.id, balance_transaction: transaction.id };
}

/** Ends a payment that was left pending. */
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

interface Charged {
  readonly intent: ProcessorObject;
  readonly charge: ProcessorObject;
  readonly transactionId: string;
}

interface Money {
  readonly livemode: boolean;
  readonly amount: number;
  readonly currency: string;
}

function addCharge(world: World, money: Money & { metadata: object; description: string | null }, payment: Payment): Charged {
  const outcome = payment.outcome ?? "succeeded";
  const intentStatus = { succeeded: "succeeded", pending: "processing", failed: "requires_payment_method" }[outcome];
  const intent = addObject(world, "pi", {
    object: "payment_intent",
    ...money,
    status: intentStatus,
    latest_charge: null,
    client_secret: randomId("secret"),
  });
  const charge = addObject(world, outcome === "pending" ? "py" : "ch", {
    object: "charge",
    ...money,
    status: outcome,
    paid: outcome === "succeeded",
    payment_intent: intent.id,
    balance_transaction: null,
    failure_balance_transaction: null,
    amount_refunded: 0,
    refunded: false,
    disputed: false,
    billing_details: { email: payment.email ?? null },
    payment_method_details: { type: payment.method ?? "card" },
    receipt_url: `${world.origin}/receipts/${intent.id}`,
  });
  intent.latest_charge = charge.id;
  return { intent, charge, transactionId: randomId("txn") };
}

function startSubscription(world: World, link: ProcessorObject, money: Money, payment: Payment) {
  const lines = world.state.lines[link.id] ?? [];
  const data = link.subscription_data as { metadata?: object } | null;
  const price = lines[0]?.price as { recurring?: { interval: string; interval_count: number } } | undefined;
  const start = nowInSeconds(world);
  const customer = addObject(world, "cus", { object: "customer", livemode: money.livemode, email: payment.email ?? null });
  const subscription = addObject(world, "sub", {
    object: "subscription",
    ...money,
    status: payment.outcome === "failed" ? "incomplete" : "active",
    customer: customer.id,
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    billing_cycle_anchor: start,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_mode: { flexible: null, type: "classic" },
    billing_thresholds: null,
    recurring: price?.recurring ?? { interval: "month", interval_count: 1 },
    items: { object: "list", data: [] },
    metadata: data?.metadata ?? {},
  });
  const period = { current_period_start: start, current_period_end: periodEnd(subscription, start) };
  subscription.items = {
    object: "list",
    data: lines.map((line) => ({ id: randomId("si"), object: "subscription_item", price: line.price, quantity: line.quantity, ...period })),
  };
  const charged = addCharge(world, { ...money, metadata: {}, description: "Subscription creation" }, payment);
  const invoice = addInvoice(world, subscription, charged, "subscription_create");
  const events = [makeEvent(world, "customer.subscription.created", subscription)];
  if (subscription.status === "active") events.push(makeEvent(world, "invoice.paid", invoice));
  return { subscription, invoice, charged, events };
}

function addInvoice(world: World, subscription: ProcessorObject, { intent, charge }: Charged, reason: string): ProcessorObject {
  const { livemode } = subscription;
  const invoice = addObject(world, "in", {
    object: "invoice",
    livemode,
    billing_reason: reason,
    customer: subscription.customer,
    status: charge.status === "succeeded" ? "paid" : "open",
    amount_paid: charge.status === "succeeded" ? charge.amount : 0,
    currency: subscription.currency,
    hosted_invoice_url: `${world.origin}/invoices/${intent.id}`,
    parent: {
      type: "subscription_details",
      subscription_details: { subscription: subscription.id, metadata: structuredClone(subscription.metadata) },
    },
  });
  addObject(world, "inpay", {
    object: "invoice_payment",
    livemode,
    invoice: invoice.id,
    payment: { type: "payment_intent", payment_intent: intent.id },
  });
  return invoice;
}

async function finish(world: World, session: ProcessorObject, charged: Charged, payment: Payment, events: Events): Promise<Paid> {
  const { intent, charge, transactionId } = charged;
  const outcome = payment.outcome ?? "succeeded";
  const late = outcome === "succeeded" ? (payment.balance_after_ms ?? 0) : 0;
  if (outcome !== "failed") {
    session.status = "complete";
    session.payment_status = outcome === "succeeded" ? "paid" : "unpaid";
    if (late === 0) addChargeTransaction(world, charge, transactionId, outcome === "pending" ? "payment" : "charge");
    events.push(makeEvent(world, "checkout.session.completed", session));
  }
  events.push(makeEvent(world, `charge.${outcome}`, charge));
  const word = { succeeded: "succeeded", pending: "processing", failed: "payment_failed" }[outcome];
  events.push(makeEvent(world, `payment_intent.${word}`, intent));
  await sendEvents(world, events);
  if (late > 0) {
    later(world, late, async () => {
      addChargeTransaction(world, charge, transactionId, "charge");
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
