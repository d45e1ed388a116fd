import { describe, expect, it } from "vitest";
import { listOf, paidOrders } from "../../dashboard/src/home/list-of.ts";

const days = { from: "2026-10-01", to: "2026-10-31" };

describe("a figure of the first page leads to the list that it counts:", () => {
  it.each([
    ["net", "USD", "/balance?tab=movements&currency=USD&since=2026-10-01&until=2026-10-31"],
    ["gross", "EUR", "/balance?tab=movements&currency=EUR&since=2026-10-01&until=2026-10-31&kind=payment"],
    ["fees", "EUR", "/balance?tab=movements&currency=EUR&since=2026-10-01&until=2026-10-31"],
    ["disputes", "EUR", "/balance?tab=movements&currency=EUR&since=2026-10-01&until=2026-10-31&kind=dispute"],
    ["refunds", "EUR", "/balance?tab=movements&currency=EUR&since=2026-10-01&until=2026-10-31&kind=refund"],
    ["gross", "RUB", "/orders?settled_in=RUB&paid_since=2026-10-01&paid_until=2026-10-31"],
    ["refunds", "RUB", "/orders?settled_in=RUB&refunded_since=2026-10-01&refunded_until=2026-10-31"],
    ["net", "RUB", null],
    ["fees", "RUB", null],
  ] as const)("%s in %s", (figure, currency, address) => {
    expect(listOf(figure, currency, days)).toBe(address);
  });
});

it("the number of orders leads to those that were paid then", () => {
  expect(paidOrders("USD", days)).toBe("/orders?settled_in=USD&paid_since=2026-10-01&paid_until=2026-10-31");
});
