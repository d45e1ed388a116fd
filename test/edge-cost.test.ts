import { abortAllDurableObjects } from "cloudflare:test";
import { expect, it } from "vitest";
import { processSubject, receiveProcessorEvents } from "../src/ledger/processor-events.ts";
import { attemptDelivery } from "../src/webhooks/delivery/deliver.ts";
import { connectAgent } from "./support/agent.ts";
import {
  BANK,
  bankCart,
  CART,
  CODE,
  call,
  callV1,
  cart,
  keys,
  LINK,
  LIST,
  LIVE_LINKS,
  link,
  PAYMENT,
  promotion,
  REGISTER,
  ROTATE,
  send,
} from "./support/api.ts";
import { cellDeps, losingQueue, withEventQueue } from "./support/cells.ts";
import { attemptsOf, recordPayment } from "./support/deliveries.ts";
import { costs, countEffects } from "./support/observe.ts";
import { pay, quiet } from "./support/payments.ts";
import { control } from "./support/stack.ts";

/** What each request may cost at the edge: round trips and calls, counted at the bindings. */

const twenty = {
  items: Array.from({ length: 20 }, (_, index) => ({
    stripe_product_id: `prod_acmeBulk${String(index + 1).padStart(2, "0")}`,
    unit_amount: 1000,
    quantity: 1,
  })),
};

it("rotates a signing secret with 5 D1 round trips, and repeats it with 3", async () => {
  await call(REGISTER, { test_url: "http://shop.example/edge-cost" }, keys.globex);
  const body = { environment: "test", client_token: crypto.randomUUID() };
  const first = await countEffects(() => call(ROTATE, body, keys.globex));
  expect(first.result.body).toMatchObject({ success: true, rotated: true });
  expect(first.counts).toEqual(costs({ d1: 5, object: 1 }));
  const again = await countEffects(() => call(ROTATE, body, keys.globex));
  expect(again.result.body).toMatchObject({ success: true, rotated: false });
  expect(again.counts).toEqual(costs({ d1: 3, object: 1 }));
});

it.each(["2025-11-25", "2026-07-28"] as const)("costs an agent of %s what the same request costs over HTTP", async (era) => {
  const agent = await connectAgent(era);
  const made = await countEffects(() => agent.callTool({ name: CART, arguments: cart() }));
  expect(made.result.structuredContent).toMatchObject({ success: true, duplicate: false });
  expect(made.counts).toEqual(costs({ d1: 4, processor: 2, object: 1, "kv.put": 1 }));
  const listed = await countEffects(() => agent.callTool({ name: LIST, arguments: {} }));
  const overHttp = await countEffects(() => call(LIST, {}));
  expect(listed.counts).toEqual(overHttp.counts);
  const found = await countEffects(() => agent.listTools());
  expect(found.counts).toEqual(costs({}));
  await agent.close();
});

it("creates a link for a cart of 20 with 4 D1 round trips, 2 processor calls, 1 object and 1 KV write", async () => {
  const { result, counts } = await countEffects(() => call(CART, twenty));
  expect(result.body).toMatchObject({ success: true, duplicate: false, line_item_count: 20 });
  expect(counts).toEqual(costs({ d1: 4, processor: 2, object: 1, "kv.put": 1 }));
});

it("answers a repeat with 1 D1 round trip and its object, and with 2 where the object has forgotten", async () => {
  const body = cart();
  await call(CART, body);
  const { result, counts } = await countEffects(() => call(CART, body));
  expect(result.body).toMatchObject({ success: true, duplicate: true });
  expect(counts).toEqual(costs({ d1: 1, object: 1 }));
  await abortAllDurableObjects();
  const later = await countEffects(() => call(CART, body));
  expect(later.result.body).toEqual(result.body);
  expect(later.counts).toEqual(costs({ d1: 2, object: 1 }));
});

it.each([
  ["link", LINK, link, costs({ d1: 4, processor: 2, object: 1, "kv.put": 1 })],
  ["promotion code", CODE, promotion, costs({ d1: 4, processor: 2, object: 1 })],
] as const)(
  "creates a first-generation %s with 4 D1 round trips and 2 processor calls, and repeats it with 1 and none",
  async (_what, operation, request, wanted) => {
    const body = request();
    const first = await countEffects(() => callV1(operation, body));
    expect(first.result.body).toMatchObject({ success: true, is_replay: false });
    expect(first.counts).toEqual(wanted);
    const again = await countEffects(() => callV1(operation, body));
    expect(again.result.body).toMatchObject({ success: true, is_replay: true });
    expect(again.counts).toEqual(costs({ d1: 1, object: 1 }));
  },
);

