import { limits } from "../../src/core/limits.ts";
import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, later, nowInSeconds, randomId, type World } from "../world.ts";
import { transactCharge } from "./balance.ts";
import { addCharge, type Charged, type Payment } from "./charge.ts";
import { type Discount, discountOf, redeem } from "./discounts.ts";
import { makeEvent, sendEvents } from "./events.ts";
import { invalidRequest } from "./failure.ts";
import { getPaymentLink } from "./first-link.ts";
import { countCompleted, totalOf } from "./links.ts";
import { hasTrial, startSubscription } from "./subscriptions.ts";

/** The ids of a payment's objects. They are reserved at once, even if the objects are created later. */
export interface Paid {
  readonly checkout_session: string;
  /** Null, like the charge, for a subscription that begins with a trial. */
  readonly payment_intent: string | null;
  /** For a link with recurring prices, unless its first payment failed: then there is no subscription. */
  readonly subscription?: string;
  readonly charge: string | null;
  readonly balance_transaction: string | null;
}

/**
 * A customer pays a link; all events are sent, in the processor's order. Like the real checkout, it drops an invalid
 * order reference. The balance transaction, the subscription and its invoice come after the charge.
 */
export async function pay(world: World, linkId: string, payment: Payment): Promise<Paid> {
  const link = getPaymentLink(world, linkId);
  if (link.active !== true) throw invalidRequest("This payment link is not active.");
  const discount = payment.promotion_code ? discountOf(world, link, payment.promotion_code) : null;
  const session = openSession(world, link, payment, discount);
  const trial = session.mode === "subscription" && hasTrial(link);
  const isFree = trial || session.amount_total === 0;
  const outcome = isFree ? "succeeded" : (payment.outcome ?? "succeeded");
  if (discount !== null && outcome !== "failed") redeem(discount);
  if (isFree) {
    const free = { checkout_session: session.id, payment_intent: null, charge: null, balance_transaction: null };
    if (session.mode === "subscription")
      return { ...free, subscription: await startAndComplete(world, link, session, null, payment, discount) };
    await sendEvents(world, [completed(world, session, "no_payment_required")]);
    return free;
  }
  const charged = chargeCustomer(world, link, session, payment);
  const { intent, charge, transactionId } = charged;
  const paid = { checkout_session: session.id, payment_intent: intent.id, charge: charge.id };
  if (outcome !== "failed") transactCharge(world, charged, payment);
  const word = { succeeded: "succeeded", pending: "processing", failed: "payment_failed" }[outcome];
  const events = [makeEvent(world, `charge.${outcome}`, charge), makeEvent(world, `payment_intent.${word}`, intent)];
  if (outcome === "failed") {
    await sendEvents(world, events);
    return { ...paid, balance_transaction: null };
  }
  if (session.mode === "payment") {
    await sendEvents(world, [...events, completed(world, session, outcome === "succeeded" ? "paid" : "unpaid")]);
    return { ...paid, balance_transaction: transactionId };
  }
  await sendEvents(world, events);
  const subscription = await startAndComplete(world, link, session, charged, payment, discount);
  return { ...paid, balance_transaction: transactionId, subscription };
}

/** A customer opens a link and leaves: the checkout ends unpaid. */
export async function abandon(world: World, linkId: string, customer: Payment): Promise<{ readonly checkout_session: string }> {
  const session = openSession(world, getPaymentLink(world, linkId), customer, null);
  Object.assign(session, { status: "expired" });
  await sendEvents(world, [makeEvent(world, "checkout.session.expired", session)]);
  return { checkout_session: session.id };
}

function openSession(world: World, link: ProcessorObject, payment: Payment, discount: Discount | null): ProcessorObject {
  const { livemode } = link;
  const reference = payment.client_reference_id ?? "";
  return addObject(world, livemode ? "cs_live" : "cs_test", {
    object: "checkout.session",
    livemode,
    mode: link.subscription_data === null ? "payment" : "subscription",
    status: "open",
    payment_status: "unpaid",
    payment_link: link.id,
    client_reference_id: new RegExp(limits.checkoutReference.pattern).test(reference) ? reference : null,
    customer_details: { email: payment.email ?? null },
    amount_subtotal: totalOf(world, link.id),
    amount_total: totalOf(world, link.id) - (discount?.off ?? 0),
    total_details: { amount_discount: discount?.off ?? 0, amount_shipping: 0, amount_tax: 0 },
    discounts: discount === null ? [] : [{ coupon: discount.coupon.id, promotion_code: discount.code.id }],
    currency: link.currency,
    metadata: link.metadata,
    url: null,
    expires_at: nowInSeconds(world) + 86_400,
    payment_intent: null,
    subscription: null,
    invoice: null,
  });
}

/** The charge of a new session. The payment of a subscription has no metadata of ours. */
function chargeCustomer(world: World, link: ProcessorObject, session: ProcessorObject, payment: Payment): Charged {
  const money = { livemode: link.livemode, amount: Number(session.amount_total), currency: String(link.currency) };
  if (session.mode === "subscription") {
    const first = addCharge(world, { ...money, metadata: {}, description: "Subscription creation" }, payment);
    session.attempt = first.intent.id;
    return first;
  }
  const data = link.payment_intent_data as { metadata?: object } | null;
  const charged = addCharge(world, { ...money, metadata: data?.metadata ?? {}, description: null }, payment);
  session.payment_intent = charged.intent.id;
  return charged;
}

/** Starts the subscription and completes the session, perhaps some time after the charge. Returns the subscription's id. */
async function startAndComplete(
  world: World,
  link: ProcessorObject,
  session: ProcessorObject,
  charged: Charged | null,
  payment: Payment,
  discount: Discount | null,
): Promise<string> {
  const id = randomId("sub");
  const start = async () => {
    const { subscription, invoice, events } = startSubscription(
      world,
      link,
      { id, amount: totalOf(world, link.id), discount },
      charged,
      payment,
    );
    Object.assign(session, { subscription: subscription.id, invoice: invoice.id });
    const status = charged === null ? "no_payment_required" : charged.charge.status === "succeeded" ? "paid" : "unpaid";
    await sendEvents(world, [...events, completed(world, session, status)]);
  };
  const delay = payment.subscription_after_ms ?? 0;
  if (delay > 0) later(world, delay, start);
  else await start();
  return id;
}

function completed(world: World, session: ProcessorObject, paymentStatus: string): ProcessorObject {
  Object.assign(session, { status: "complete", payment_status: paymentStatus });
  countCompleted(world, String(session.payment_link));
  return makeEvent(world, "checkout.session.completed", session);
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
  const events: ProcessorObject[] = [];
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
