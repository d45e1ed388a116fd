import { describe, expect, it } from "vitest";
import { emptyProduct, faultsOfProduct, submissionOf, typedProduct } from "../../dashboard/src/products/submission.ts";
import { isOfCarts } from "../../dashboard/src/shared/cart-currencies.ts";

/** The form by which a partner submits a product. */

const typed = { ...emptyProduct, name: " Course ", amount: "1 234,50" };

describe("the form of a product", () => {
  it("sends a card product of its environment at the price in major units", () => {
    expect(submissionOf(typed, "test")).toStrictEqual({
      kind: "card",
      environment: "test",
      type: "one_time",
      name: "Course",
      currency: "USD",
      amount: 1234.5,
    });
    expect(submissionOf({ ...typed, description: " Ten evenings " }, "live")).toMatchObject({
      environment: "live",
      description: "Ten evenings",
    });
  });

  it("begins empty, with a dollar price that is paid once", () => {
    expect(emptyProduct).toStrictEqual({
      kind: "card",
      name: "",
      description: "",
      amount: "",
      currency: "USD",
      type: "one_time",
      interval: "month",
      count: "1",
      vat: "",
    });
    expect(submissionOf(emptyProduct, "live")).toMatchObject({ name: "", amount: 0 });
  });

  it("leaves out what has blanks alone", () => {
    expect(submissionOf({ ...typed, description: "  " }, "live")).not.toHaveProperty("description");
    expect(submissionOf({ ...typed, kind: "ruble", vat: "  " }, "live")).not.toHaveProperty("vat");
  });

  it("sends a period for a subscription alone", () => {
    const subscription = { ...typed, type: "subscription", interval: "year", count: "2" } as const;
    expect(submissionOf(subscription, "test")).toMatchObject({ type: "subscription", interval: "year", interval_count: 2 });
    expect(submissionOf({ ...subscription, type: "one_time" }, "test")).not.toHaveProperty("interval");
    expect(submissionOf({ ...subscription, count: "" }, "test")).toMatchObject({ interval_count: 1 });
  });

  it("sends a ruble product without what it has not, and with its VAT if it is said", () => {
    const ruble = { ...typed, kind: "ruble", currency: "EUR", description: "x" } as const;
    expect(submissionOf(ruble, "live")).toStrictEqual({ kind: "ruble", name: "Course", amount: 1234.5 });
    expect(submissionOf({ ...ruble, vat: " vat20 " }, "live")).toMatchObject({ vat: "vat20" });
  });

  it.each([
    [{ name: "  " }, ["name"]],
    [{ amount: "" }, ["amount"]],
    [{ amount: "1,234" }, ["amount"]],
    [{ type: "subscription", count: "x" }, ["count"]],
    [{ type: "one_time", count: "x" }, []],
    [{ type: "subscription", count: "2" }, []],
    [{ kind: "ruble", type: "subscription", count: "x" }, []],
  ] as const)("with %j has faults at %j", (wrong, fields) => {
    expect(Object.keys(faultsOfProduct({ ...typed, ...wrong }))).toEqual(fields);
  });

  it("shows a known product as it was submitted", () => {
    const known = {
      kind: "card",
      name: "Magazine",
      description: null,
      amount: 9.9,
      currency: "EUR",
      type: "subscription",
      interval: "month",
      interval_count: 3,
      vat: null,
    } as const;
    expect(typedProduct(known)).toStrictEqual({
      kind: "card",
      name: "Magazine",
      description: "",
      amount: "9.90",
      currency: "EUR",
      type: "subscription",
      interval: "month",
      count: "3",
      vat: "",
    });
    expect(typedProduct({ ...known, interval: "week" }).interval).toBe("week");
    expect(typedProduct({ ...known, type: "one_time" }).type).toBe("one_time");
    expect(typedProduct({ ...known, currency: "JPY", interval: "eon" })).toMatchObject({ currency: "USD", interval: "month" });
    expect(submissionOf(typedProduct(known), "live")).toMatchObject({ amount: 9.9, interval: "month", interval_count: 3 });
    expect(
      typedProduct({ ...known, kind: "ruble", vat: "none", currency: "RUB", type: "one_time", interval: null, interval_count: null }),
    ).toMatchObject({
      vat: "none",
      count: "1",
    });
  });
});

it.each([
  ["USD", true],
  ["EUR", true],
  ["GBP", true],
  ["BRL", false],
  ["RUB", false],
])("a cart can be sold in %s: %s", (currency, can) => expect(isOfCarts(currency)).toBe(can));
