import { expect, it } from "vitest";
import { totalsOf } from "../../src/ledger/payment-totals.ts";

type Given = Parameters<typeof totalsOf>[0][number];
const moved = (type: Given["type"], amount: number, more: Partial<Given> = {}): Given => ({
  type,
  amount,
  currency: "USD",
  status: "completed",
  fee: 0,
  net: amount,
  ...more,
});
const paid = moved("processor_payment_in", 4999, { fee: 175, net: 4824 });
const refund = (amount: number) => moved("processor_refund", -amount);

it.each<[what: string, movements: Given[], totals: object]>([
  ["a payment alone", [paid], { state: "paid", refunded: 0, disputed: 0, fee: 175, net: 4824 }],
  ["a part that was given back", [paid, refund(1800)], { state: "partly_refunded", refunded: 1800, net: 3024 }],
  ["all of it, in two parts", [paid, refund(1800), refund(3199)], { state: "refunded", refunded: 4999, net: -175 }],
  ["all but a cent", [paid, refund(1800), refund(3198)], { state: "partly_refunded", refunded: 4998 }],
  [
    "a refund that failed, which comes back",
    [paid, refund(1800), moved("processor_refund_failure", 1800)],
    { state: "paid", refunded: 0, net: 4824 },
  ],
  [
    "a dispute",
    [paid, moved("processor_dispute_freeze", -4999, { fee: 1500, net: -6499 })],
    { state: "disputed", disputed: 4999, net: -1675 },
  ],
  [
    "a dispute that was won",
    [paid, moved("processor_dispute_freeze", -4999), moved("processor_dispute_return", 4999)],
    { state: "paid", disputed: 0, net: 4824 },
  ],
  ["one that is pending", [{ ...paid, status: "pending" }], { state: "pending", net: null }],
  ["one that failed", [{ ...paid, status: "failed" }], { state: "failed", net: null }],
  ["a fee that is not known", [{ ...paid, fee: null, net: null }], { state: "paid", fee: null, net: null }],
  ["a refund in another currency", [paid, { ...refund(1800), currency: "EUR" }], { refunded: null, fee: null, net: null }],
  [
    "the attempt that succeeded, after one that failed",
    [{ ...paid, status: "failed", fee: 0, net: 0 }, paid],
    { state: "paid", payment: paid },
  ],
])("%s", (_what, movements, totals) => {
  expect(totalsOf(movements)).toMatchObject(totals);
});

it.each<[what: string, movements: Given[], picked: number, totals: object]>([
  ["the attempt that did not fail, though one failed later", [paid, { ...paid, status: "failed", amount: 1 }], 0, { state: "paid" }],
  [
    "of failed attempts the last",
    [
      { ...paid, status: "failed" },
      { ...paid, status: "failed", amount: 1 },
      { ...paid, status: "failed", amount: 2 },
    ],
    2,
    { state: "failed" },
  ],
  ["of movements without a payment the first, which was never paid", [refund(100), refund(200)], 0, { net: null }],
  ["beside a movement that could not be classified", [paid, moved(null, 100)], 0, { state: "paid", refunded: 0, disputed: 0, net: 4924 }],
  ["a payment that says itself that it was refunded", [{ ...paid, status: "refunded" }], 0, { state: "refunded" }],
])("the payment is %s", (_what, movements, picked, totals) => {
  expect(totalsOf(movements)?.payment).toBe(movements[picked]);
  expect(totalsOf(movements)).toMatchObject(totals);
});

it("of nothing is nothing", () => expect(totalsOf([])).toBeNull());
