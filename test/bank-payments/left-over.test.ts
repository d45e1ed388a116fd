import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bankNotifications, bankPayments, idempotencyRecords } from "../../src/db/schema/index.ts";
import { BANK, bankCart, call } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { MINUTE, realTime } from "../support/later.ts";
import { control, objects, settled } from "../support/stack.ts";
import { countOf, emptyTables, rowsOf } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** What failed attempts have opened at the bank, and nobody got a payment page of. */

beforeEach(async () => {
  await control("/reset", {});
  await emptyTables(bankNotifications, bankPayments, idempotencyRecords);
});
afterEach(realTime);

const fail = (name: string, kind: string) => control("/faults", { target: "bank", call: name, times: 999, kind });
const mend = () => control("/faults", undefined, "DELETE");

/** The auditor's question: does the bank hold anything payable that no result names? */
async function unaccounted(): Promise<string[]> {
  const { results } = await env.CELL_1.prepare("SELECT order_id FROM bank_payments WHERE payment_url IS NOT NULL").all<{
    order_id: string;
  }>();
  const payable = (await objects("bank_payments")).filter(({ status }) => status === "NEW");
  return payable.map(({ order_id }) => String(order_id)).filter((id) => !results.some((row) => row.order_id === id));
}

it.each(["bank.CheckOrder", "bank.Cancel"])("is cancelled within minutes, where the answer was lost and %s fails too", async (second) => {
  const jump = virtualTime();
  await fail("bank.Init", "reset_after");
  await fail(second, "http_500");
  const body = bankCart();
  expect((await call(BANK, body)).body).toMatchObject({ success: false });
  expect(await unaccounted()).toHaveLength(1);
  // Not yet, while the bank is out of order; then without anybody asking again.
  jump(2 * MINUTE);
  await cron.sweep("compensations");
  expect(await unaccounted()).toHaveLength(1);
  await mend();
  jump(5 * MINUTE);
  await cron.sweep("compensations");
  await settled();
  expect(await unaccounted()).toEqual([]);
  expect((await objects("bank_payments")).map(({ status }) => status)).toEqual(["CANCELED"]);
  // The bank's notification of it finds a row.
  expect(await rowsOf(bankPayments, {}, { columns: ["payment_url"] })).toEqual([{ payment_url: null }]);
  await expect.poll(() => rowsOf(bankPayments, {}, { columns: ["status"] })).toEqual([{ status: "CANCELED" }]);

  expect((await call(BANK, body)).body).toMatchObject({ success: true, duplicate: false });
  expect(await unaccounted()).toEqual([]);
  expect((await objects("bank_payments")).filter(({ status }) => status === "NEW")).toHaveLength(1);
});

it("asks the bank once where an attempt has left nothing there", async () => {
  const jump = virtualTime();
  await fail("bank.Init", "reset");
  await call(BANK, bankCart());
  await mend();
  jump(2 * MINUTE);
  await cron.sweep("compensations");
  jump(10 * MINUTE);
  await cron.sweep("compensations");
  expect(await objects("bank_payments")).toEqual([]);
  expect(await countOf(bankPayments)).toBe(0);
});

it("is cancelled also where a repeat could not ask the bank, and was refused for good", async () => {
  const jump = virtualTime();
  await fail("bank.Init", "reset_after");
  await fail("bank.CheckOrder", "http_500");
  const body = bankCart();
  expect((await call(BANK, body)).body).toMatchObject({ success: false });
  await mend();
  await control("/faults", { target: "bank", call: "bank.CheckOrder", times: 1, kind: "bank_error", error_code: "204" });
  expect((await call(BANK, body)).body).toMatchObject({ success: false });
  jump(2 * MINUTE);
  await cron.sweep("compensations");
  await settled();
  expect(await unaccounted()).toEqual([]);
});

it("stays as it is where another run has given its page to a caller meanwhile", async () => {
  const jump = virtualTime();
  await fail("bank.Init", "reset_after");
  await fail("bank.CheckOrder", "http_500");
  await call(BANK, bankCart());
  await mend();
  const [held] = await objects("bank_payments");
  const columns =
    "id, order_id, partner_id, environment, terminal, bank_payment_id, status, items, amount_kopecks, payment_url, record_id, created_at, updated_at";
  await env.CELL_1.prepare(
    `INSERT INTO bank_payments (${columns}) VALUES (1, ?, 'acme', 'live', 'first', ?, 'NEW', '[]', 1, 'https://bank.example/pay', 'r', 0, 0)`,
  )
    .bind(held?.order_id, held?.id)
    .run();
  jump(2 * MINUTE);
  await cron.sweep("compensations");
  expect((await objects("bank_payments")).map(({ status }) => status)).toEqual(["NEW"]);
});
