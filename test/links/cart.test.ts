import { describe, expect, it } from "vitest";
import type { CardProduct } from "../../src/catalogue/card-products.ts";
import { type CartRequest, checkCart, contentOfCart, planCart } from "../../src/links/cart.ts";
import { failureOf } from "../support/failure.ts";

const oneTime = (overrides: object = {}) =>
  ({
    processorProductId: "prod_1",
    partnerId: "acme",
    environment: "test",
    name: "One",
    currency: "USD",
    paymentMethodTypes: null,
    type: "one_time",
    ...overrides,
  }) as CardProduct;
const monthly = (overrides: object = {}) => oneTime({ type: "subscription", interval: "month", intervalCount: 1, ...overrides });

const request = (overrides: Partial<CartRequest> = {}): CartRequest => ({
  items: [
    { productId: "prod_1", unitAmount: 1900, quantity: 1 },
    { productId: "prod_2", unitAmount: 2900, quantity: 2 },
  ],
  currency: undefined,
  paymentMethodTypes: undefined,
  allowPromotionCodes: false,
  successUrl: undefined,
  ...overrides,
});
const two = [oneTime(), oneTime({ processorProductId: "prod_2" })];

describe("a plan", () => {
  // interface 8.4, 8.5
  it("takes environment, currency and period from the products (interface 8.4, 8.5)", () => {
    expect(planCart(request(), two)).toEqual({
      environment: "test",
      currency: "USD",
      recurring: null,
      trialDays: 0,
      // With the names that the products have now.
      items: request().items.map((item) => ({ ...item, name: "One" })),
      paymentMethodTypes: ["card", "link"],
      defaultPaymentMethodTypes: ["card", "link"],
      allowPromotionCodes: false,
      successUrl: null,
    });
    const quarterly = [monthly({ intervalCount: 3 }), monthly({ processorProductId: "prod_2", intervalCount: 3 })];
    expect(planCart(request(), quarterly)).toMatchObject({ recurring: { interval: "month", intervalCount: 3 }, trialDays: 0 });
  });

  it("takes what is asked for: methods once each, promotion codes, the address afterwards", () => {
    const asked = { paymentMethodTypes: ["klarna", "card", "klarna"], allowPromotionCodes: true, successUrl: "https://a.example" };
    expect(planCart(request(asked), two)).toMatchObject({
      paymentMethodTypes: ["klarna", "card"],
      defaultPaymentMethodTypes: ["card", "link"],
      allowPromotionCodes: true,
      successUrl: "https://a.example",
    });
    expect(planCart(request({ currency: "USD" }), two).currency).toBe("USD");
  });
});

// interface 8.3
it.each<[string, Partial<CartRequest>, CardProduct[], string, string]>([
  ["no items", { items: [] }, [], "items", "at least one"],
  ["live and test", {}, [oneTime(), oneTime({ environment: "live" })], "items[1].productId", "live and test products"],
  ["one-time and subscription", {}, [oneTime(), monthly()], "items[1].productId", "one-time products and subscriptions"],
  ["two currencies", {}, [oneTime(), oneTime({ currency: "EUR" })], "items[1].productId", "currencies"],
  ["two intervals", {}, [monthly(), monthly({ interval: "year" })], "items[1].productId", "subscription periods"],
  ["two counts of one interval", {}, [monthly(), monthly({ intervalCount: 3 })], "items[1].productId", "periods"],
  ["reals", {}, [oneTime({ currency: "BRL" }), oneTime({ currency: "BRL" })], "items[0].productId", "USD, EUR or GBP"],
  ["another currency than the products'", { currency: "EUR" }, two, "currency", "in USD, so the cart cannot be in EUR"],
  ["a method of another currency", { paymentMethodTypes: ["card", "sepa_debit"] }, two, "paymentMethodTypes[1]", "sepa_debit"],
])("refuses %s (interface 8.3), and names the field and why", (_what, overrides, products, field, why) => {
  const message = expect.stringContaining(why);
  expect(failureOf(() => planCart(request(overrides), products))).toMatchObject({ kind: "invalid_input", field, message });
});

describe("what the request alone decides", () => {
  it("is a method that its own currency does not know (interface L.7)", () => {
    const check = (overrides: Partial<CartRequest>) =>
      failureOf(() => checkCart(request({ paymentMethodTypes: ["card", "sepa_debit"], ...overrides })));
    expect(check({ currency: "USD" })).toMatchObject({ kind: "invalid_input", field: "paymentMethodTypes[1]" });
    expect([check({ currency: "EUR" }), check({ currency: undefined })]).toEqual([null, null]);
  });
});

// interface 8.6
describe("two carts are the same request (interface 8.6)", () => {
  const content = (overrides: Partial<CartRequest> = {}) => JSON.stringify(contentOfCart(request(overrides)));
  const base = content({ paymentMethodTypes: ["card", "klarna"] });

  it("whatever the order of items and methods", () => {
    expect(content({ items: request().items.toReversed(), paymentMethodTypes: ["klarna", "card"] })).toBe(base);
    expect(content({ paymentMethodTypes: ["card", "klarna", "card"] })).toBe(base);
  });

  it.each<[string, Partial<CartRequest>]>([
    ["product", { items: request().items.with(1, { productId: "prod_3", unitAmount: 2900, quantity: 2 }) }],
    ["price", { items: request().items.with(1, { productId: "prod_2", unitAmount: 2901, quantity: 2 }) }],
    ["quantity", { items: request().items.with(1, { productId: "prod_2", unitAmount: 2900, quantity: 3 }) }],
    ["set of methods", { paymentMethodTypes: ["card"] }],
    ["wish for promotion codes", { allowPromotionCodes: true }],
    ["address afterwards", { successUrl: "https://a.example" }],
    ["wish for a currency", { currency: "USD" }],
    ["wish for methods", { paymentMethodTypes: undefined }],
  ])("but not with another %s", (_what, overrides) => {
    expect(content({ paymentMethodTypes: ["card", "klarna"], ...overrides })).not.toBe(base);
  });
});

it("the content has the currency and the address that are asked for, and null without them", () => {
  expect(contentOfCart(request({ currency: "USD", successUrl: "https://a.example" }))).toMatchObject({
    currency: "USD",
    successUrl: "https://a.example",
  });
  expect(contentOfCart(request())).toMatchObject({ currency: null, successUrl: null, paymentMethodTypes: null });
});

it("a total that is out of range is one of the items", () => {
  const items = [{ productId: "prod_1", unitAmount: 99_999_999, quantity: 9 }];
  expect(failureOf(() => planCart(request({ items }), [oneTime()]))).toMatchObject({ kind: "invalid_input", field: "items" });
});
