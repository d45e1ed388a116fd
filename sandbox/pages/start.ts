import { Hono } from "hono";
import { html } from "hono/html";
import { settle } from "../processor/checkout.ts";
import { closeDispute, dispute } from "../processor/disputes.ts";
import { refund } from "../processor/refunds.ts";
import { endSubscription } from "../processor/subscription-changes.ts";
import { renew } from "../processor/subscriptions.ts";
import type { ProcessorObject } from "../state.ts";
import { findObject, listObjects, type World } from "../world.ts";
import { bankActions, bankPayments } from "./bank-table.ts";
import { deliveries } from "./delivery-table.ts";
import { page, price } from "./layout.ts";
import { button, clock, environment, table, time } from "./tables.ts";

const REFRESH = 5;
const MOST_ROWS = 25;

type Action = (world: World, id: string) => Promise<unknown>;

/** What a person can do to an object, by the name of the button. */
const ACTIONS: Readonly<Record<string, Action>> = {
  refund: (world, id) => refund(world, id, {}),
  dispute: (world, id) => dispute(world, id, false),
  "settle-succeeded": (world, id) => settle(world, id, "succeeded"),
  "settle-failed": (world, id) => settle(world, id, "failed"),
  renew: (world, id) => renew(world, id),
  end: (world, id) => endSubscription(world, id),
  win: (world, id) => closeDispute(world, id, true),
  lose: (world, id) => closeDispute(world, id, false),
  ...bankActions,
};

/** `/`: what there is, and buttons for what a customer or a bank would do. The page loads itself anew. */
export function startPage(world: World): Hono {
  const app = new Hono();
  app.get("/", async (context) => {
    const recent = (kind: string) => listObjects(world, kind).slice(0, MOST_ROWS);
    return context.html(
      page(
        "Sandbox",
        html`
<h1>Sandbox</h1>
<p class="note">The processor, the bank, their customers and your receivers, on this machine. Events go to <code>${world.edge}</code>. This page loads itself every ${REFRESH} seconds.</p>
${table(
  "Payment links",
  ["Made", "Link", "Environment", "Total", ""],
  recent("payment_link").map((link) => [
    time(link),
    html`<code>${link.id}</code>`,
    environment(link),
    price(
      (world.state.lines[link.id] ?? []).reduce((sum, line) => sum + Number(line.amount_total), 0),
      link.currency,
    ),
    html`<a href="/checkout/${link.id}">Open the checkout</a>`,
  ]),
)}
${table(
  "Payments",
  ["Made", "Payment", "Environment", "Amount", "Status", ""],
  recent("payment_intent").map((payment) => [
    time(payment),
    html`<code>${payment.id}</code>`,
    environment(payment),
    price(payment.amount, payment.currency),
    String(payment.status),
    payment.status === "processing"
      ? html`${button("settle-succeeded", payment, "Let it succeed")} ${button("settle-failed", payment, "Let it fail")}`
      : payment.status === "succeeded" && isWhole(world, payment)
        ? html`${button("refund", payment, "Refund")} ${button("dispute", payment, "Dispute")}`
        : "",
  ]),
)}
${table(
  "Subscriptions",
  ["Made", "Subscription", "Environment", "Status", "Ends with the period", ""],
  recent("subscription").map((subscription) => [
    time(subscription),
    html`<code>${subscription.id}</code>`,
    environment(subscription),
    String(subscription.status),
    subscription.cancel_at_period_end ? "yes" : "no",
    ["active", "trialing"].includes(String(subscription.status))
      ? html`${button("renew", subscription, "Renew")} ${button("end", subscription, "End")}`
      : "",
  ]),
)}
${table(
  "Disputes",
  ["Made", "Dispute", "Environment", "Status", ""],
  recent("dispute").map((found) => [
    time(found),
    html`<code>${found.id}</code>`,
    environment(found),
    String(found.status),
    found.status === "needs_response" ? html`${button("win", found, "Win")} ${button("lose", found, "Lose")}` : "",
  ]),
)}
${bankPayments(world, recent("bank_payment"))}
${await deliveries(world)}
${table(
  "Calls to the processor and the bank",
  ["At", "Call", "Status", "Idempotency key"],
  world.state.requests
    .slice(-MOST_ROWS)
    .toReversed()
    .map((request) => [
      clock(request.at),
      html`<code>${request.method} ${request.path}</code>`,
      String(request.status ?? "cut"),
      html`<code>${request.idempotency_key?.slice(0, 20) ?? ""}</code>`,
    ]),
)}`,
        REFRESH,
      ),
    );
  });

  app.onError((thrown, context) => {
    const message = thrown instanceof Error ? thrown.message : "It did not work.";
    return context.html(page("That did not work", html`<h1>That did not work</h1><p>${message}</p><p><a href="/">Back</a></p>`), 400);
  });

  app.post("/secrets", async (context) => {
    const { secret } = await context.req.parseBody();
    if (typeof secret !== "string" || !secret.startsWith("whsec_")) throw new Error("A signing secret begins with whsec_.");
    if (!world.state.secrets.includes(secret)) world.state.secrets.push(secret);
    return context.redirect("/", 303);
  });

  app.post("/act/:action/:id", async (context) => {
    const { action, id } = context.req.param();
    await ACTIONS[action]?.(world, id);
    return context.redirect("/", 303);
  });
  return app;
}

/** Whether a payment can still be refunded or disputed. */
function isWhole(world: World, payment: ProcessorObject): boolean {
  const charge = findObject(world, payment.latest_charge);
  return charge?.refunded !== true && charge?.disputed !== true;
}
