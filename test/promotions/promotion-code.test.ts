import { describe, expect, it } from "vitest";
import type { CardProduct } from "../../src/catalogue/card-products.ts";
import {
  checkDuration,
  checkExpiry,
  contentOfPromotion,
  type PromotionCodeRequest,
  planPromotion,
  previewOfPromotion,
} from "../../src/promotions/promotion-code.ts";
import { failureOf } from "../support/failure.ts";

const product = (environment: "live" | "test") =>
  ({
    processorProductId: "prod_1",
    partnerId: "acme",
    environment,
    name: "",
    currency: "USD",
    paymentMethodTypes: null,
    type: "one_time",
  }) as CardProduct;

const request = (overrides: Partial<PromotionCodeRequest> = {}): PromotionCodeRequest => ({
  productIds: ["prod_2", "prod_1"],
  code: "SPRING",
  percentOff: 15,
  duration: "once",
  durationInMonths: undefined,
  maxRedemptions: undefined,
  expiresAt: undefined,
  source: "api",
  ...overrides,
});
const tests = [product("test"), product("test")];

it("has months with repeating, and with nothing else (interface 2.4)", () => {
  expect(failureOf(() => checkDuration(request({ duration: "repeating", durationInMonths: 3 })))).toBeNull();
  for (const duration of ["once", "forever"] as const) {
    expect(failureOf(() => checkDuration(request({ duration })))).toBeNull();
    expect(failureOf(() => checkDuration(request({ duration, durationInMonths: 1 })))).toMatchObject({
      field: "durationInMonths",
      message: expect.stringContaining(`not with ${duration}`),
    });
  }
  expect(failureOf(() => checkDuration(request({ duration: "repeating" })))).toMatchObject({
    field: "durationInMonths",
    message: "is required with the duration repeating",
  });
});

it("ends at least 60 seconds from now (interface 2.6)", () => {
  const check = (expiresAt: number | undefined, now: number) => failureOf(() => checkExpiry(request({ expiresAt }), now));
  expect([check(undefined, 0), check(61_000, 1_000)]).toEqual([null, null]);
  expect(check(60_999, 1_000)).toEqual({
    kind: "invalid_input",
    field: "expiresAt",
    message: "must be at least 60 seconds in the future",
  });
});

describe("a plan", () => {
  it("has each product once, whole seconds, and null for what is left out", () => {
    const asked = { productIds: ["prod_2", "prod_1", "prod_2"], expiresAt: 61_999, maxRedemptions: 5 };
    expect(planPromotion(request(asked), [...tests, product("test")])).toEqual({
      environment: "test",
      productIds: ["prod_2", "prod_1"],
      code: "SPRING",
      percentOff: 15,
      duration: "once",
      durationInMonths: null,
      maxRedemptions: 5,
      expiresAt: 61_000,
      source: "api",
    });
    expect(planPromotion(request(), tests)).toMatchObject({ maxRedemptions: null, expiresAt: null });
  });

  it("refuses products of both environments, and names the first that differs (interface 2.1)", () => {
    expect(failureOf(() => planPromotion(request(), [product("live"), product("test")]))).toEqual({
      kind: "mixed_environment",
      productId: "prod_1",
      field: "productIds[1]",
    });
    expect(failureOf(() => planPromotion(request({ productIds: [] }), []))).toMatchObject({ field: "productIds" });
  });
});

describe("two requests are the same", () => {
  const content = (overrides: Partial<PromotionCodeRequest> = {}) => JSON.stringify(contentOfPromotion(request(overrides)));

  it("whatever the order of products, and whether a program or an agent asks", () => {
    expect(content({ productIds: ["prod_1", "prod_2"], source: "mcp" })).toBe(content());
  });

  it.each<[string, Partial<PromotionCodeRequest>]>([
    ["set of products", { productIds: ["prod_1"] }],
    ["text", { code: "SUMMER" }],
    ["percentage", { percentOff: 16 }],
    ["duration", { duration: "forever" }],
    ["number of months", { duration: "once", durationInMonths: 2 }],
    ["number of redemptions", { maxRedemptions: 1 }],
    ["end", { expiresAt: 99_000 }],
  ])("but not with another %s", (_what, overrides) => {
    expect(content(overrides)).not.toBe(content());
  });
});

describe("a preview", () => {
  const preview = (overrides: Partial<PromotionCodeRequest>) => previewOfPromotion(planPromotion(request(overrides), tests));
  const HOUR = 3_600_000;

  it("has the terms of the code, its environment and its products", () => {
    expect(preview({ maxRedemptions: 5, expiresAt: HOUR })).toMatchObject({
      kind: "promotion_code",
      environments: ["test"],
      discount: {
        code: "SPRING",
        percentOff: 15,
        duration: "once",
        durationInMonths: null,
        maxRedemptions: 5,
        expiresAt: HOUR,
        productIds: ["prod_2", "prod_1"],
      },
      warnings: [],
    });
  });

  it.each([
    [{ maxRedemptions: 5 }, []],
    [{ expiresAt: HOUR }, []],
    [{}, ["code_without_end"]],
    [{ percentOff: 100, expiresAt: HOUR }, ["everything_free"]],
    [{ percentOff: 99, expiresAt: HOUR }, []],
    [{ percentOff: 100 }, ["everything_free", "code_without_end"]],
  ])("of %j warns of %j", (terms, warnings) => {
    expect(preview(terms).warnings.map(({ code }) => code)).toEqual(warnings);
  });
});
