import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sweepBankPayments } from "../../src/bank-payments/sweep.ts";
import { bankNotifications, bankPayments } from "../../src/db/schema/index.ts";
import { bankPaymentOf, eventsOf, openPayment, tell } from "../support/bank.ts";
import { cellDeps } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { DAY, HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { changeObject, deleteObject } from "../support/objects.ts";
import { bankCalls, control } from "../support/stack.ts";
import { emptyTables } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

beforeEach(async () => {
  await control("/reset", {});
  await emptyTables(bankNotifications, bankPayments);
});
afterEach(async () => {
  vi.useRealTimers();
  await control("/faults", undefined, "DELETE");
});

const looks = async () => (await bankCalls()).filter(({ path }) => path === "/v2/GetState").length;

it("asks how a payment is once its customer has had time to pay, and makes a lost notification good", async () => {
  const payment = await openPayment({ external_order_id: "swept" });
  await control("/bank/pay", { order_id: payment.order_id, silent: true });
  await cron();
  expect(await looks()).toBe(0);
  pass(10 * MINUTE + 1);
  await cron();
  expect(await looks()).toBe(1);
  expect(await bankPaymentOf(payment)).toMatchObject({ status: "CONFIRMED", paid_at: expect.any(Number), next_poll_at: null });
  expect(await eventsOf(payment)).toMatchObject([{ Payment: { Status: "CONFIRMED", Data: { ep_order: "swept" } } }]);
  await tell(payment, "CONFIRMED");
  expect(await eventsOf(payment)).toHaveLength(1);
  pass(DAY);
  await cron.sweep("bank_payments");
  expect(await looks()).toBe(1);
});

it("asks ever less often, until the bank says that it is over", async () => {
  const payment = await openPayment();
  for (let minute = 0; minute < 36 * 60; minute += 5) {
    pass(5 * MINUTE);
    await sweepBankPayments(cellDeps());
  }
  expect(await bankPaymentOf(payment)).toMatchObject({ status: "DEADLINE_EXPIRED", paid_at: null, next_poll_at: null });
  const asked = await looks();
  expect(asked).toBeGreaterThan(8);
  expect(asked).toBeLessThan(20);
});

it.each([
  ["CONFIRMED", 0],
  ["PARTIAL_REFUNDED", 0],
  ["REFUNDED", 0],
  ["CANCELED", 0],
  ["DEADLINE_EXPIRED", 0],
  ["REJECTED", 1],
  ["AUTHORIZED", 1],
])("asks no more about one that is known as %s, unless something may still come of it", async (status, wanted) => {
  const payment = await openPayment();
  await tell(payment, status);
  pass(11 * MINUTE);
  await cron.sweep("bank_payments");
  expect(await looks()).toBe(wanted);
});

it("hears of a payment by another card after a rejection, and gives a rejected one up after three days", async () => {
  const tried = await openPayment();
  await control("/bank/pay", { order_id: tried.order_id, outcome: "rejected" });
  await control("/bank/pay", { order_id: tried.order_id, silent: true });
  const left = await openPayment();
  await control("/bank/pay", { order_id: left.order_id, outcome: "rejected" });
  // The bank may keep a rejection for good.
  await changeObject(left.bankPaymentId, { due_at: Date.now() / 1000 + 30 * 86_400 });
  pass(11 * MINUTE);
  await cron.sweep("bank_payments");
  expect(await bankPaymentOf(tried)).toMatchObject({ status: "CONFIRMED" });
  expect(await bankPaymentOf(left)).toMatchObject({ status: "REJECTED", next_poll_at: expect.any(Number) });
  pass(3 * DAY);
  await sweepBankPayments(cellDeps());
  expect(await bankPaymentOf(left)).toMatchObject({ status: "REJECTED", next_poll_at: null });
});

it("goes past a payment that the bank does not show, and looks at it again later", async () => {
  const gone = await openPayment();
  const paid = await openPayment();
  await control("/bank/pay", { order_id: paid.order_id, silent: true });
  await deleteObject(gone.bankPaymentId);
  pass(11 * MINUTE);
  await cron.sweep("bank_payments");
  expect(await bankPaymentOf(paid)).toMatchObject({ status: "CONFIRMED" });
  expect(await bankPaymentOf(gone)).toMatchObject({ status: "NEW", next_poll_at: expect.any(Number) });
  const asked = await looks();
  pass(HOUR);
  await cron.sweep("bank_payments");
  expect(await looks()).toBe(asked + 1);
});

it("has its next turn in the row before it asks, so that a look that dies is followed by the next", async () => {
  const payment = await openPayment();
  await control("/faults", { target: "bank", call: "bank.GetState", times: 99, kind: "http_500" });
  await control("/bank/pay", { order_id: payment.order_id, silent: true });
  pass(11 * MINUTE);
  await cron.sweep("bank_payments");
  expect(await bankPaymentOf(payment)).toMatchObject({ status: "NEW" });
  await control("/faults", undefined, "DELETE");
  await cron.sweep("bank_payments");
  expect(await bankPaymentOf(payment)).toMatchObject({ status: "NEW" });
  pass(11 * MINUTE);
  await cron.sweep("bank_payments");
  expect(await bankPaymentOf(payment)).toMatchObject({ status: "CONFIRMED" });
  expect(await eventsOf(payment)).toHaveLength(1);
});

describe("an answer that is of something else", () => {
  it.each([
    ["amount", { amount: 1, status: "CONFIRMED" }],
    ["order", { order_id: "another", status: "CONFIRMED" }],
    ["word", { status: "WHAT" }],
  ])("by its %s is not followed", async (_what, change) => {
    const payment = await openPayment();
    await changeObject(payment.bankPaymentId, change);
    pass(11 * MINUTE);
    await cron.sweep("bank_payments");
    expect(await bankPaymentOf(payment)).toMatchObject({ status: "NEW", paid_at: null });
    expect(await eventsOf(payment)).toEqual([]);
  });
});

it("gives up what is too old, also where the bank says nothing of it", async () => {
  const payment = await openPayment();
  await deleteObject(payment.bankPaymentId);
  pass(101 * DAY);
  await sweepBankPayments(cellDeps());
  expect(await bankPaymentOf(payment)).toMatchObject({ status: "NEW", next_poll_at: null });
});

it("leaves what it had no time for where it was, due as before", async () => {
  for (let index = 0; index < 40; index += 1) await openPayment();
  await control("/faults", { target: "bank", call: "bank.GetState", times: 999, kind: "timeout", ms: 16_000 });
  const jump = virtualTime();
  jump(11 * MINUTE);
  await sweepBankPayments(cellDeps());
  const due = await env.CELL_1.prepare("SELECT count(*) AS count FROM bank_payments WHERE next_poll_at <= ?")
    .bind(Date.now())
    .first<number>("count");
  const asked = new Set((await bankCalls()).filter(({ path }) => path === "/v2/GetState").map(({ body }) => JSON.parse(body).PaymentId));
  realTime();
  expect(asked.size).toBeGreaterThan(3);
  expect(asked.size).toBeLessThan(40);
  expect(due).toBe(40 - asked.size);
});

it("looks at many in one run, each once", async () => {
  for (let index = 0; index < 25; index += 1) {
    const { order_id } = await openPayment();
    await control("/bank/pay", { order_id, silent: true });
  }
  pass(11 * MINUTE);
  await Promise.all([cron(), cron()]);
  expect(await looks()).toBe(25);
  const left = await env.CELL_1.prepare("SELECT count(*) AS count FROM bank_payments WHERE status <> 'CONFIRMED'").first("count");
  expect(left).toBe(0);
});
