import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, nowInSeconds, type World } from "../world.ts";
import { addBalanceTransaction } from "./balance.ts";
import { makeEvent, sendEvents } from "./events.ts";
import { invalidRequest } from "./failure.ts";
import { type Form, text } from "./form.ts";
import { currentPeriodEnd } from "./period.ts";

function chargeOf(world: World, intentId: string): ProcessorObject {
  return getObject(world, "charge", getObject(world, "payment_intent", intentId).latest_charge);
}

/** Gives money back, all that is left or a part of it (minor units); with `fail`, it then turns out impossible. */
export async function refund(world: World, intentId: string, amount: number | undefined, fail: boolean) {
  const charge = chargeOf(world, intentId);
  const { livemode, currency } = charge;
  const left = Number(charge.amount) - Number(charge.amount_refunded);
  const given = amount ?? left;
  if (given < 1 || given > left)
    throw invalidRequest(`Refund amount (${given}) is greater than unrefunded amount on charge (${left})`, "amount");
  charge.amount_refunded = Number(charge.amount_refunded) + given;
  charge.refunded = charge.amount_refunded === charge.amount;
  const made = addObject(world, "re", {
    object: "refund",
    livemode,
    amount: given,
    currency,
    charge: charge.id,
    payment_intent: intentId,
    status: "succeeded",
    failure_balance_transaction: null,
  });
  const money = { livemode, currency: String(currency), source: made.id };
  made.balance_transaction = addBalanceTransaction(world, { ...money, amount: -given, type: "refund" }).id;
  const events = [makeEvent(world, "refund.created", made), makeEvent(world, "charge.refunded", charge)];
  if (fail) {
    made.status = "failed";
    made.failure_balance_transaction = addBalanceTransaction(world, { ...money, amount: given, type: "refund_failure" }).id;
    charge.amount_refunded = Number(charge.amount_refunded) - given;
    charge.refunded = false;
    events.push(makeEvent(world, "refund.failed", made));
  }
  await sendEvents(world, events);
  return { refund: made.id, balance_transaction: made.balance_transaction, status: made.status };
}

const DISPUTE_FEE = 1_500;

/** A customer's bank takes the money back for as long as the dispute lasts. */
export async function dispute(world: World, intentId: string) {
  const charge = chargeOf(world, intentId);
  const { livemode, currency, amount } = charge;
  if (charge.disputed === true) throw invalidRequest("This charge is disputed already.");
  charge.disputed = true;
  const made = addObject(world, "dp", {
    object: "dispute",
    livemode,
    amount,
    currency,
    charge: charge.id,
    payment_intent: intentId,
    status: "needs_response",
    reason: "fraudulent",
    balance_transactions: [],
  });
  const opened = makeEvent(world, "charge.dispute.created", made);
  const money = { livemode, currency: String(currency), source: made.id, type: "adjustment" };
  const withdrawn = addBalanceTransaction(world, { ...money, amount: -Number(amount), fee: DISPUTE_FEE, category: "dispute" });
  made.balance_transactions = [withdrawn];
  await sendEvents(world, [opened, makeEvent(world, "charge.dispute.funds_withdrawn", made)]);
  return { dispute: made.id, balance_transaction: withdrawn.id };
}

/** The verdict; won, the money comes back. */
export async function closeDispute(world: World, disputeId: string, won: boolean) {
  const closed = getObject(world, "dispute", disputeId);
  closed.status = won ? "won" : "lost";
  const events = [];
  if (won) {
    const { livemode, currency, amount, id } = closed;
    const money = { livemode, currency: String(currency), source: id, type: "adjustment" };
    const back = addBalanceTransaction(world, { ...money, amount: Number(amount), fee: -DISPUTE_FEE, category: "dispute_reversal" });
    closed.balance_transactions = [...(closed.balance_transactions as object[]), back];
    events.push(makeEvent(world, "charge.dispute.funds_reinstated", closed));
  }
  await sendEvents(world, [...events, makeEvent(world, "charge.dispute.closed", closed)]);
  return { dispute: closed.id, status: closed.status };
}

/** `POST /v1/subscriptions/:id`: only the scheduled end can be changed. */
export async function updateSubscription(world: World, id: string, form: Form, livemode: boolean): Promise<ProcessorObject> {
  const subscription = getObject(world, "subscription", id, livemode);
  const wanted = text(form, "cancel_at_period_end");
  const clearsMoment = form.cancel_at === "";
  if (subscription.status === "canceled") throw invalidRequest("A canceled subscription can only update its cancellation_details.", "id");
  if (subscription.status === "incomplete") {
    throw invalidRequest("An incomplete subscription can only have its metadata and default_source updated.", "id");
  }
  if (wanted !== null && form.cancel_at !== undefined) {
    throw invalidRequest("Received both cancel_at_period_end and cancel_at parameters. Please pass in only one.", "cancel_at");
  }
  if (wanted === "true") {
    const now = nowInSeconds(world);
    Object.assign(subscription, { cancel_at_period_end: true, cancel_at: currentPeriodEnd(subscription), canceled_at: now });
  }
  // A moment that was set as such, not by the flag, is not taken back by the flag.
  if (clearsMoment || (wanted === "false" && subscription.cancel_at_period_end === true)) {
    Object.assign(subscription, { cancel_at_period_end: false, cancel_at: null, canceled_at: null });
  }
  await sendEvents(world, [makeEvent(world, "customer.subscription.updated", subscription)]);
  return subscription;
}

/** Cancels a subscription at once. */
export async function endSubscription(world: World, id: string) {
  const subscription = getObject(world, "subscription", id);
  subscription.status = "canceled";
  subscription.ended_at = nowInSeconds(world);
  subscription.canceled_at ??= subscription.ended_at;
  await sendEvents(world, [makeEvent(world, "customer.subscription.deleted", subscription)]);
  return { subscription: id, status: subscription.status };
}
