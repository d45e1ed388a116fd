import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { call, REGISTER } from "../support/api.ts";
import { listed, pay, payment, quiet, receivedEvents } from "../support/payments.ts";
import { control, SANDBOX } from "../support/stack.ts";

beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/money` }));
beforeEach(() => control("/events", { environment: "test", hold: false, duplicate: 1, shuffle: true }));

/** A payment's movements, oldest first, as [type, status, amount], and the partner's events about it. */
async function storyOf(paid: { payment_intent: string }) {
  await quiet();
  const { payment: main, related_movements, count } = await payment(paid.payment_intent);
  expect(count).toBe(1 + related_movements.length);
  return {
    movements: [main, ...related_movements].map(({ type, status, amount }: any) => [type, status, amount]),
    received: () =>
      receivedEvents("money")
        .filter(({ transaction }) => transaction.payment_intent_id === paid.payment_intent)
        .map(({ event }) => event.replace("Processor.", ""))
        .toSorted((left, right) => (left < right ? -1 : 1)),
  };
}

const PAID = ["processor_payment_in", "completed", 19];

// interface W.3
describe("a refund", () => {
  // interface P.4
  it("in parts and then in full leaves the payment as it was, and carries its order reference", async () => {
    const paid = await pay(["TestUsd1"], { client_reference_id: "refunded" });
    await control("/refund", { payment_intent: paid.payment_intent, amount: 500 });
    await control("/refund", { payment_intent: paid.payment_intent });
    const { movements, received } = await storyOf(paid);
    expect(movements).toHaveLength(3);
    expect(movements).toEqual(expect.arrayContaining([PAID, ["processor_refund", "refunded", -5], ["processor_refund", "refunded", -14]]));
    await expect.poll(received).toEqual(["payment.succeeded", "refund.succeeded", "refund.succeeded"]);
    const { transactions, count } = await listed({ client_reference_id: "refunded" });
    expect(count).toBe(3);
    expect(transactions).toEqual(
      expect.arrayContaining([expect.objectContaining({ amount: -5, net_amount: -5, fee: 0, payment_intent_id: paid.payment_intent })]),
    );
  });

  it("that fails is shown as failed, and its money comes back in a row of its own", async () => {
    const paid = await pay(["TestUsd1"]);
    await control("/refund", { payment_intent: paid.payment_intent, amount: 700, fail: true });
    const { movements, received } = await storyOf(paid);
    expect(movements[0]).toEqual(PAID);
    expect(movements).toEqual(
      expect.arrayContaining([
        ["processor_refund", "failed", -7],
        ["processor_refund_failure", "failed", 7],
      ]),
    );
    await expect.poll(received).toEqual(["payment.succeeded", "refund.failed"]);
  });

  it.each([
    ["succeeded", [["processor_refund", "refunded", -19]], "refund.succeeded"],
    [
      "failed",
      [
        ["processor_refund", "failed", -19],
        ["processor_refund_failure", "failed", 19],
      ],
      "refund.failed",
    ],
  ])("that waits for the bank is pending, and then has %s", async (outcome, after, event) => {
    const paid = await pay(["TestUsd1"]);
    const { refund } = await control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent, pending: true });
    const before = await storyOf(paid);
    expect(before.movements).toEqual([PAID, ["processor_refund", "pending", -19]]);
    await control("/refund/settle", { refund, outcome });
    const { movements, received } = await storyOf(paid);
    expect(movements).toHaveLength(1 + after.length);
    expect(movements).toEqual(expect.arrayContaining([PAID, ...after]));
    await expect.poll(received).toEqual(["payment.succeeded", event]);
  });
});

// interface P.3, W.3
describe("a dispute", () => {
  const dispute = async (inquiry = false) => {
    const paid = await pay(["TestUsd1"]);
    const made = await control<{ dispute: string }>("/dispute", { payment_intent: paid.payment_intent, inquiry });
    return { paid, dispute: made.dispute };
  };
  const FROZEN = ["processor_dispute_freeze", "disputed", -19];

  // interface P.4
  it("takes the money away for as long as it lasts, with its own fee", async () => {
    const { paid } = await dispute();
    const { movements, received } = await storyOf(paid);
    expect(movements).toEqual([PAID, FROZEN]);
    await expect.poll(received).toEqual(["dispute.opened", "payment.succeeded"]);
    const opened = receivedEvents("money").find(
      ({ event, transaction }) => event.endsWith("opened") && transaction.payment_intent_id === paid.payment_intent,
    );
    expect(opened?.transaction).toMatchObject({ amount: -19, fee: 15, net_amount: -34, status: "disputed" });
  });

  // interface P.4
  it("that is won gives it back in a row of its own", async () => {
    const { paid, dispute: id } = await dispute();
    await control("/dispute/close", { dispute: id, won: true });
    const { movements, received } = await storyOf(paid);
    expect(movements).toHaveLength(3);
    expect(movements).toEqual(expect.arrayContaining([PAID, FROZEN, ["processor_dispute_return", "dispute_won", 19]]));
    await expect.poll(received).toEqual(["dispute.opened", "dispute.won", "payment.succeeded"]);
  });

  it("that is lost moves nothing more, and has its event", async () => {
    const { paid, dispute: id } = await dispute();
    await control("/dispute/close", { dispute: id, won: false });
    const { movements, received } = await storyOf(paid);
    expect(movements).toEqual([PAID, FROZEN]);
    await expect.poll(received).toEqual(["dispute.lost", "dispute.opened", "payment.succeeded"]);
  });

  it("that is only an inquiry moves nothing, until it becomes one", async () => {
    const { paid, dispute: id } = await dispute(true);
    const inquired = await storyOf(paid);
    expect(inquired.movements).toEqual([PAID]);
    expect((await payment(paid.payment_intent)).payment.snapshot.dispute).toMatchObject({ id, status: "warning_needs_response" });
    await control("/dispute/withdraw", { dispute: id });
    expect((await storyOf(paid)).movements).toEqual([PAID, FROZEN]);

    const closed = await dispute(true);
    await control("/dispute/close", { dispute: closed.dispute, won: false });
    const story = await storyOf(closed.paid);
    expect(story.movements).toEqual([PAID]);
    await expect.poll(story.received).toEqual(["payment.succeeded"]);
  });
});

// interface W.3
describe("a slow payment", () => {
  it("that fails has an event when it begins and when it ends, and is taken back in a row of its own", async () => {
    const paid = await pay(["TestUsd1"], { outcome: "pending" });
    expect((await storyOf(paid)).movements).toEqual([["processor_payment_in", "pending", 19]]);
    await control("/settle", { payment_intent: paid.payment_intent, outcome: "failed" });
    const { movements, received } = await storyOf(paid);
    expect(movements).toEqual([
      ["processor_payment_in", "failed", 19],
      ["processor_payment_failure", "failed", -19],
    ]);
    await expect.poll(received).toEqual(["payment.failed", "payment.pending"]);
  });
});

describe("money that is settled in another currency", () => {
  it.each([
    ["JPY", 1.5, 2850, 2737, 113, -2850],
    ["KWD", 3.07, 5.833, 5.634, 0.199, -5.833],
    ["EUR", 0.92, 17.48, 16.67, 0.81, -17.48],
    ["ISK", 137, 2603, 2527.21, 75.79, -2603],
    ["UGX", 3700, 70300, 68261, 2039, -70300],
    ["HUF", 360, 6840, 6641.34, 198.66, -6840],
  ])("is shown in %s, by its own exponent", async (currency, exchange_rate, amount, net_amount, fee, refunded) => {
    const paid = await pay(["TestUsd1"], { settlement: { currency, exchange_rate }, client_reference_id: currency });
    await control("/refund", { payment_intent: paid.payment_intent });
    await quiet();
    const { transactions } = await listed({ client_reference_id: currency });
    expect(transactions).toHaveLength(2);
    expect(transactions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ amount, net_amount, fee, currency }),
        expect.objectContaining({ amount: refunded, currency, type: "processor_refund" }),
      ]),
    );
  });
});
