import { html } from "hono/html";
import { paymentById } from "../bank/payments.ts";
import { totalOf } from "../processor/links.ts";
import type { ProcessorObject } from "../state.ts";
import { findObject, type World } from "../world.ts";
import { eventTable, type ShownEvent } from "./event-table.ts";
import { price } from "./layout.ts";
import type { Order } from "./orders.ts";
import { button, buttons, type Cell, code, folded, time, words } from "./tables.ts";

/** An order: its items, its payments, and its events. */
export function orderCard(world: World, order: Order, events: readonly ShownEvent[]): Cell {
  const { object, title, environment } = order;
  const partner = order.partner ?? events[0]?.inbox;
  const steps = stepsOf(world, order);
  return html`<article aria-label="${title}">
<header><h3>${title}</h3> <strong>${totalFor(world, object)}</strong> <span class="tag">${environment}</span>
${partner ? html`<span class="tag">${partner}</span>` : ""} <span class="note">${time(object)} ${code(words(object.order_id) || object.id)}</span></header>
${actionsOn(world, object)}
${steps.length === 0 ? "" : html`<ol class="steps">${steps.map(({ step }) => step)}</ol>`}
${events.length === 0 ? "" : folded(`events ${object.id}`, html`${events.length} event${events.length === 1 ? "" : "s"}: ${summary(events)}`, eventTable(events, ""))}
</article>`;
}

const summary = (events: readonly ShownEvent[]): string =>
  events
    .toReversed()
    .map(({ name }) => name)
    .join(", ");

const totalFor = (world: World, object: ProcessorObject): string =>
  object.object === "payment_link" ? price(totalOf(world, object.id), object.currency) : price(object.amount, object.currency ?? "RUB");

function actionsOn(world: World, object: ProcessorObject): Cell {
  if (object.object === "payment_link") return linkActions(object);
  return object.object === "bank_payment" ? bankActions(world, object) : "";
}

function linkActions(link: ProcessorObject): Cell {
  if (link.active === false) return html`<p class="note">The link is not active.</p>`;
  return buttons(
    html`<a href="/checkout/${link.id}">Checkout</a>`,
    button("pay", link, "Pay"),
    button("pay-slowly", link, "Pay slowly"),
    button("decline", link, "Decline"),
  );
}

function bankActions(world: World, payment: ProcessorObject): Cell {
  const status = words(paymentById(world, payment.id).status);
  const shown = html`<span class="status">${status}</span>`;
  if (["NEW", "FORM_SHOWED", "REJECTED"].includes(status)) {
    return buttons(
      shown,
      html`<a href="/bank/pay/${words(payment.page)}">Page</a>`,
      button("bank-pay", payment, "Pay"),
      button("bank-decline", payment, "Decline"),
      button("bank-expire", payment, "Let it expire"),
    );
  }
  return ["CONFIRMED", "PARTIAL_REFUNDED"].includes(status) ? buttons(shown, button("bank-refund", payment, "Refund")) : buttons(shown);
}

interface Step {
  readonly at: number;
  readonly step: Cell;
}

const step = (object: ProcessorObject, said: string, actions: Cell = ""): Step => ({
  at: object.created,
  step: html`<li><span class="note">${time(object)}</span> <span>${said}</span> ${code(object.id)} ${actions}</li>`,
});

function stepsOf(world: World, order: Order): Step[] {
  return [
    ...order.checkouts.map((session) => step(session, checkoutStep(session))),
    ...order.payments.map((payment) => step(payment, paymentStep(world, payment), paymentActions(world, payment))),
    ...order.refunds.map((refund) => step(refund, `Refund of ${price(refund.amount, refund.currency)}: ${words(refund.status)}`)),
    ...order.disputes.map((dispute) =>
      step(dispute, `Dispute of ${price(dispute.amount, dispute.currency)}: ${words(dispute.status)}`, disputeActions(dispute)),
    ),
    ...order.subscriptions.map((subscription) => step(subscription, subscriptionStep(subscription), subscriptionActions(subscription))),
  ].toSorted((left, right) => left.at - right.at);
}

function checkoutStep(session: ProcessorObject): string {
  const off = (session.total_details as { amount_discount?: number } | undefined)?.amount_discount ?? 0;
  return [
    `Checkout: ${words(session.status)}`,
    words(session.payment_status),
    (session.customer_details as { email?: string | null } | null)?.email ?? "",
    session.client_reference_id === null ? "" : `order ${words(session.client_reference_id)}`,
    off > 0 ? `${price(off, session.currency)} off by a code` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function paymentStep(world: World, payment: ProcessorObject): string {
  const charge = findObject(world, payment.latest_charge);
  const refunded = Number(charge?.amount_refunded ?? 0);
  const status = charge?.status === "failed" ? "declined" : words(payment.status);
  const parts = [`Payment of ${price(payment.amount, payment.currency)}: ${status}`];
  if (refunded > 0) parts.push(`${price(refunded, payment.currency)} refunded`);
  if (charge?.disputed === true) parts.push("disputed");
  return parts.join(", ");
}

function paymentActions(world: World, payment: ProcessorObject): Cell {
  if (payment.status === "processing")
    return buttons(button("settle-succeeded", payment, "Let it succeed"), button("settle-failed", payment, "Let it fail"));
  const charge = findObject(world, payment.latest_charge);
  const isWhole = charge?.refunded !== true && charge?.disputed !== true;
  if (payment.status !== "succeeded" || !isWhole) return "";
  return buttons(button("refund", payment, "Refund"), button("dispute", payment, "Dispute"));
}

const disputeActions = (dispute: ProcessorObject): Cell =>
  dispute.status === "needs_response" ? buttons(button("win", dispute, "Win"), button("lose", dispute, "Lose")) : "";

const isRunning = ({ status }: ProcessorObject): boolean => status === "active" || status === "trialing";

function subscriptionStep(subscription: ProcessorObject): string {
  const end = isRunning(subscription) ? (subscription.cancel_at === null ? ", renews" : `, ends ${dayOf(subscription.cancel_at)}`) : "";
  return `Subscription of ${price(subscription.amount, subscription.currency)} a period: ${words(subscription.status)}${end}`;
}

function subscriptionActions(subscription: ProcessorObject): Cell {
  if (!isRunning(subscription)) return "";
  const endLater = subscription.cancel_at === null ? button("end-later", subscription, "End at period end") : "";
  return buttons(button("renew", subscription, "Renew"), endLater, button("end", subscription, "End now"));
}

const dayOf = (seconds: unknown): string => new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