it("opens a ruble payment for a cart of 100 with 4 D1 round trips and 2 calls of the bank, and repeats it with 1 and none", async () => {
  const body = bankCart({ items: Array.from({ length: 100 }, (_, index) => ({ product_id: 1101 + index, quantity: 1 })) });
  const first = await countEffects(() => call(BANK, body));
  expect(first.result.body).toMatchObject({ success: true, duplicate: false, line_item_count: 100 });
  expect(first.counts).toEqual(costs({ d1: 4, bank: 2, object: 1 }));
  const again = await countEffects(() => call(BANK, body));
  expect(again.result.body).toMatchObject({ success: true, duplicate: true });
  expect(again.counts).toEqual(costs({ d1: 1, object: 1 }));
});

it("takes a notification of the bank with 2 D1 round trips and no call, once it knows which partners have moved", async () => {
  await control("/bank/pay", { order_id: (await call(BANK, bankCart())).body.order_id, outcome: "rejected" });
  const { order_id } = (await call(BANK, bankCart())).body;
  const { counts } = await countEffects(() => control("/bank/pay", { order_id, outcome: "rejected" }));
  expect(counts).toEqual(costs({ d1: 2 }));
});

it("lists payments with 2 D1 round trips", async () => {
  const { result, counts } = await countEffects(() => call(LIST, { client_reference_id: "none" }));
  expect(result.body).toMatchObject({ success: true, count: 0 });
  expect(counts).toEqual(costs({ d1: 2 }));
});

it("follows a short link with one KV read, and asks D1 only where KV does not know", async () => {
  const { body } = await call(CART, cart());
  const known = await countEffects(() => send(`/${body.short_url_id}`));
  expect(known.result.status).toBe(302);
  // The slug, and once a minute in each isolate the list of disabled partners.
  expect(known.counts).toEqual(costs({ "kv.get": 2 }));

  const fromModeration = await countEffects(() => send("/01acmeLiveUsd1First"));
  expect(fromModeration.result.status).toBe(302);
  expect(fromModeration.counts).toMatchObject({ d1: 1, "kv.get": 1 });
});

it("answers one payment with 2 D1 round trips and a read of its snapshot, and the list of live links with 3 round trips", async () => {
  const paid = await pay(["TestUsd1"]);
  await quiet();
  const one = () => call(PAYMENT, { payment_intent_id: paid.payment_intent });
  expect((await one()).body).toMatchObject({ success: true, count: 1 });
  // What the payment has set going may still be under way, and is counted too: until it is over, asked again.
  await expect.poll(async () => (await countEffects(one)).counts).toEqual(costs({ d1: 2, "r2.get": 1 }));
  const links = () => call(LIVE_LINKS, {});
  expect((await links()).body).toMatchObject({ success: true, count: 1 });
  await expect.poll(async () => (await countEffects(links)).counts).toEqual(costs({ d1: 3 }));
});

it.each([
  ["charge", "charge", { d1: 3, processor: 2 }],
  ["subscription's charge", "subscription charge", { d1: 3, processor: 4 }],
  ["refund", "refund", { d1: 3, processor: 3 }],
  ["dispute", "dispute", { d1: 3, processor: 3 }],
] as const)("processes an event of a %s with 3 D1 round trips and a call per object", async (_what, which, wanted) => {
  const paid = await pay([which === "subscription charge" ? "TestMonthly" : "TestUsd1"]);
  const { refund } = await control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent, amount: 1 });
  const { dispute } = await control<{ dispute: string }>("/dispute", { payment_intent: paid.payment_intent });
  await quiet();
  const events = {
    charge: ["charge.updated", paid.charge],
    "subscription charge": ["charge.updated", paid.charge],
    refund: ["refund.updated", refund],
    dispute: ["charge.dispute.updated", dispute],
  } as const;
  const [type, id] = events[which];
  const deps = withEventQueue(losingQueue);
  const cost = async () => {
    const event = {
      id: `evt_${crypto.randomUUID()}`,
      subject: paid.payment_intent,
      type,
      environment: "test",
      objectId: id,
      partnerId: "acme",
    } as const;
    await receiveProcessorEvents(deps, [event]);
    return (await countEffects(() => processSubject(deps, event.subject))).counts;
  };
  // What waits takes one, its owner takes one, and all that follows is written in one.
  await expect.poll(cost).toMatchObject(wanted);
});

it.each([200, 500])("attempts a delivery that is answered %i with 2 D1 round trips", async (status) => {
  await call(REGISTER, { test_url: "http://sandbox.test:8788/inbox/edge-cost" });
  await control("/inbox/edge-cost", { status, times: 1 });
  const id = await recordPayment();
  const { counts } = await countEffects(() => attemptDelivery(cellDeps(), id));
  expect(counts).toEqual(costs({ d1: 2 }));
  expect(await attemptsOf(id)).toMatchObject([{ status }]);
});
