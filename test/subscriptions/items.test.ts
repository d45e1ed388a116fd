import { describe, expect, it } from "vitest";
import { isPaying, monthlyOf, nameOf, priceOf, pricesIn, storedPrices, yearlyOf } from "../../src/subscriptions/items.ts";

const item = (unitAmount: number | null, quantity = 1, priceId = "price_1") => ({ priceId, productId: "prod_1", quantity, unitAmount });

describe("what a subscription costs", () => {
  it("is the sum of its items, each as often as it is subscribed to", () => {
    expect(priceOf([item(900, 2), item(150, 3)])).toBe(2_250);
    expect(priceOf([item(0)])).toBe(0);
  });

  it("is not known where the amount of an item is not, and for no items", () => {
    expect([priceOf([item(900), item(null)]), priceOf([])]).toEqual([null, null]);
  });

  it("stays as it was stored, in whatever order its items come", () => {
    const items = [item(900, 2, "price_2"), item(null, 1, "price_1")];
    expect(storedPrices(items)).toBe(storedPrices(items.toReversed()));
    expect(pricesIn(storedPrices(items))).toEqual(items.toReversed());
    expect(storedPrices([item(900, 2)])).not.toBe(storedPrices([item(900, 3)]));
  });
});

it("an item is called as the link of its price named it, or else one of its product", () => {
  const names = new Map<string, string | null>([
    ["prod_1", "Course"],
    ["price_1", "Course A"],
    ["price_2", null],
  ]);
  expect(["price_1", "price_2", "price_3"].map((price) => nameOf(item(1, 1, price), names))).toEqual(["Course A", "Course", "Course"]);
  expect(nameOf({ ...item(1), productId: "prod_2", priceId: "price_2" }, names)).toBeNull();
});

describe("what a subscription brings", () => {
  it.each([
    ["day", 1, 365_000],
    ["week", 1, 52_000],
    ["week", 2, 26_000],
    ["month", 1, 12_000],
    ["month", 3, 4_000],
    ["year", 1, 1_000],
  ])("every %s of %i in a year", (interval, count, yearly) => {
    expect(yearlyOf(1_000, interval, count)).toBe(yearly);
  });

  it("is not known without a period", () => {
    expect([yearlyOf(1_000, null, 1), yearlyOf(1_000, "month", null), yearlyOf(1_000, "decade", 1)]).toEqual([null, null, null]);
  });

  it("in a month is a twelfth, to the nearest minor unit", () => {
    expect([monthlyOf(12_000), monthlyOf(17), monthlyOf(18), monthlyOf(5)]).toEqual([1_000, 1, 2, 0]);
  });

  it("is money while it is active or past due, and not in a trial or after its end", () => {
    const statuses = ["active", "past_due", "trialing", "unpaid", "paused", "incomplete", "canceled"];
    expect(statuses.filter((status) => isPaying({ status }))).toEqual(["active", "past_due"]);
  });
});
