import { KEY } from "./bench-worker.ts";

/** A creation request of a partner; each token creates another object. */
export interface Creation {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: (token: string) => string;
}

const PLAIN = { "Content-Type": "application/json" };
const WITH_KEY = { ...PLAIN, "X-Partner-Api-Key": KEY };
const productId = (line: number) => `prod_acmeBulk${String(line + 1).padStart(2, "0")}`;

export const cart = (lines: number): Creation => ({
  name: `cart link of ${lines}`,
  path: "/create-partner-processor-cart-payment-link",
  headers: WITH_KEY,
  body: (token) =>
    JSON.stringify({
      items: Array.from({ length: lines }, (_, line) => ({ stripe_product_id: productId(line), unit_amount: 1000, quantity: 1 })),
      client_token: token,
    }),
});

export const link: Creation = {
  name: "link (operation 1)",
  path: "/webhook/payment-link-create",
  headers: PLAIN,
  body: (token) =>
    JSON.stringify({
      auth_mode: "api_key",
      api_key: KEY,
      stripe_product_id: "prod_acmeTestUsd1",
      price: { unit_amount: 2500 },
      idempotency_key: token,
    }),
};

export const promotionCode: Creation = {
  name: "promotion code (operation 2)",
  path: "/webhook/promotion-code-create",
  headers: PLAIN,
  body: (token) =>
    JSON.stringify({
      api_key: KEY,
      stripe_product_ids: ["prod_acmeTestUsd1", "prod_acmeTestUsd2"],
      code: `code-${token}`,
      percent_off: 20,
      idempotency_key: token,
    }),
};

export const rublePayment: Creation = {
  name: "ruble payment (operation 9)",
  path: "/create-partner-bank-cart-payment",
  headers: WITH_KEY,
  body: (token) =>
    JSON.stringify({
      items: [
        { product_id: 1001, quantity: 1 },
        { product_id: 1002, quantity: 2 },
      ],
      customer_email: "buyer@example.com",
      environment: "test",
      client_token: token,
    }),
};

/** All compared creations. */
export const creations: readonly Creation[] = [cart(1), cart(20), link, promotionCode, rublePayment];
