import { expect, it } from "vitest";
import { moneyRows } from "../../dashboard/src/objects/orders/money-rows.ts";
import { monthText } from "../../dashboard/src/shared/day-text.ts";

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
