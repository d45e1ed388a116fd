import { describe, expect, it } from "vitest";
import type { CardProduct } from "../../src/catalogue/card-products.ts";
import { checkProductLink, contentsOfProductLink, type ProductLinkRequest, planProductLink } from "../../src/links/product-link.ts";
import { failureOf } from "../support/failure.ts";

const product = {
  processorProductId: "prod_1",
  partnerId: "acme",
  environment: "live",
  name: "One",
  currency: "USD",
  paymentMethodTypes: null,
  type: "one_time",
} as CardProduct;
const every = (interval: string) => ({ ...product, type: "subscription", interval, intervalCount: 3 }) as CardProduct;

const request = (overrides: Partial<ProductLinkRequest> = {}): ProductLinkRequest => ({
  productId: "prod_1",
  unitAmount: 990,
  currency: undefined,
  intervalCount: 2,
  trialDays: 14,
  paymentMethodTypes: undefined,
  allowPromotionCodes: false,
  successUrl: undefined,
  quantity: 1,
  ...overrides,
});

describe("a plan", () => {
  it("inherits the currency, and ignores the terms of a subscription for a one-time product (interface 1.1, 1.3)", () => {
    expect(planProductLink(request(), product)).toEqual({
      environment: "live",
      currency: "USD",
      currencySource: "inherited",
      recurring: null,
      trialDays: 0,
      items: [{ productId: "prod_1", name: "One", unitAmount: 990, quantity: 1 }],
      paymentMethodTypes: ["card", "link"],
      defaultPaymentMethodTypes: ["card", "link"],
      allowPromotionCodes: false,
      successUrl: null,
    });
  });

  it("takes the interval's unit from the product and its count from the request", () => {
    expect(planProductLink(request(), every("month"))).toMatchObject({
      recurring: { interval: "month", intervalCount: 2 },
      trialDays: 14,
    });
  });

  it("is overridden by a currency that is given, equal or not (interface 1.6)", () => {
    expect(planProductLink(request({ currency: "USD" }), product)).toMatchObject({ currency: "USD", currencySource: "overridden" });
    expect(planProductLink(request({ currency: "EUR" }), product)).toMatchObject({ currency: "EUR", currencySource: "overridden" });
  });

  it("takes each method once, and checks it against the currency that counts", () => {
    const methods = ["sepa_debit", "card", "card"];
    expect(planProductLink(request({ currency: "EUR", paymentMethodTypes: methods }), product).paymentMethodTypes).toEqual([
      "sepa_debit",
      "card",
    ]);
    expect(failureOf(() => planProductLink(request({ paymentMethodTypes: methods }), product))).toMatchObject({
      kind: "invalid_input",
      field: "paymentMethodTypes[0]",
    });
  });

  it("uses the methods of the product where the request names none (interface L.10)", () => {
    const own = { ...product, paymentMethodTypes: ["klarna", "card"] };
    expect(planProductLink(request(), own)).toMatchObject({
      paymentMethodTypes: ["klarna", "card"],
      defaultPaymentMethodTypes: ["klarna", "card"],
    });
  });

  it.each([
    ["day", 1095],
    ["week", 156],
    ["month", 36],
    ["year", 3],
  ])("bills by the %s at most every %i", (interval, most) => {
    expect(failureOf(() => planProductLink(request({ intervalCount: most }), every(interval)))).toBeNull();
    expect(failureOf(() => planProductLink(request({ intervalCount: most + 1 }), every(interval)))).toMatchObject({
      field: "intervalCount",
      message: expect.stringContaining(String(most)),
    });
  });
});

it("refuses a method that the request's own currency does not know (interface L.7)", () => {
  const check = (overrides: Partial<ProductLinkRequest>) =>
    failureOf(() => checkProductLink(request({ paymentMethodTypes: ["pix"], ...overrides })));
  expect(check({ currency: "USD" })).toMatchObject({ kind: "invalid_input", field: "paymentMethodTypes[0]" });
  expect([check({ currency: "BRL" }), check({ currency: undefined })]).toEqual([null, null]);
});

describe("two requests are the same (interface F.12)", () => {
  const contents = (overrides: Partial<ProductLinkRequest> = {}, productCurrency: string | null = "USD") =>
    contentsOfProductLink(request(overrides), productCurrency).map((content) => JSON.stringify(content));
  const content = (overrides: Partial<ProductLinkRequest> = {}) => contents(overrides)[0];

  it("whatever the order of methods", () => {
    expect(content({ paymentMethodTypes: ["klarna", "card"] })).toBe(content({ paymentMethodTypes: ["card", "klarna"] }));
  });

  it("only in the same effective currency, unless the request names one (interface F.3)", () => {
    expect(contents({}, "EUR")).not.toEqual(contents({}, "USD"));
    expect(contents({ currency: "GBP" }, "EUR")).toEqual(contents({ currency: "GBP" }, "USD"));
  });

  it("in whatever currency, where the product cannot be read", () => {
    const all = contents({}, null);
    expect(all).toHaveLength(4);
    for (const currency of ["USD", "EUR", "GBP", "BRL"]) expect(all).toContain(contents({}, currency)[0]);
    expect(contents({ currency: "GBP" }, null)).toEqual(contents({ currency: "GBP" }, "USD"));
  });

  it.each<[string, Partial<ProductLinkRequest>]>([
    ["product", { productId: "prod_2" }],
    ["price", { unitAmount: 991 }],
    ["quantity", { quantity: 2 }],
    ["currency", { currency: "EUR" }],
    ["wish for the same currency", { currency: "USD" }],
    ["count of intervals", { intervalCount: 3 }],
    ["trial", { trialDays: 15 }],
    ["set of methods", { paymentMethodTypes: ["card"] }],
    ["wish for promotion codes", { allowPromotionCodes: true }],
    ["address afterwards", { successUrl: "https://a.example" }],
  ])("but not with another %s", (_what, overrides) => {
    expect(content(overrides)).not.toBe(content());
  });
});

it("the content has the currency and the address that are asked for, and null without them", () => {
  const [asked] = contentsOfProductLink(request({ currency: "EUR", successUrl: "https://a.example" }), "USD");
  expect(asked).toMatchObject({ currency: "EUR", effectiveCurrency: "EUR", successUrl: "https://a.example" });
  expect(contentsOfProductLink(request(), "USD")[0]).toMatchObject({ currency: null, effectiveCurrency: "USD", successUrl: null });
});

it("a total that is out of range is refused at the price", () => {
  expect(failureOf(() => planProductLink(request({ unitAmount: 99_999_999, quantity: 99 }), product))).toMatchObject({
    kind: "invalid_input",
    field: "unitAmount",
  });
});
