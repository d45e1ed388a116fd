import type { ProcessorObject } from "../state.ts";
import { addObject, getObject, nowInSeconds, type World } from "../world.ts";
import { addMovement } from "./balance.ts";
import { chargeOf } from "./charge.ts";
import { makeEvent, sendEvents } from "./events.ts";
import { invalidRequest } from "./failure.ts";

const DISPUTE_FEE = 1_500;

/** Opens a dispute: the customer's bank withdraws the money until it closes. An inquiry withdraws no money yet. */
export async function dispute(
  world: World,
  intentId: string,
  { inquiry, reason, due_in_days: days }: { readonly inquiry: boolean; readonly reason: string; readonly due_in_days: number },
) {
  const charge = chargeOf(world, intentId);
  const { livemode, currency, amount } = charge;
  if (charge.disputed === true) throw invalidRequest("This charge is disputed already.");
  charge.disputed = true;
  const made = addObject(world, "du", {
    object: "dispute",
    livemode,
    amount,
    currency,
    charge: charge.id,
    payment_intent: intentId,
    status: inquiry ? "warning_needs_response" : "needs_response",
    reason,
    evidence_details: {
      due_by: nowInSeconds(world) + Math.round(days * 86_400),
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    balance_transactions: [],
  });
  const opened = makeEvent(world, "charge.dispute.created", made);
  await sendEvents(world, inquiry ? [opened] : [opened, withdrawn(world, made)]);
  return { dispute: made.id, balance_transaction: transactionsOf(made).at(-1)?.id ?? null };
}

/** An inquiry becomes a dispute. */
export async function withdrawFunds(world: World, disputeId: string) {
  const open = getObject(world, "dispute", disputeId);
  if (open.status !== "warning_needs_response")
    throw invalidRequest(`This dispute is ${String(open.status)}, and only an inquiry can become one.`);
  open.status = "needs_response";
  await sendEvents(world, [withdrawn(world, open)]);
  return { dispute: open.id, balance_transaction: transactionsOf(open).at(-1)?.id ?? null };
}

/** Closes a dispute; if it is won, the money comes back. An inquiry is closed without a verdict. */
export async function closeDispute(world: World, disputeId: string, won: boolean) {
  const closed = getObject(world, "dispute", disputeId);
  if (["won", "lost", "warning_closed"].includes(String(closed.status)))
    throw invalidRequest(`This dispute is ${String(closed.status)}: a verdict is final.`);
  const isInquiry = closed.status === "warning_needs_response";
  closed.status = isInquiry ? "warning_closed" : won ? "won" : "lost";
  const events = won && !isInquiry ? [reinstated(world, closed)] : [];
  await sendEvents(world, [...events, makeEvent(world, "charge.dispute.closed", closed)]);
  return { dispute: closed.id, status: closed.status };
}

function transactionsOf(made: ProcessorObject): ProcessorObject[] {
  return made.balance_transactions as ProcessorObject[];
}

function withdrawn(world: World, made: ProcessorObject): ProcessorObject {
  return moved(world, made, { amount: -Number(made.amount), fee: DISPUTE_FEE, category: "dispute" }, "withdrawn");
}

function reinstated(world: World, made: ProcessorObject): ProcessorObject {
  return moved(world, made, { amount: Number(made.amount), fee: -DISPUTE_FEE, category: "dispute_reversal" }, "reinstated");
}

function moved(
  world: World,
  made: ProcessorObject,
  money: { amount: number; fee: number; category: string },
  how: string,
): ProcessorObject {
  const charge = getObject(world, "charge", made.charge);
  const transaction = addMovement(world, charge, { ...money, type: "adjustment", source: made.id });
  made.balance_transactions = [...transactionsOf(made), transaction];
  return makeEvent(world, `charge.dispute.funds_${how}`, made);
}
