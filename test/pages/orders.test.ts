import { describe, expect, it } from "vitest";
import { monthText } from "../../dashboard/src/balance/month-text.ts";
import { moneyRows } from "../../dashboard/src/objects/orders/money-rows.ts";
import { verdictOf } from "../../dashboard/src/objects/orders/verdict.ts";

const order = {
  status: "paid",
  charged: 49.9,
  refunded: 0,
  disputed: 0,
  currency: "EUR",
  payment_method: "Visa ···· 4242",
  deliveries: [],
} as const;
const delivered = { state: "succeeded" };
const waiting = { state: "pending" };

describe("what became of an order", () => {
  it.each([
    [{}, "Paid €49.90 by Visa ···· 4242."],
    [{ payment_method: null }, "Paid €49.90."],
    [{ charged: 0, payment_method: null }, "Paid €0.00."],
    [{ status: "partly_refunded", refunded: 10 }, "Paid €49.90 by Visa ···· 4242, refunded €10.00."],
    [{ status: "disputed", refunded: 10, disputed: 39.9 }, "Paid €49.90 by Visa ···· 4242, refunded €10.00, disputed €39.90."],
    [{ deliveries: [delivered] }, "Paid €49.90 by Visa ···· 4242. Its event was delivered."],
    [{ deliveries: [delivered, delivered] }, "Paid €49.90 by Visa ···· 4242. Its 2 events were delivered."],
    [{ deliveries: [waiting] }, "Paid €49.90 by Visa ···· 4242. Of its 1 event, 0 were delivered."],
    [{ deliveries: [delivered, waiting] }, "Paid €49.90 by Visa ···· 4242. Of its 2 events, 1 was delivered."],
    [{ deliveries: [{ state: "no_endpoint" }] }, "Paid €49.90 by Visa ···· 4242."],
    [{ status: "pending", charged: 0 }, "Not paid yet: the payment is under way, or was not begun."],
    [{ status: "failed", charged: 0, deliveries: [delivered] }, "Not paid: the last attempt failed, and no money moved."],
    [{ status: "expired", charged: 0 }, "Not paid, and it cannot be paid any more."],
  ] as const)("with %o is said so: %s", (change, wanted) => {
    expect(verdictOf({ ...order, ...change })).toBe(wanted);
  });
});

it("an order's money is that of cards, and then that of the ruble bank", () => {
  const movement = {
    id: "processor:txn_1",
    type: "processor_payment_in",
    status: "completed",
    amount: 19,
    fee: 0.85,
    net_amount: 18.15,
    currency: "USD",
    transaction_date: "2026-11-20T08:30:00.000Z",
  };
  const ofBank = [
    { type: "bank_payment_in", amount: 500, transaction_date: "2026-11-20T08:30:00.000Z" },
    { type: "bank_refund", amount: -200, transaction_date: "2026-11-21T08:30:00.000Z" },
  ];
  const rows = moneyRows({ movements: [movement], bank_movements: ofBank } as unknown as Parameters<typeof moneyRows>[0]);
  expect(rows.map(({ kind, status, amount, fee, net, currency }) => [kind, status, amount, fee, net, currency])).toEqual([
    ["Payment", "completed", 19, 0.85, 18.15, "USD"],
    ["Payment", null, 500, null, null, "RUB"],
    ["Refund", null, -200, null, null, "RUB"],
  ]);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
});

it("a month is written out, whatever the zone of the browser", () => {
  expect([monthText("2026-10"), monthText("2027-01")]).toEqual(["October 2026", "January 2027"]);
});
