import { type Context, Hono } from "hono";
import { html } from "hono/html";
import * as z from "zod";
import { BankError } from "../bank/failure.ts";
import { payBankPayment, paymentByPage, show } from "../bank/payments.ts";
import { UnknownObject, type World } from "../world.ts";
import { outcomePage, paymentPage, sentencePage } from "./customer.ts";
import { price } from "./layout.ts";
import { textsFor } from "./texts.ts";

const receiptSchema = z.object({
  Email: z.string().optional(),
  Phone: z.string().optional(),
  Items: z.array(z.object({ Name: z.string(), Quantity: z.number(), Amount: z.number(), Tax: z.string() })),
});

/** `/bank/pay/<page>` and `/bank/sbp/<page>`: where a customer pays by card, or by the fast-payment system. */
export function bankPages(world: World): Hono {
  const app = new Hono();
  app.onError((thrown, context) => {
    const { say } = textsFor(context);
    if (thrown instanceof UnknownObject) return context.html(sentencePage(context, say.noPayment, say.wasReset), 404);
    if (thrown instanceof BankError) return context.html(sentencePage(context, say.over, thrown.message), 400);
    throw thrown;
  });

  app.get("/pay/:page", (context) => shown(world, context, "card"));
  app.get("/sbp/:page", (context) => shown(world, context, "fast"));
  for (const path of ["/pay/:page", "/sbp/:page"] as const) app.post(path, (context) => pay(world, context));
  return app;
}

function shown(world: World, context: Context, way: "card" | "fast"): Response | Promise<Response> {
  const payment = paymentByPage(world, context.req.param("page") ?? "");
  show(payment);
  const { say } = textsFor(context);
  const { Items, Email, Phone } = receiptSchema.parse(payment.receipt);
  const label = way === "card" ? say.pay : say.payInApp;
  const order = {
    shop: String(payment.description),
    lines: Items.map((item) => ({ name: item.Name, quantity: item.Quantity, amount: item.Amount })),
    currency: "RUB",
    total: Number(payment.amount),
  };
  const isPayable = ["NEW", "FORM_SHOWED", "REJECTED"].includes(String(payment.status));
  const form = isPayable
    ? html`<form method="post">
    <button class="main" name="outcome" value="confirmed">${label} ${price(payment.amount, "RUB")}</button>
    <div class="buttons"><button name="outcome" value="rejected">${say.decline}</button></div>
  </form>`
    : html`<p>${payment.status === "CONFIRMED" ? say.paid : say.over}</p>`;
  const to = [Email, Phone].filter(Boolean).join(", ");
  return context.html(paymentPage(context, say[way], order, html`<p class="note">${say.receipt(to)}</p>${form}`));
}

async function pay(world: World, context: Context): Promise<Response> {
  const fields = await context.req.parseBody();
  const outcome = fields.outcome === "rejected" ? "rejected" : "confirmed";
  const payment = await payBankPayment(world, paymentByPage(world, context.req.param("page") ?? ""), outcome);
  const next = outcome === "confirmed" ? payment.success_url : payment.fail_url;
  if (typeof next === "string") return context.redirect(next, 303);
  return context.html(outcomePage(context, outcome === "confirmed" ? "succeeded" : "failed", String(payment.order_id)));
}
