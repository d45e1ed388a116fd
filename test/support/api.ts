import { exports } from "cloudflare:workers";
import * as z from "zod";
import type { Operation } from "../../src/http/operation.ts";
import { creations } from "../../src/http/v1/index.ts";
import { operations } from "../../src/http/v2/index.ts";
import type { Answer } from "./answer.ts";
import { noteChange } from "./audited.ts";
import { holdToContract } from "./contract.ts";
import { EDGE } from "./stack.ts";

export const keys = {
  acme: "a0000000-0000-4000-8000-000000000001",
  powerless: "a0000000-0000-4000-8000-000000000002",
  revoked: "a0000000-0000-4000-8000-000000000003",
  formerEmployee: "a0000000-0000-4000-8000-000000000004",
  globex: "b0000000-0000-4000-8000-000000000001",
  disabledPartner: "c0000000-0000-4000-8000-000000000001",
} as const;

const ONE_PERMISSION = ["product_create", "balance_view", "products_view", "payment_read", "bank_payment", "webhook_config"] as const;

/** The key that carries this permission and no other. */
export function keyFor(permission: (typeof ONE_PERMISSION)[number]): string {
  return `a0000000-0000-4000-8000-0000000000${11 + ONE_PERMISSION.indexOf(permission)}`;
}

/** A raw request to the edge. Whatever is answered must be as the API description has it. */
export async function send(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await exports.default.fetch(new Request(`${EDGE}${path}`, { redirect: "manual", ...init }));
  const text = await response.text();
  const isJson = /^application\/(?:[\w.-]+\+)?json/.test(response.headers.get("Content-Type") ?? "");
  const answer = {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== "" ? (JSON.parse(text) as unknown) : text,
    text,
  };
  noteChange(path, init.method ?? "GET", answer);
  await holdToContract(path, init, answer);
  return answer;
}

/**
 * A call of a v2 operation, with a key in the header unless it is null. A success must be of the shape that the
 * operation itself declares, to the last field.
 */
export async function call(operation: string, body: unknown, key: string | null = keys.acme): Promise<Answer> {
  const answer = await send(`/${operation}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key === null ? {} : { "X-Partner-Api-Key": key }) },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return asDeclared(operations, operation, answer);
}

/** A call of one of the first generation's creations; the key stands in the body, unless it is null. */
export async function callV1(operation: string, body: object, key: string | null = keys.acme): Promise<Answer> {
  const answer = await send(`/webhook/${operation}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...(key === null ? {} : { api_key: key }), ...body }),
  });
  return asDeclared(creations, operation, answer);
}

function asDeclared(all: readonly Operation[], operation: string, answer: Answer): Answer {
  const declared = all.find(({ name }) => name === operation)?.output;
  if (answer.body.success === true)
    declared
      ?.extend({ success: z.literal(true) })
      .strict()
      .parse(answer.body);
  return answer;
}

export const CART = "create-partner-processor-cart-payment-link";
export const LINK = "payment-link-create";
export const CODE = "promotion-code-create";
export const LIST = "list-partner-processor-transactions";
export const PAYMENT = "get-partner-processor-payment";
export const LIVE_LINKS = "list-partner-live-processor-payment-links";
export const BANK = "create-partner-bank-cart-payment";
export const REGISTER = "register-partner-notifications-webhook";
export const ROTATE = "rotate-partner-webhook-secret";

/** A cart of test products that nothing else in the tests asks for, by default. */
export function cart(overrides: Record<string, unknown> = {}) {
  return {
    items: [
      { stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 },
      { stripe_product_id: "prod_acmeTestUsd2", unit_amount: 2900, quantity: 2 },
    ],
    client_token: crypto.randomUUID(),
    ...overrides,
  };
}

/** A ruble cart for the test terminals that nothing else in the tests asks for, by default. */
export function bankCart(overrides: Record<string, unknown> = {}) {
  return {
    items: [
      { product_id: 1001, quantity: 1 },
      { product_id: 1002, quantity: 2 },
    ],
    customer_email: "buyer@example.com",
    environment: "test",
    client_token: crypto.randomUUID(),
    ...overrides,
  };
}

/** A link for a test product under a key of its own, by default. */
export function link(overrides: Record<string, unknown> = {}) {
  return {
    auth_mode: "api_key",
    stripe_product_id: "prod_acmeTestUsd1",
    price: { unit_amount: 2500 },
    idempotency_key: crypto.randomUUID(),
    ...overrides,
  };
}

/** A promotion code for two test products, with a text and a key of its own, by default. */
export function promotion(overrides: Record<string, unknown> = {}) {
  return {
    stripe_product_ids: ["prod_acmeTestUsd1", "prod_acmeTestUsd2"],
    code: `code-${crypto.randomUUID()}`,
    percent_off: 20,
    idempotency_key: crypto.randomUUID(),
    ...overrides,
  };
}
