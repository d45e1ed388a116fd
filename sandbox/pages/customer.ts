import type { Context } from "hono";
import { html } from "hono/html";
import { page, price } from "./layout.ts";
import type { Cell } from "./tables.ts";
import { textsFor } from "./texts.ts";

interface Line {
  readonly name: string;
  readonly quantity: unknown;
  readonly amount: number;
}

interface Order {
  /** The seller. */
  readonly shop: string;
  readonly lines: readonly Line[];
  readonly currency: string;
  readonly total: number;
  /** Text after the total, such as the period of a subscription. */
  readonly period?: string;
  readonly off?: number;
}

/** A payment page: the order on one side, the form on the other. */
export function paymentPage(context: Context, title: string, order: Order, form: Cell): Cell {
  const { language, say } = textsFor(context);
  const summary = html`<section class="order" aria-label="${say.order}">
  <p class="shop">${order.shop}</p>
  <p class="sum">${price(order.total, order.currency)} <small>${order.period ?? ""}</small></p>
  ${order.lines.map(({ name, quantity, amount }) => html`<div class="line"><span>${name} × ${quantity}</span><span>${price(amount, order.currency)}</span></div>`)}
  ${order.off ? html`<div class="line good"><span>${say.discount}</span><span>−${price(order.off, order.currency)}</span></div>` : ""}
  <div class="line total"><span>${say.total}</span><span>${price(order.total, order.currency)}</span></div>
</section>`;
  const content = html`<div class="checkout">${summary}<section class="pay"><h1>${title}</h1>${form}
<p class="note">${say.secure}. ${say.noMoney}</p></section></div>`;
  return page(`${title} · ${order.shop}`, content, "customer", language);
}

/** The page after paying: after a refusal it links to another try, and always to the order in the sandbox. */
export function outcomePage(context: Context, outcome: "succeeded" | "pending" | "failed", about: string): Cell {
  const { language, say } = textsFor(context);
  const mark = { succeeded: "✓", pending: "…", failed: "✕" }[outcome];
  const content = html`<div class="outcome"><p class="mark ${outcome}" aria-hidden="true">${mark}</p><h1>${say.outcomes[outcome]}</h1>
<p>${say.details[outcome]}</p>
${outcome === "failed" ? html`<p><a class="main" href="">${say.again}</a></p>` : ""}
<p><a href="/">${say.toSandbox}</a></p>
<p class="note"><code>${about}</code></p></div>`;
  return page(say.outcomes[outcome], content, "narrow", language);
}

/** A page with one sentence, such as that the link does not exist. */
export function sentencePage(context: Context, title: string, sentence: string): Cell {
  const { language, say } = textsFor(context);
  return page(
    title,
    html`<div class="outcome"><h1>${title}</h1><p>${sentence}</p><p><a href="/">${say.toSandbox}</a></p></div>`,
    "narrow",
    language,
  );
}
