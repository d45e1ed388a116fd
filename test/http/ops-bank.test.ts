import { beforeEach, describe, expect, it } from "vitest";
import { auditLog, bankNotifications, bankPayments } from "../../src/db/schema/index.ts";
import { keys, send } from "../support/api.ts";
import { readAuditLog } from "../support/audited.ts";
import { eventsOf, openPayment, tell } from "../support/bank.ts";
import { changeObject, copyObject, deleteObject } from "../support/objects.ts";
import { control } from "../support/stack.ts";
import { emptyTables, rowsOf } from "../support/tables.ts";

const TOKEN = "ops-local";

async function ops(path: string, { method = "GET", token = TOKEN, operator = "Anna", body = undefined as object | undefined } = {}) {
  const headers = { Authorization: `Bearer ${token}`, "X-Operator": operator, "Content-Type": "application/json" };
  return send(`/ops/bank${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

const audit = async () => await rowsOf(auditLog, {}, { columns: ["actor", "action", "target"], orderBy: "id" });

beforeEach(async () => {
  await control("/reset", {});
  await readAuditLog();
  await emptyTables(bankNotifications, bankPayments, auditLog);
});

it.each([
  ["GET", ""],
  ["GET", "/orders/x"],
  ["POST", "/orders/x/refresh"],
  ["POST", "/notifications/x/dismiss"],
])("%s /ops/bank%s is closed without the token", async (method, path) => {
  for (const token of ["", "wrong", `${TOKEN}x`, keys.acme]) expect((await ops(path, { method, token })).status).toBe(401);
});

it("takes no other method", async () => {
  expect((await ops("", { method: "POST" })).headers.get("Allow")).toBe("GET, HEAD");
  expect((await ops("/orders/x", { method: "DELETE" })).headers.get("Allow")).toBe("GET, HEAD");
  expect((await ops("/orders/x/refresh")).headers.get("Allow")).toBe("POST");
});

it("shows the notifications that were not applied, newest first, with a whole count", async () => {
  expect((await ops("")).body).toEqual({ not_applied: { count: 0, newest: [] } });
  const payment = await openPayment();
  await tell(payment, "AUTHORIZED");
  await tell({ ...payment, order_id: "nobodys" }, "CONFIRMED");
  await tell({ ...payment, amount_kopecks: 1 }, "CONFIRMED");
  const { not_applied } = (await ops("")).body;
  expect(not_applied.count).toBe(2);
  expect(not_applied.newest).toMatchObject([
    { order_id: payment.order_id, status: "CONFIRMED", problem: "amount_mismatch", message: { Amount: 1 } },
    { order_id: "nobodys", problem: "unknown_order", terminal: "first", environment: "test" },
  ]);
});

it("shows a payment with all notifications for it, and never where it can be paid", async () => {
  const payment = await openPayment({ external_order_id: "order-9" });
  await control("/bank/pay", { order_id: payment.order_id });
  const { status, body, text } = await ops(`/orders/${payment.order_id}`);
  expect(status).toBe(200);
  expect(body.payment).toEqual({
    payment_id: payment.payment_id,
    holder: "holder of key_a1",
    receipts: [],
    order_id: payment.order_id,
    bank_payment_id: payment.bankPaymentId,
    partner_id: "acme",
    environment: "test",
    terminal: "first",
    external_order_id: "order-9",
    status: "CONFIRMED",
    amount_rub: 3000,
    amount_kopecks: 300_000,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    paid_at: expect.any(String),
    payable_until: null,
  });
  expect(body.notifications.map((one: { status: string }) => one.status).toSorted()).toEqual(["AUTHORIZED", "CONFIRMED"]);
  expect(text).not.toContain("/bank/");
  expect((await ops("/orders/unknown")).status).toBe(404);
});

it("asks the bank about an order at a person's wish, and writes down whose", async () => {
  const payment = await openPayment();
  await control("/bank/pay", { order_id: payment.order_id, silent: true });
  expect((await ops(`/orders/${payment.order_id}/refresh`, { method: "POST" })).body).toMatchObject({
    success: true,
    bank_status: "CONFIRMED",
    problem: null,
    payment: { status: "CONFIRMED", paid_at: expect.any(String) },
  });
  expect(await audit()).toEqual([{ actor: "Anna", action: "bank.refresh", target: payment.order_id }]);
  expect((await ops("/orders/unknown/refresh", { method: "POST" })).status).toBe(404);
  await control("/faults", { target: "bank", call: "bank.CheckOrder", times: 9, kind: "bank_error", error_code: "204" });
  expect((await ops(`/orders/${payment.order_id}/refresh`, { method: "POST" })).status).toBe(502);
  await control("/faults", undefined, "DELETE");
});

it("says why it does not follow the bank", async () => {
  const payment = await openPayment();
  await changeObject(payment.bankPaymentId, { status: "CONFIRMED", amount: 1 });
  const look = () => ops(`/orders/${payment.order_id}/refresh`, { method: "POST" });
  expect((await look()).body).toMatchObject({
    success: false,
    bank_status: "CONFIRMED",
    problem: "amount_mismatch",
    payment: { paid_at: null },
  });
  expect((await ops(`/orders/${"x".repeat(300)}`)).status).toBe(404);
});

it("takes an order as paid that the bank took the money for by another payment, once a person asks", async () => {
  const payment = await openPayment();
  const other = { ...payment, bankPaymentId: "77" };
  await copyObject(payment.bankPaymentId, "77", { status: "CONFIRMED" });
  await tell(other, "CONFIRMED");
  const [problem] = (await ops("")).body.not_applied.newest;
  expect(problem).toMatchObject({ problem: "payment_mismatch", order_id: payment.order_id });
  expect(await eventsOf(payment)).toEqual([]);
  expect((await ops(`/orders/${payment.order_id}/refresh`, { method: "POST" })).body).toMatchObject({
    success: true,
    payment: { status: "CONFIRMED", paid_at: expect.any(String) },
  });
  expect(await eventsOf(payment)).toHaveLength(1);
  const dismiss = (body: object) => ops(`/notifications/${problem.id}/dismiss`, { method: "POST", body });
  expect((await dismiss({})).status).toBe(400);
  const reason = { reason: "paid by the other one" };
  expect((await dismiss(reason)).body).toEqual({ success: true, notification: problem.id });
  expect((await ops("")).body.not_applied.count).toBe(0);
  expect((await dismiss(reason)).status).toBe(404);
  expect(await audit()).toEqual([
    { actor: "Anna", action: "bank.refresh", target: payment.order_id },
    { actor: "Anna", action: "bank.dismiss", target: problem.id },
  ]);
});

describe("money under an order by another payment than the one that was opened", () => {
  async function beside(status: string, change: object = {}) {
    const payment = await openPayment();
    await copyObject(payment.bankPaymentId, "78", { status, ...change });
    return payment;
  }
  const look = async ({ order_id }: { order_id: string }) => (await ops(`/orders/${order_id}/refresh`, { method: "POST" })).body;

  it("in another amount is a problem, and changes nothing", async () => {
    const payment = await beside("CONFIRMED", { amount: 1 });
    expect(await look(payment)).toMatchObject({ success: false, problem: "amount_mismatch", payment: { status: "NEW", paid_at: null } });
  });

  it("beside money by ours is a problem that stays", async () => {
    const payment = await beside("CONFIRMED");
    await changeObject(payment.bankPaymentId, { status: "CONFIRMED" });
    await tell(payment, "CONFIRMED");
    for (let again = 0; again < 2; again += 1) expect(await look(payment)).toMatchObject({ success: false, problem: "payment_mismatch" });
    expect(await eventsOf(payment)).toHaveLength(1);
  });

  it("is followed when it goes back, once it has been taken as ours", async () => {
    const payment = await beside("CONFIRMED");
    expect(await look(payment)).toMatchObject({ success: true, payment: { status: "CONFIRMED", bank_payment_id: "78" } });
    await tell({ ...payment, bankPaymentId: "78" }, "REFUNDED");
    expect((await ops(`/orders/${payment.order_id}`)).body.payment).toMatchObject({ status: "REFUNDED" });
  });

  it("is none where it was not taken", async () => {
    const payment = await beside("REJECTED");
    expect(await look(payment)).toMatchObject({ success: true, bank_status: "NEW", problem: null });
  });

  it("cannot be used for an order that the bank does not know", async () => {
    const payment = await openPayment();
    await deleteObject(payment.bankPaymentId);
    expect(await look(payment)).toMatchObject({ success: false, problem: "not_found_at_bank" });
  });
});
