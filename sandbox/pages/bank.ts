import { type Context, Hono } from "hono";
import { html } from "hono/html";
import * as z from "zod";
import { BankError } from "../bank/failure.ts";
import { payBankPayment, paymentByPage, show } from "../bank/payments.ts";
import type { ProcessorObject } from "../state.ts";
import { UnknownObject, type World } from "../world.ts";
import { page, price } from "./layout.ts";

const receiptSchema = z.object({
  Email: z.string().optional(),
  Phone: z.string().optional(),
  Items: z.array(z.object({ Name: z.string(), Quantity: z.number(), Amount: z.number(), Tax: z.string() })),
});

/** `/bank/pay/<page>` and `/bank/sbp/<page>`: where a customer pays by card, or by the fast-payment system. */
export function bankPages(world: World): Hono {
  const app = new Hono();
  app.onError((thrown, context) => {
    if (thrown instanceof UnknownObject) {
      return context.html(
        page("No such payment", html`<h1>There is no such payment</h1><p>The sandbox may have been reset since.</p>`),
        404,
      );
    }
    if (thrown instanceof BankError) {
      return context.html(page("That did not work", html`<h1>${thrown.message}</h1><p class="note">${thrown.details}</p>`), 400);
    }
    throw thrown;
  });

  app.get("/pay/:page", (context) => {
    const payment = paymentByPage(world, context.req.param("page"));
    show(payment);
    return context.html(form(payment, "Оплата картой", "Оплатить"));
  });
  app.get("/sbp/:page", (context) => {
    const payment = paymentByPage(world, context.req.param("page"));
    show(payment);
    return context.html(form(payment, "Система быстрых платежей", "Оплатить в приложении банка"));
  });
  for (const path of ["/pay/:page", "/sbp/:page"] as const) app.post(path, (context) => pay(world, context));
  return app;
}

function form(payment: ProcessorObject, title: string, label: string) {
  const { Items, Email, Phone } = receiptSchema.parse(payment.receipt);
  const total = price(payment.amount, "RUB");
  const payable = ["NEW", "FORM_SHOWED", "REJECTED"].includes(String(payment.status));
  return page(
    title,
    html`
<h1>${title}</h1>
<p class="note">A sandbox: no money moves.${payment.livemode ? "" : " Test terminal."}</p>
<div class="stack">
  <p><strong>${payment.description}</strong></p>
  <div>
    ${Items.map((item) => html`<div class="line"><span>${item.Name} × ${item.Quantity} <small>(${item.Tax})</small></span><span>${price(item.Amount, "RUB")}</span></div>`)}
    <div class="line total"><span>Итого</span><span>${total}</span></div>
  </div>
  <p class="note">The receipt goes to ${[Email, Phone].filter(Boolean).join(", ")}.</p>
  ${
    payable
      ? html`<form method="post">
    <button class="main" name="outcome" value="confirmed">${label} ${total}</button>
    <button name="outcome" value="rejected">Have it declined</button>
  </form>`
      : html`<p>This payment is ${payment.status}.</p>`
  }
</div>`,
  );
}

async function pay(world: World, context: Context): Promise<Response> {
  const fields = await context.req.parseBody();
  const outcome = fields.outcome === "rejected" ? "rejected" : "confirmed";
  const payment = await payBankPayment(world, paymentByPage(world, context.req.param("page") ?? ""), outcome);
  const next = outcome === "confirmed" ? payment.success_url : payment.fail_url;
  if (typeof next === "string") return context.redirect(next, 303);
  const title = outcome === "confirmed" ? "Спасибо, оплата прошла" : "Оплата не прошла";
  return context.html(page(title, html`<h1>${title}</h1><p class="note">Order <code>${payment.order_id}</code></p>`));
}
