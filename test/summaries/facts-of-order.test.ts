import { describe, expect, it } from "vitest";
import { factsOfOrder, type OrderParts } from "../../src/summaries/facts-of-order.ts";

type Movement = OrderParts["movements"][number];

const order = { items: null, methodLabel: null, environment: "live", status: "paid" } as unknown as OrderParts["order"];
const moved = (type: string, at: number, amount: number, more: Partial<Movement> = {}): Movement => ({
  type: type as Movement["type"],
  status: "completed",
  amount,
  currency: "USD",
  chargedAmount: null,
  chargedCurrency: null,
  transactionDate: at,
  ...more,
});
const failure = (at: number, amount = 700) => moved("processor_refund_failure", at, amount);
const refund = (at: number, amount = 700, more: Partial<Movement> = {}) => moved("processor_refund", at, -amount, more);
const factsOf = (parts: Partial<OrderParts>) =>
  factsOfOrder({ order, movements: [], ofBank: [], disputed: [], deliveries: [], endpoints: [], ...parts });

describe("a failed refund", () => {
  it.each<[string, Movement[], number[]]>([
    ["alone is told", [failure(5)], [5]],
    ["that was made again is not", [failure(5), refund(6)], []],
    ["is told if the refund was before it", [failure(5), refund(4)], [5]],
    ["is told if the later one failed too", [failure(5), refund(6, 700, { status: "failed" })], [5]],
    ["is told if the later one is of another amount", [failure(5), refund(6, 600)], [5]],
    ["is told if one later refund stands for two", [failure(5), failure(6), refund(7)], [6]],
    ["is told if the later one is in another currency", [failure(5), refund(6, 700, { currency: "EUR" })], [5]],
  ])("%s", (_what, movements, told) => {
    expect(factsOf({ movements }).failedRefunds.map(({ at }) => at)).toEqual(told);
  });
});

describe("what is kept waits for support", () => {
  const kept = (endpointId: string, state = "suspended") => ({ endpointId, state, attempts: 0 });
  const endpoints = [
    { id: "held", suspensionReason: "operator" },
    { id: "failing", suspensionReason: "failing" },
  ];
  it.each([
    ["where support suspended its webhook", [kept("held")], true],
    ["not where its partner can resume one", [kept("held"), kept("failing")], false],
    ["not where its own webhook failed", [kept("failing")], false],
    ["whatever was taken by others", [kept("held"), kept("failing", "succeeded")], true],
    ["not without anything that is kept", [kept("held", "succeeded")], false],
    ["not where the webhook is not known", [kept("gone")], false],
  ])("%s", (_what, deliveries, isHeld) => {
    expect(factsOf({ deliveries, endpoints }).isHeldBySupport).toBe(isHeld);
  });
});
