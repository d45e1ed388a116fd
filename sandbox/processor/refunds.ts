import * as z from "zod";
import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, type World } from "../world.ts";
import { addMovement } from "./balance.ts";
import { chargeOf } from "./charge.ts";
import { makeEvent, sendEvents } from "./events.ts";
import { invalidRequest } from "./failure.ts";

export interface Refunding {
  /** Minor units; default: the whole remaining amount. */
  readonly amount?: number | undefined;
  /** The refund is created and then fails. */
  readonly fail?: boolean;
  /** The refund stays pending until it is settled. */
  readonly pending?: boolean;
  /** The pending refund has no balance transaction before it succeeds. */
  readonly unbooked?: boolean;
}

/** Refunds a payment. */
export async function refund(world: World, intentId: string, { amount, fail = false, pending = false, unbooked = false }: Refunding) {
  const charge = chargeOf(world, intentId);
  if (charge.status !== "succeeded")
    throw invalidRequest(`This charge is ${String(charge.status)}, and only one that succeeded can be refunded.`);
  const left = Number(charge.amount) - Number(charge.amount_refunded);
  const given = amount ?? left;
  if (given < 1 || given > left)
    throw invalidRequest(`Refund amount (${given}) is greater than unrefunded amount on charge (${left})`, "amount");
  charge.amount_refunded = Number(charge.amount_refunded) + given;
  charge.refunded = charge.amount_refunded === charge.amount;
  // The refund of a non-card payment has its own id prefix, and its transaction its own type.
  const made = addObject(world, charge.id.startsWith("py_") ? "pyr" : "re", {
    object: "refund",
    livemode: charge.livemode,
    amount: given,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: intentId,
    status: pending ? "pending" : "succeeded",
    ...(pending ? instructed(charge) : {}),
  });
  made.balance_transaction = unbooked ? null : book(world, charge, made);
  const events = [makeEvent(world, "refund.created", made), makeEvent(world, "charge.refunded", charge)];
  if (fail) events.push(failed(world, made));
  await sendEvents(world, events);
  return { refund: made.id, balance_transaction: made.balance_transaction, status: made.status };
}

/** A refund that waits for its customer: the processor has asked for the account by mail. */
function instructed({ billing_details }: ProcessorObject) {
  const to = z.object({ email: z.string().nullable() }).parse(billing_details).email ?? "";
  const display_details = { email_sent: { email_sent_at: 0, email_sent_to: to }, expires_at: 0 };
  return { instructions_email: to, next_action: { type: "display_details", display_details } };
}

function book(world: World, charge: ProcessorObject, { id, amount }: ProcessorObject): string {
  const type = id.startsWith("pyr_") ? "payment_refund" : "refund";
  return addMovement(world, charge, { amount: -Number(amount), type, source: id }).id;
}

/** Settles a pending refund. */
export async function settleRefund(world: World, refundId: string, outcome: "succeeded" | "failed") {
  const open = getObject(world, "refund", refundId);
  if (open.status !== "pending") throw invalidRequest(`This refund is ${String(open.status)}, and only a pending one can be settled.`);
  if (outcome === "failed") {
    await sendEvents(world, [failed(world, open)]);
  } else {
    open.status = outcome;
    open.balance_transaction ??= book(world, getObject(world, "charge", open.charge), open);
    await sendEvents(world, [makeEvent(world, "refund.updated", open, { status: "pending" })]);
  }
  return { refund: open.id, status: open.status };
}

/** Marks a refund as failed: the money returns to the account and can be refunded again. */
function failed(world: World, made: ProcessorObject): ProcessorObject {
  const charge = getObject(world, "charge", made.charge);
  const given = Number(made.amount);
  made.status = "failed";
  made.failure_reason = "lost_or_stolen_card";
  if (made.balance_transaction !== null) {
    made.failure_balance_transaction = addMovement(world, charge, { amount: given, type: "refund_failure", source: made.id }).id;
  }
  charge.amount_refunded = Number(charge.amount_refunded) - given;
  charge.refunded = false;
  return makeEvent(world, "refund.failed", made);
}
