import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { pay } from "../processor/checkout.ts";
import { discountOf } from "../processor/discounts.ts";
import { ProcessorError } from "../processor/failure.ts";
import { getPaymentLink } from "../processor/first-link.ts";
import { totalOf } from "../processor/links.ts";
import type { ProcessorObject } from "../state.ts";
import { UnknownObject, type World } from "../world.ts";
import { outcomePage, paymentPage, sentencePage } from "./customer.ts";
import { price } from "./layout.ts";
import { shopOf } from "./orders.ts";
import { words } from "./tables.ts";
import { textsFor } from "./texts.ts";

const OUTCOMES = ["succeeded", "pending", "failed"] as const;

/** `/checkout/<payment link>`: the hosted page on which a customer pays. */
export function checkoutPages(world: World): Hono {
  const app = new Hono();
  app.onError((thrown, context) => {
    const { say } = textsFor(context);
    if (thrown instanceof ProcessorError) return context.html(sentencePage(context, say.outcomes.failed, thrown.message), 400);
    if (!(thrown instanceof UnknownObject)) throw thrown;
    return context.html(sentencePage(context, say.noLink, say.wasReset), 404);
  });

  app.get("/:link", (context) => {
    const link = getPaymentLink(world, context.req.param("link"));
    const { say } = textsFor(context);
    if (link.active !== true) return context.html(sentencePage(context, say.inactive, ""));
    return context.html(checkout(world, context, link));
  });

  app.post("/:link", async (context) => {
    const link = getPaymentLink(world, context.req.param("link"));
    const form = await context.req.parseBody();
    const field = (name: string) => (typeof form[name] === "string" && form[name] !== "" ? form[name] : null);
    const outcome = OUTCOMES.find((candidate) => candidate === form.outcome) ?? "succeeded";
    const paid = await pay(world, link.id, {
      client_reference_id: field("client_reference_id") ?? context.req.query("client_reference_id"),
      email: field("email"),
      method: field("method"),
      promotion_code: field("promotion_code"),
      outcome,
    });
    const completion = link.after_completion as { type: string; redirect?: { url: string } };
    // If nothing is due, nothing can be declined.
    const became = paid.payment_intent === null ? "succeeded" : outcome;
    if (became !== "failed" && completion.redirect !== undefined) {
      return context.redirect(completion.redirect.url.replaceAll("{CHECKOUT_SESSION_ID}", paid.checkout_session), 303);
    }
    return context.html(outcomePage(context, became, paid.payment_intent ?? paid.subscription ?? paid.checkout_session));
  });
  return app;
}

function checkout(world: World, context: Context, link: ProcessorObject) {
  const { say } = textsFor(context);
  const { client_reference_id: reference = "", prefilled_email: email = "", prefilled_promo_code: code = "" } = context.req.query();
  const { off, refusal } = discounted(world, link, code);
  const lines = world.state.lines[link.id] ?? [];
  const period = (lines[0]?.price as { recurring?: { interval: string; interval_count: number } | null } | undefined)?.recurring;
  const total = totalOf(world, link.id) - off;
  const order = {
    shop: shopOf(link),
    lines: lines.map((line) => ({ name: words(line.description), quantity: line.quantity, amount: Number(line.amount_total) })),
    currency: String(link.currency),
    total,
    off,
    ...(period ? { period: say.every(period.interval_count, period.interval) } : {}),
  };
  const enterCode = html`<form method="get" class="code">
    <input type="hidden" name="client_reference_id" value="${reference}"><input type="hidden" name="prefilled_email" value="${email}">
    <label>${say.code} <input name="prefilled_promo_code" value="${code}" autocomplete="off"></label> <button>${say.apply}</button>
    ${refusal === null ? "" : html`<p class="bad" role="alert">${refusal}</p>`}
  </form>`;
  const form = html`${link.allow_promotion_codes === true ? enterCode : ""}
  <form method="post">
    <input type="hidden" name="client_reference_id" value="${reference}">
    <input type="hidden" name="promotion_code" value="${refusal === null ? code : ""}">
    <label>${say.email} <input type="email" name="email" required autocomplete="email" value="${email || "customer@example.com"}"></label>
    <label>${say.method} <select name="method">${(link.payment_method_types as string[]).map((method) => html`<option>${method}</option>`)}</select></label>
    <button class="main" name="outcome" value="succeeded">${say.pay} ${price(total, link.currency)}</button>
    <div class="buttons"><button name="outcome" value="pending">${say.slowly}</button>
    <button name="outcome" value="failed">${say.decline}</button></div>
  </form>`;
  return paymentPage(context, say.card, order, form);
}

/** The discount of the customer's code, or the reason why there is none. */
function discounted(world: World, link: ProcessorObject, code: string): { off: number; refusal: string | null } {
  if (code === "") return { off: 0, refusal: null };
  try {
    return { off: discountOf(world, link, code).off, refusal: null };
  } catch (thrown) {
    if (!(thrown instanceof ProcessorError)) throw thrown;
    return { off: 0, refusal: thrown.message };
  }
}
