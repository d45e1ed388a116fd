import { describe, expect, it } from "vitest";
import { bestOf, moreOfPart, nameOfPart, ordersOfPart } from "../../dashboard/src/home/best-of.ts";
import { shownTotal } from "../../dashboard/src/home/days-of.ts";

describe("what brought most in a period", () => {
  const row = (net: number, orders = 1, currency = "USD") => ({ net, orders, currency });

  it("is of one currency, the largest first, of equal ones that with more orders", () => {
    const rows = [row(-3), row(0), row(10), row(99, 1, "EUR"), row(10, 4), row(25)];
    expect(bestOf(rows, "USD")).toEqual([row(25), row(10, 4), row(10)]);
  });

  it("is five rows at most", () => {
    const rows = Array.from({ length: 12 }, (_, index) => row(index));
    expect(bestOf(rows, "USD").map(({ net }) => net)).toEqual([11, 10, 9, 8, 7]);
  });

  it("is named as people name it, or else by its id", () => {
    expect(nameOfPart({ product: "prod_1", product_name: "Course" }, "product")).toBe("Course");
    expect(nameOfPart({ product: "prod_1", product_name: null }, "product")).toBe("prod_1");
    expect(nameOfPart({ link: "plink_1", link_name: "Two courses" }, "link")).toBe("Two courses");
    expect(nameOfPart({ method: "sepa_debit", method_name: "SEPA", product_name: "Course" }, "method")).toBe("SEPA");
    expect(nameOfPart({ promotion_code: null }, "promotion_code")).toBeNull();
  });

  it("has the end of the id below the name where the names of links may be equal", () => {
    expect(moreOfPart({ link: "plink_0123456789", link_name: "Course" }, "link")).toBe("…23456789");
    expect(moreOfPart({ link: "plink_1", link_name: null }, "link")).toBeNull();
    expect(moreOfPart({ product: "prod_1", product_name: "Course" }, "product")).toBeNull();
  });

  it("leads to the orders that it counts, and what has none to no list", () => {
    const [period, sold] = [{ from: "2026-11-01", to: "2026-11-29" }, row(1)];
    expect(ordersOfPart({ ...sold, promotion_code: "A&B" }, "promotion_code", period)).toBe(
      "/orders?promotion_code=A%26B&settled_in=USD&paid_since=2026-11-01&paid_until=2026-11-29",
    );
    expect(ordersOfPart({ ...sold, promotion_code: null }, "promotion_code", period)).toBeNull();
    expect(ordersOfPart({ ...row(1, 0), promotion_code: "A" }, "promotion_code", period)).toBeNull();
  });
});

it("the shown currency is the chosen one, or else that with most orders", () => {
  const totals = [
    { currency: "EUR", orders: 2 },
    { currency: "USD", orders: 5 },
  ];
  expect(shownTotal(totals, "EUR")?.currency).toBe("EUR");
  expect(shownTotal(totals, "GBP")?.currency).toBe("USD");
  expect(shownTotal([], "EUR")).toBeUndefined();
});
