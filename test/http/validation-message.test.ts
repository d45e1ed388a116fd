import { expect, it } from "vitest";
import { BANK, bankCart, CART, CODE, call, callV1, cart, LINK, LIST, link, promotion, ROTATE } from "../support/api.ts";

/** What a partner reads of a field that is off says what is wanted, in no library's words. */
// interface 9.6
it.each([
  [CART, cart({ items: [] }), "items: must have at least 1 entry"],
  [
    CART,
    cart({ items: Array.from({ length: 21 }, (_, at) => ({ stripe_product_id: `prod_${at}`, unit_amount: 50, quantity: 1 })) }),
    "items: must have at most 20 entries",
  ],
  [CART, cart({ items: [{ stripe_product_id: "prod_a", unit_amount: 49, quantity: 1 }] }), "items[0].unit_amount: must be at least 50"],
  [CART, cart({ items: [{ stripe_product_id: "prod_a", unit_amount: 50, quantity: 1000 }] }), "items[0].quantity: must be at most 999"],
  [
    CART,
    cart({ items: [{ stripe_product_id: "prod_a", unit_amount: 50, quantity: 1.5 }] }),
    "items[0].quantity: must be an integer, not number",
  ],
  [CART, cart({ currency: "BRL" }), "currency: must be one of USD, EUR, GBP"],
  [CART, cart({ allow_promotion_codes: "yes" }), "allow_promotion_codes: must be a boolean, not string"],
  [CART, {}, "items: is missing: give an array"],
  [LIST, { limit: 101 }, "limit: must be an integer from 1 to 100"],
  [ROTATE, { environment: "prod", client_token: "a" }, "environment: must be live or test"],
  [BANK, bankCart({ items: [{ product_id: 1001, quantity: 0 }] }), "items[0].quantity: must be at least 1"],
  [BANK, bankCart({ description: "Cake" }), "description: is not accepted: the receipt always has the catalogue's names"],
  [LINK, link({ price: { unit_amount: 0 } }), "price.unit_amount: must be more than 0"],
  [LINK, link({ auth_mode: "oauth" }), "auth_mode: must be api_key"],
  [LINK, link({ price: { unit_amount: 1, currency: "RUB" } }), "price.currency: must be one of USD, EUR, GBP, BRL"],
  [CODE, promotion({ percent_off: 101 }), "percent_off: must be at most 100"],
  [CODE, promotion({ duration: "always" }), "duration: must be one of once, forever, repeating"],
] as const)("%s refuses %j with plain words", async (operation, body, message) => {
  const ask = operation === LINK || operation === CODE ? callV1 : call;
  expect((await ask(operation, body)).body.error_message).toBe(message);
});
