import { settle } from "../processor/checkout.ts";
import { closeDispute, dispute } from "../processor/disputes.ts";
import { refund } from "../processor/refunds.ts";
import type { ProcessorObject } from "../state.ts";
import { findObject, listObjects, type World } from "../world.ts";
import { price } from "./layout.ts";
import { button, buttons, type Cell, code, environment, listing, type Section, time } from "./tables.ts";

/** Actions on a payment or a dispute, by button name. */
export const paymentActions = {
  refund: (world: World, id: string) => refund(world, id, {}),
  dispute: (world: World, id: string) => dispute(world, id, false),
  "settle-succeeded": (world: World, id: string) => settle(world, id, "succeeded"),
  "settle-failed": (world: World, id: string) => settle(world, id, "failed"),
  win: (world: World, id: string) => closeDispute(world, id, true),
  lose: (world: World, id: string) => closeDispute(world, id, false),
};

/** Payments by card and other methods, for the start page. */
export function payments(world: World): Section {
  const head = ["Made", "Payment", "Environment", "Amount", "Status", ""];
  const about = { id: "payments", title: "Payments", head, none: "None yet. Pay a link above." };
  return listing(about, listObjects(world, "payment_intent"), (payment) => [
    time(payment),
    code(payment.id),
    environment(payment),
    price(payment.amount, payment.currency),
    statusOf(world, payment),
    actionsOn(world, payment),
  ]);
}

function statusOf(world: World, payment: ProcessorObject): string {
  const charge = findObject(world, payment.latest_charge);
  const refunded = Number(charge?.amount_refunded ?? 0);
  const parts = [String(payment.status)];
  if (refunded > 0) parts.push(`${price(refunded, payment.currency)} refunded`);
  if (charge?.disputed === true) parts.push("disputed");
  return parts.join(", ");
}

function actionsOn(world: World, payment: ProcessorObject): Cell {
  if (payment.status === "processing") {
    return buttons(button("settle-succeeded", payment, "Let it succeed"), button("settle-failed", payment, "Let it fail"));
  }
  const charge = findObject(world, payment.latest_charge);
  const isWhole = charge?.refunded !== true && charge?.disputed !== true;
  if (payment.status !== "succeeded" || !isWhole) return "";
  return buttons(button("refund", payment, "Refund"), button("dispute", payment, "Dispute"));
}

/** Disputes, for the start page. */
export function disputes(world: World): Section {
  const head = ["Made", "Dispute", "Environment", "Amount", "Status", ""];
  const about = { id: "disputes", title: "Disputes", head, none: "None yet. Dispute a payment above." };
  return listing(about, listObjects(world, "dispute"), (found) => [
    time(found),
    code(found.id),
    environment(found),
    price(found.amount, found.currency),
    String(found.status),
    found.status === "needs_response" ? buttons(button("win", found, "Win"), button("lose", found, "Lose")) : "",
  ]);
}
