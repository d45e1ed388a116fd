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
  factsOfOrder({ order, movements: [], disputed: [], deliveries: [], endpoints: [], ...parts });

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
  const kept = (endpointId: string, state = "suspended") => ({
    eventId: `evt_${endpointId}${state}`,
    deliveryId: `evt_${endpointId}${state}`,
    endpointId,
    state,
    attempts: 0,
  });
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

describe("the events of an order", () => {
  const delivery = (deliveryId: string, state: string, endpointId = deliveryId.replace("evt_1", "ep_acme_test")) => ({
    eventId: "evt_1",
    deliveryId,
    endpointId,
    state,
    attempts: 1,
  });
  const endpoints = [
    { id: "ep_acme_test", suspensionReason: null },
    { id: "ep_acme_test.books1", suspensionReason: null },
    { id: "ep_acme_test.chat", suspensionReason: null },
  ];
  it.each([
    ["are counted by the first webhook, whatever the others took", ["exhausted", "succeeded", "succeeded"], ["exhausted"]],
    ["are counted by the others where there is no first one", ["no_endpoint", "pending", "succeeded"], ["pending"]],
    ["are counted without messages to people", ["no_endpoint", null, "succeeded"], ["no_endpoint"]],
  ] as const)("%s", (_what, [first, added, chat], counted) => {
    const deliveries = [
      delivery("evt_1", first),
      ...(added === null ? [] : [delivery("evt_1.books1", added)]),
      delivery("evt_1.chat", chat),
    ];
    expect(factsOf({ deliveries, endpoints }).deliveries.map(({ state }) => state)).toEqual(counted);
  });
});

it("a payment that may still fail is under way, in what the customer is charged", () => {
  const pending = moved("processor_payment_in", 5, 700, { status: "pending" });
  expect(factsOf({ movements: [pending] }).underWay).toMatchObject({ amount: 700, currency: "USD" });
  expect(factsOf({ movements: [{ ...pending, chargedAmount: 3_500, chargedCurrency: "BRL" }] }).underWay).toMatchObject({
    amount: 3_500,
    currency: "BRL",
  });
  expect(
    factsOf({ movements: [moved("processor_payment_in", 5, 700), moved("processor_refund", 6, -700, { status: "pending" })] }).underWay,
  ).toBeNull();
});

describe("the amount of a failed refund", () => {
  it("is in what the customer was charged", () => {
    const [in_brl] = factsOf({
      movements: [failure(5, 700), failure(6, 800)].map((one) => ({ ...one, chargedAmount: -3_500, chargedCurrency: "BRL" })),
    }).failedRefunds;
    expect(in_brl).toEqual({ amount: 3_500, currency: "BRL", at: 5 });
    expect(factsOf({ movements: [moved("processor_refund_failure", 5, 700, { chargedCurrency: "BRL" })] }).failedRefunds).toEqual([
      { amount: 700, currency: "USD", at: 5 },
    ]);
    expect(factsOf({ movements: [moved("processor_refund_failure", 5, 700, { chargedAmount: 600 })] }).failedRefunds).toEqual([
      { amount: 600, currency: "USD", at: 5 },
    ]);
  });

  it("one of the same moment is not made again, and one that was takes none with it", () => {
    expect(factsOf({ movements: [failure(5), refund(5)] }).failedRefunds).toHaveLength(1);
    expect(factsOf({ movements: [failure(5, 600), failure(5), refund(7)] }).failedRefunds).toEqual([
      { amount: 600, currency: "USD", at: 5 },
    ]);
  });
});

describe("a dispute", () => {
  const dispute = (status: string, createdAt: number, more: object = {}) => ({
    status,
    reason: "fraudulent",
    createdAt,
    evidenceDueBy: null,
    ...more,
  });

  it("is the newest one, with its reason and the end of its evidence", () => {
    const disputed = [dispute("lost", 1), dispute("needs_response", 3, { reason: "duplicate", evidenceDueBy: 9 }), dispute("won", 2)];
    expect(factsOf({ disputed })).toMatchObject({ dispute: "needs_response", disputeReason: "duplicate", evidenceDueBy: 9 });
  });

  it("is none where there is none, or a bank only asks", () => {
    expect(factsOf({})).toMatchObject({ dispute: null, disputeReason: null, evidenceDueBy: null });
    expect(factsOf({ disputed: [dispute("warning_needs_response", 1)] }).dispute).toBeNull();
  });
});
