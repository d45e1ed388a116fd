import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startLocal } from "ppay-local";
import { createClient } from "ppay-sdk";
import { createShop } from "./shop.js";

let service;
let payments;
let shop;
let address;
let secret;

before(async () => {
  service = await startLocal();
  payments = createClient({ url: service.url, key: service.key });
  shop = createShop({ payments, secrets: () => [secret], product: "prod_acmeTestUsd1" });
  await new Promise((listening) => shop.listen(0, listening));
  address = `http://localhost:${shop.address().port}`;
  const { registered } = await payments.webhooks.register({ test_url: `${address}/webhook` });
  secret = registered[0].signing_secret;
});

after(async () => {
  shop?.close();
  await service?.stop();
});

/** A customer presses the button, and pays. */
async function buy() {
  const response = await fetch(`${address}/orders`, { method: "POST", redirect: "manual" });
  const link = new URL(response.headers.get("Location"));
  const id = link.searchParams.get("client_reference_id");
  const paid = await service.pay({ short_url: `${link.origin}${link.pathname}`, client_reference_id: id });
  return { id, ...paid };
}

const orderOf = async (id) => (await fetch(`${address}/orders/${id}`)).json();

async function until(isDone) {
  for (;;) {
    const found = await isDone();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test("an order is paid once, although its event comes three times", async () => {
  const { id } = await buy();
  await until(async () => (await orderOf(id)).state === "paid");
  const { data } = await payments.deliveries.list({ environment: "test", event: "Processor.payment.succeeded" }).page();
  const events = [];
  for (const { event } of data) {
    const { request } = await payments.deliveries.show({ event });
    if (request.body.includes(id)) events.push(event);
  }
  assert.equal(events.length, 1);
  for (let time = 0; time < 2; time += 1) assert.equal((await payments.deliveries.resend({ event: events[0] })).success, true);
  assert.equal((await payments.deliveries.show({ event: events[0] })).attempt_list.length, 3);
  assert.equal((await orderOf(id)).paid, 1);
});

test("a refund is seen", async () => {
  const { id, payment_intent } = await buy();
  await until(async () => (await orderOf(id)).state === "paid");
  await service.refund({ payment_intent, amount: 500 });
  await until(async () => (await orderOf(id)).state === "refunded");
  assert.equal((await orderOf(id)).refunded, -5);
});

test("a dispute holds the money, and a verdict is final", async () => {
  const { id, payment_intent } = await buy();
  await until(async () => (await orderOf(id)).state === "paid");
  const { dispute } = await service.dispute({ payment_intent });
  const statusOf = async () => (await payments.orders.list({ environment: "test", reference: id }).page()).data[0]?.status;
  await until(async () => (await statusOf()) === "disputed");
  await service.closeDispute({ dispute, won: true });
  await until(async () => (await statusOf()) === "paid");
  await assert.rejects(service.closeDispute({ dispute, won: false }), /verdict is final/);
});

test("an order whose answer was lost has one link", async () => {
  await service.fail({ target: "processor", call: "payment_links.create", times: 1, kind: "reset_after" });
  const { id } = await buy();
  await until(async () => (await orderOf(id)).state === "paid");
  const { sums } = await payments.orders.list({ environment: "test", reference: id }).page();
  assert.deepEqual([sums[0].orders, sums[0].charged], [1, 19]);
});

test("a subscription is renewed, and a ruble payment paid", async () => {
  const monthly = { stripe_product_id: "prod_acmeTestMonthly", unit_amount: 900, quantity: 1 };
  const link = await payments.links.createForCart({ items: [monthly] });
  const { subscription } = await service.pay({ short_url: link.short_url });
  await service.renew({ subscription });
  const movements = () => payments.payments.list({ environment: "test", subscription }).page();
  await until(async () => (await movements()).data.length === 2);
  const made = await payments.bankPayments.create({
    items: [{ product_id: 1001, quantity: 1 }],
    customer_email: "buyer@example.com",
    environment: "test",
  });
  await service.payRubles({ order_id: made.order_id });
  await until(async () => (await payments.bankPayments.list({ order: made.order_id }).page()).data[0]?.status === "CONFIRMED");
});

test("time passes: what a receiver refused is sent again", async () => {
  await payments.webhooks.register({ test_url: `${service.sandbox}/inbox/slow` });
  await fetch(`${service.sandbox}/control/inbox/slow`, { method: "POST", body: JSON.stringify({ status: 500, times: 2 }) });
  const before = Date.now();
  const { success } = await payments.webhooks.test({ webhook: "test", event: "Processor.payment.succeeded" });
  assert.equal(success, false);
  await buy();
  await until(async () => (await service.inbox("slow")).length === 2);
  const { now } = await service.advance({ days: 2 });
  assert.ok(Date.parse(now) - before > 47 * 3_600_000);
  await until(async () => (await service.inbox("slow")).length === 3);
  await payments.webhooks.register({ test_url: `${address}/webhook` });
});

test("a delivery that is not the service's is refused", async () => {
  const headers = {
    "Service-Event-Id": "evt_1",
    "Service-Timestamp": String(Math.floor(Date.now() / 1000)),
    "Service-Signature": `v1,${"0".repeat(64)}`,
  };
  assert.equal((await fetch(`${address}/webhook`, { method: "POST", headers, body: "{}" })).status, 400);
});
