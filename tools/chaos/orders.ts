import type { Answers } from "./auditor/answers.ts";
import type { History } from "./history.ts";
import type { Partner } from "./partners.ts";
import type { Random } from "./random.ts";
import type { ChaosSystem } from "./system.ts";

/** An order that a partner wants created exactly once, and the answers to it. */
export interface Order {
  readonly partner: Partner;
  readonly kind: "cart" | "link" | "code" | "bank";
  readonly path: string;
  readonly token: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The ordered lines: unit amount in minor units, and quantity. */
  readonly lines: readonly (readonly [unitAmount: number, quantity: number])[];
  /** The created ids, one for each successful answer. They must all be equal. */
  readonly made: string[];
  /** Where a customer pays: a short URL, or the bank's order id. */
  payAt: string | null;
}

/** Milliseconds that a partner waits for an answer. */
const ANSWER_TIMEOUT = 60_000;

/** The share of orders of live data. */
const LIVE = 0.4;

const PATHS = {
  cart: "/create-partner-processor-cart-payment-link",
  link: "/webhook/payment-link-create",
  code: "/webhook/promotion-code-create",
  bank: "/create-partner-bank-cart-payment",
} as const;

/** A new order of random kind and content. */
export function newOrder(random: Random, partner: Partner, token: string): Order {
  const kind = random.weighted([
    [6, "cart"],
    [3, "link"],
    [1, "code"],
    [2, "bank"],
  ] as const);
  const body = bodyOf(kind, random, partner, token);
  return { partner, kind, path: PATHS[kind], token, body, lines: linesOf(kind, body), made: [], payAt: null };
}

function linesOf(kind: Order["kind"], body: Readonly<Record<string, unknown>>): Order["lines"] {
  if (kind === "link") return [[(body.price as { readonly unit_amount: number }).unit_amount, 1]];
  if (kind !== "cart") return [];
  return (body.items as readonly { readonly unit_amount: number; readonly quantity: number }[]).map(({ unit_amount, quantity }) => [
    unit_amount,
    quantity,
  ]);
}

function bodyOf(kind: Order["kind"], random: Random, partner: Partner, token: string): Record<string, unknown> {
  const unit_amount = 2 * random.between(50, 5_000);
  const environment = random.happens(LIVE) ? "live" : "test";
  const { oneTime, monthly } = partner.products[environment];
  switch (kind) {
    case "cart": {
      const products = random.happens(0.2) ? [monthly] : oneTime.slice(0, random.between(1, 2));
      const items = products.map((stripe_product_id) => ({ stripe_product_id, unit_amount, quantity: random.between(1, 3) }));
      return { items, client_token: token };
    }
    case "link":
      return {
        api_key: partner.key,
        auth_mode: "api_key",
        stripe_product_id: oneTime[0],
        price: { unit_amount },
        idempotency_key: token,
      };
    case "code":
      return { stripe_product_ids: oneTime, code: token, percent_off: random.between(1, 90), idempotency_key: token };
    case "bank":
      return {
        items: [{ product_id: partner.ruble, quantity: random.between(1, 5) }],
        customer_email: `${token}@buyers.example`,
        environment,
        client_token: token,
      };
  }
}

/**
 * Sends an order once. `cutAfter`: milliseconds after which the partner hangs up. `other`: with other content, which
 * must be refused if the token is used already.
 */
export async function sendOrder(
  system: ChaosSystem,
  history: History,
  answers: Answers,
  order: Order,
  { cutAfter, other = false }: { readonly cutAfter: number | null; readonly other?: boolean },
): Promise<void> {
  const body = other ? { ...order.body, ...otherContent(order) } : order.body;
  const about = [order.token, order.partner.id];
  const what = other ? `${order.kind}, with another content` : order.kind;
  let status: number;
  let text: string;
  try {
    const response = await fetch(system.edge + order.path, {
      method: "POST",
      headers: { "X-Partner-Api-Key": order.partner.key, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(cutAfter ?? ANSWER_TIMEOUT),
    });
    status = response.status;
    text = await response.text();
  } catch (thrown) {
    history.note("partner", what, about, `no answer: ${thrown instanceof Error ? thrown.name : "unknown"}`);
    return;
  }
  const answer = answers.check(order.path, status, text, order.token);
  const id = answer?.success === true ? idOf(order, answer) : null;
  history.note("partner", what, [...about, id ?? undefined], outcomeOf(answer));
  if (id === null || answer === null) return;
  if (other) answers.add("a token stands for one content", `another content under ${order.token} was carried out as ${id}`, order.token);
  else {
    order.made.push(id);
    order.payAt = payAtOf(order, answer);
  }
}

function otherContent(order: Order): object {
  switch (order.kind) {
    case "cart":
      return { items: [{ stripe_product_id: order.partner.products.test.oneTime[0], unit_amount: 12_345, quantity: 1 }] };
    case "link":
      return { price: { unit_amount: 12_345 } };
    case "code":
      return { percent_off: 99 };
    case "bank":
      return { items: [{ product_id: order.partner.ruble, quantity: 9 }] };
  }
}

function idOf({ kind }: Order, answer: Readonly<Record<string, unknown>>): string {
  const field = { cart: "payment_link_id", link: "processor_payment_link_id", code: "stripe_promotion_code_id", bank: "payment_id" }[kind];
  return String(answer[field]);
}

function payAtOf({ kind }: Order, answer: Readonly<Record<string, unknown>>): string | null {
  if (kind === "code") return null;
  return String(kind === "bank" ? answer.order_id : answer.short_url);
}

function outcomeOf(answer: Readonly<Record<string, unknown>> | null): string {
  if (answer === null) return "an answer that is none";
  if (answer.success === true) return "success";
  const code = answer.error_code ?? answer.error;
  return typeof code === "string" ? code : "failure";
}
