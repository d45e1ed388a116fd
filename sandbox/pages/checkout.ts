import { Hono } from "hono";
import { html } from "hono/html";
import { pay } from "../processor/checkout.ts";
import { getPaymentLink } from "../processor/first-link.ts";
import { totalOf } from "../processor/links.ts";
import { UnknownObject, type World } from "../world.ts";
import { page, price } from "./layout.ts";

const OUTCOMES = ["succeeded", "pending", "failed"] as const;

/** `/checkout/<payment link>`: the hosted page on which a customer pays. */
export function checkoutPages(world: World): Hono {
  const app = new Hono();
  app.onError((thrown, context) => {
    if (!(thrown instanceof UnknownObject)) throw thrown;
    return context.html(
      page("No such link", html`<h1>There is no such payment link</h1><p>The sandbox may have been reset since it was made.</p>`),
      404,
    );
  });

  app.get("/:link", (context) => {
    const link = getPaymentLink(world, context.req.param("link"));
    const { client_reference_id: reference = "", prefilled_email: email = "" } = context.req.query();
    const lines = world.state.lines[link.id] ?? [];
    const period = (lines[0]?.price as { recurring?: { interval: string; interval_count: number } | null } | undefined)?.recurring;
    const methods = link.payment_method_types as string[];
    return context.html(
      page(
        "Checkout",
        html`
<h1>Checkout</h1>
<p class="note">A sandbox: no money moves.${link.livemode ? "" : " Test environment."}</p>
<div class="stack">
  <div>
    ${lines.map((line) => html`<div class="line"><span>${line.description} × ${line.quantity}</span><span>${price(line.amount_total, line.currency)}</span></div>`)}
    <div class="line total">
      <span>Total${period ? ` every ${period.interval_count === 1 ? "" : `${period.interval_count} `}${period.interval}${period.interval_count === 1 ? "" : "s"}` : ""}</span>
      <span>${price(totalOf(world, link.id), link.currency)}</span>
    </div>
  </div>
  <form method="post">
    <input type="hidden" name="client_reference_id" value="${reference}">
    <label>E-mail <input type="email" name="email" required value="${email || "customer@example.com"}"></label>
    <label>Pay by <select name="method">${methods.map((method) => html`<option>${method}</option>`)}</select></label>
    <button class="main" name="outcome" value="succeeded">Pay ${price(totalOf(world, link.id), link.currency)}</button>
    <button name="outcome" value="pending">Pay by a method that takes days</button>
    <button name="outcome" value="failed">Have the payment declined</button>
  </form>
</div>`,
      ),
    );
  });

  app.post("/:link", async (context) => {
    const link = getPaymentLink(world, context.req.param("link"));
    const form = await context.req.parseBody();
    const field = (name: string) => (typeof form[name] === "string" ? form[name] : null);
    const outcome = OUTCOMES.find((candidate) => candidate === form.outcome) ?? "succeeded";
    const paid = await pay(world, link.id, {
      client_reference_id: field("client_reference_id"),
      email: field("email"),
      method: field("method"),
      outcome,
    });
    const completion = link.after_completion as { type: string; redirect?: { url: string } };
    if (outcome !== "failed" && completion.redirect !== undefined) {
      return context.redirect(completion.redirect.url.replaceAll("{CHECKOUT_SESSION_ID}", paid.checkout_session), 303);
    }
    const title = { succeeded: "Thank you, you have paid", pending: "Your payment is on its way", failed: "The payment was declined" }[
      outcome
    ];
    return context.html(
      page(title, html`<h1>${title}</h1><p class="note">Payment <code>${paid.payment_intent ?? paid.subscription}</code></p>`),
    );
  });
  return app;
}
