import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, nowInSeconds, randomId, type World } from "../world.ts";
import { addChargeTransaction } from "./balance.ts";
import { addCharge, type Charged, type Money, type Payment } from "./charge.ts";
import { makeEvent, sendEvents } from "./events.ts";
import { invalidRequest } from "./failure.ts";
import { addPeriod, periodEnd } from "./period.ts";

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

/** A subscription of all the lines of a link, with its first invoice. Its payment carries no metadata of ours. */
export function startSubscription(world: World, link: ProcessorObject, money: Money, payment: Payment) {
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
