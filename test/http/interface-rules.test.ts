import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bankPayments, endpointSecrets, endpoints, events, idempotencyRecords, promotionCodes } from "../../src/db/schema/index.ts";
import { attemptDelivery } from "../../src/webhooks/delivery/deliver.ts";
import {
  BANK,
  bankCart,
  CART,
  CODE,
  call,
  callV1,
  cart,
  keys,
  LIST,
  LIVE_LINKS,
  PAYMENT,
  promotion,
  REGISTER,
  ROTATE,
  send,
} from "../support/api.ts";
import { cellDeps, cells } from "../support/cells.ts";
import { cutOffAround } from "../support/crash.ts";
import { recordPayment } from "../support/deliveries.ts";
import { realTime } from "../support/later.ts";
import { changeObject } from "../support/objects.ts";
import { resetEffects } from "../support/observe.ts";
import { change } from "../support/ops.ts";
import { type Paid, quiet } from "../support/payments.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { bankCalls, control, objects, processorCalls, world } from "../support/stack.ts";
import { countOf, fieldOf, rowOf, updateRows } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** Sentences of docs/interface.md that no other test tries. Each test quotes the number of its rule. */

beforeEach(() => control("/reset", {}));
afterEach(() => {
  resetEffects();
  realTime();
});

const line = (product: string, unit_amount: number) => ({ stripe_product_id: `prod_acme${product}`, unit_amount, quantity: 1 });

describe("keys", () => {
  const body = { method: "POST", headers: { "Content-Type": "application/json" } };

  // interface K.1
  it("are stored as their SHA-256 alone", async () => {
    const { body: made } = await change("partners/acme/keys", { label: "searched for", permissions: ["balance_view"] });
    expect((await call(LIST, {}, made.key)).body).toMatchObject({ success: true });
    const hex = (bytes: ArrayBuffer) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const hash = hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(made.key)));
    const stored: string[] = [];
    for (const db of [env.DIRECTORY, ...cells]) {
      const tables = await db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' -- by the test").all<{ name: string }>();
      for (const { name } of tables.results.filter((table) => !/^(?:_cf|sqlite_|d1_)/.test(table.name)))
        stored.push(JSON.stringify((await db.prepare(`SELECT * FROM ${name} -- by the test`).all()).results));
    }
    expect(stored.some((rows) => rows.includes(hash))).toBe(true);
    expect(stored.filter((rows) => rows.includes(made.key))).toEqual([]);
  });

  // interface K.2
  it("of operation 3 stand in the body: a header is not looked at", async () => {
    const ask = (own: object, header?: string) =>
      send("/webhook/get-processor-objects", {
        ...body,
        headers: { ...body.headers, ...(header === undefined ? {} : { "X-Partner-Api-Key": header }) },
        body: JSON.stringify({ created: { gte: "2026-11-01" }, ...own }),
      });
    expect((await ask({}, keys.acme)).status).toBe(401);
    expect((await ask({ api_key: keys.revoked }, keys.acme)).status).toBe(401);
    expect((await ask({ api_key: keys.acme }, keys.revoked)).status).not.toBe(401);
  });

  // interface K.6
  it("that are refused are refused in the same words, whatever is the matter", async () => {
    const wrong = ["d0000000-0000-4000-8000-00000000dead", "secret", keys.revoked, keys.formerEmployee, keys.disabledPartner];
    const said = await Promise.all(wrong.map(async (key) => (await call(LIST, {}, key)).body.error_message as string));
    expect(new Set(said).size).toBe(1);
  });

  // interface K.6
  it.each([
    ["quotes", (key: string) => `"${key}"`, "quotes"],
    ["the word Bearer", (key: string) => `Bearer ${key}`, "the word Bearer"],
    ["blanks", (key: string) => ` ${key} `, "blanks"],
  ])("with %s around them are refused with what stands around them", async (_what, around, named) => {
    const { body: refused } = await call(LIST, { api_key: around(keys.acme) }, null);
    expect(refused.error_code).toBe("INVALID_API_KEY");
    expect(refused.error_message).toContain(`send it without ${named}`);
    expect(refused.error_message).not.toContain(keys.acme);
  });
});

describe("the shape of requests", () => {
  // interface G.5
  it.each(["GET", "PUT", "DELETE", "PATCH"])("operation 4 answers 405 with Allow to %s", async (method) => {
    const { status, headers, body } = await send("/webhook/cancel_subscription_at_period_end?subscription_id=sub_1", { method });
    expect([status, headers.get("Allow")]).toEqual([405, "POST"]);
    expect(body).toEqual({ success: false, error: expect.any(String) });
  });

  // interface G.7
  it("operation 7 ignores idempotency_key; 9, 10 and 11 refuse it", async () => {
    expect((await call(LIVE_LINKS, { idempotency_key: "k" })).body).toMatchObject({ success: true });
    const refused = { error_code: "INVALID_INPUT", details: { field: "idempotency_key" } };
    expect((await call(BANK, { ...bankCart(), idempotency_key: "k" })).body).toMatchObject(refused);
    expect((await call(REGISTER, { test_url: "https://shop.example/hooks", idempotency_key: "k" })).body).toMatchObject(refused);
    expect((await call(ROTATE, { environment: "test", idempotency_key: "k" })).body).toMatchObject(refused);
  });

  // interface 7.1
  it.each([["environment"], ["limit"], ["currency"]])("operation 7 has no filter: %s is refused", async (field) => {
    expect((await call(LIVE_LINKS, { [field]: "live" })).body).toMatchObject({ error_code: "INVALID_INPUT", details: { field } });
  });

  // interface 8.2
  it("the total of a cart is at most 99999999", async () => {
    const items = (second: number) => [line("TestUsd1", 50_000_000), line("TestUsd2", second)];
    const { body } = await call(CART, cart({ items: items(50_000_000) }));
    expect(body).toMatchObject({ error_code: "INVALID_INPUT", details: { field: "items" } });
    expect((await processorCalls()).filter(({ method }) => method === "POST")).toEqual([]);
    expect((await call(CART, cart({ items: items(49_999_999) }))).body).toMatchObject({ success: true });
  });

  // interface 2.3
  it("a promotion code takes no fixed amount", async () => {
    const { body } = await callV1(CODE, { ...promotion(), percent_off: undefined, amount_off: 500, currency: "usd" });
    expect(body).toMatchObject({ error_code: "invalid_input" });
    expect(await objects("coupon")).toEqual([]);
    expect((await callV1(CODE, promotion({ amount_off: 500 }))).body).toMatchObject({ success: true });
    const [coupon] = await objects("coupon");
    expect(coupon).toMatchObject({ percent_off: 20 });
    expect(coupon?.amount_off ?? null).toBeNull();
  });

  // interface 2.7
  it("the source of a promotion code is api by default", async () => {
    const { body } = await callV1(CODE, promotion());
    expect(await fieldOf(promotionCodes, "source", { id: body.stripe_promotion_code_id })).toBe("api");
  });

  // interface 2.9
  it("a promotion code takes something off its own products only", async () => {
    const code = `only-${crypto.randomUUID().slice(0, 8)}`;
    await callV1(CODE, promotion({ code, stripe_product_ids: ["prod_acmeTestUsd1"] }));
    const other = await call(CART, cart({ items: [line("TestUsd2", 2900)], allow_promotion_codes: true }));
    await expect(control("/pay", { short_url: other.body.short_url, promotion_code: code })).rejects.toThrow();
    const own = await call(CART, cart({ items: [line("TestUsd1", 1900)], allow_promotion_codes: true }));
    await expect(control("/pay", { short_url: own.body.short_url, promotion_code: code })).resolves.toMatchObject({
      payment_intent: expect.any(String),
    });
  });
});

describe("time", () => {
  // interface G.9
  it.each([
    ["a promotion code", () => callV1(CODE, promotion()), ["coupons.create", "promotion_codes.create"]],
    ["a ruble cart", () => call(BANK, bankCart()), ["bank.Init", "bank.GetQr"]],
  ])("the calls of one operation take 25 seconds at most together: %s", async (_what, ask, [first = "", second = ""]) => {
    virtualTime();
    const target = first.startsWith("bank.") ? "bank" : "processor";
    // The first answers after nine seconds; the second never, as often as it is tried.
    await control("/faults", { target, call: first, times: 1, kind: "timeout", ms: 9_000 });
    await control("/faults", { target, call: second, times: 99, kind: "timeout", ms: 60_000 });
    const begun = Date.now();
    await ask();
    expect(Date.now() - begun).toBeGreaterThan(9_000);
    expect(Date.now() - begun).toBeLessThanOrEqual(25_500);
  });

  // interface 5.4
  it("a payment is of the day of its settlement's entry, in operations 3 and 5", async () => {
    await control("/events", { environment: "test", hold: true });
    const { body } = await call(CART, cart({ items: [line("TestUsd1", 1900)] }));
    const paid = await control<Paid>("/pay", { short_url: body.short_url });
    const settled = Math.floor(Date.now() / 1_000) - 3 * 86_400;
    await changeObject(paid.balance_transaction, { created: settled });
    await control("/events", { environment: "test", hold: false });
    await quiet();
    const day = new Date(settled * 1_000).toISOString().slice(0, 10);
    const listed = (await call(LIST, { created_gte: day, created_lte: day })).body.transactions;
    expect(listed).toMatchObject([{ payment_intent_id: paid.payment_intent, transaction_date: new Date(settled * 1_000).toISOString() }]);
    const today = new Date().toISOString().slice(0, 10);
    const ofToday = (await call(LIST, { created_gte: today })).body.transactions;
    expect(ofToday).not.toContainEqual(expect.objectContaining({ payment_intent_id: paid.payment_intent }));
    const answer = await send("/webhook/get-processor-objects", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ api_key: keys.acme, created: { gte: day, lte: day } }),
    });
    expect(answer.text).toContain(paid.payment_intent);
  });
});

describe("repeats", () => {
  // interface T.4
  it("with the same token and another payload change nothing: a ruble payment, a webhook, a secret", async () => {
    const bank = bankCart();
    const first = await call(BANK, bank);
    const since = Date.now();
    const reused = { error_code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD" };
    expect((await call(BANK, { ...bank, items: [{ product_id: 1001, quantity: 9 }] })).body).toMatchObject(reused);
    expect(await bankCalls(since)).toEqual([]);
    expect((await call(BANK, bank)).body).toMatchObject({ duplicate: true, payment_id: first.body.payment_id });
    const hook = { test_url: "https://shop.example/first", client_token: crypto.randomUUID() };
    expect((await call(REGISTER, hook)).body).toMatchObject({ success: true });
    expect((await call(REGISTER, { ...hook, test_url: "https://shop.example/second" })).body).toMatchObject(reused);
    expect(await fieldOf(endpoints, "url", { id: "ep_acme_test" })).toBe(hook.test_url);
    const turn = { environment: "test", client_token: crypto.randomUUID() };
    expect((await call(ROTATE, turn)).body).toMatchObject({ success: true });
    const kept = await countOf(endpointSecrets);
    expect((await call(ROTATE, { ...turn, environment: "live" })).body).toMatchObject(reused);
    expect(await countOf(endpointSecrets)).toBe(kept);
  });

  // interface T.4, T.5
  it("of a failed attempt: another payload is a conflict, the same one is told that it failed", async () => {
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "http_400" });
    const body = cart();
    expect((await call(CART, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    const other = await call(CART, { ...body, allow_promotion_codes: true });
    expect(other.body).toMatchObject({ error_code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD" });
    expect((await call(CART, body)).body).toMatchObject({ error_code: "PREVIOUS_ATTEMPT_FAILED" });
  });

  // interface T.5, E.8
  it("of a failed rotation are told so, and of a failed registration are carried out", async () => {
    const hook = { test_url: "https://shop.example/hooks", client_token: crypto.randomUUID() };
    const turn = { environment: "test", client_token: crypto.randomUUID() };
    expect((await call(REGISTER, hook)).body).toMatchObject({ success: true });
    expect((await call(ROTATE, turn)).body).toMatchObject({ success: true });
    const kept = await countOf(endpointSecrets);
    const failed = { state: "failed", result: null, error: JSON.stringify({ kind: "internal" }) };
    for (const { client_token } of [hook, turn]) await updateRows(idempotencyRecords, failed, { key: `token:${client_token}` });
    await abortAllDurableObjects();
    expect((await call(ROTATE, turn)).body).toMatchObject({ error_code: "PREVIOUS_ATTEMPT_FAILED" });
    expect(await countOf(endpointSecrets)).toBe(kept);
    expect((await call(REGISTER, hook)).body).toMatchObject({ success: true });
  });

  // interface T.6
  it("of a registration that was cut off finish it, with one secret", async () => {
    const hook = { live_url: "https://shop.example/cut", client_token: crypto.randomUUID() };
    cutOffAround("d1", "after");
    expect((await call(REGISTER, hook)).body).toMatchObject({ error_code: "INTERNAL_ERROR" });
    resetEffects();
    expect((await call(REGISTER, hook)).body).toMatchObject({ success: true });
    expect(await fieldOf(endpoints, "url", { id: "ep_acme_live" })).toBe(hook.live_url);
    expect(await countOf(endpointSecrets, { endpoint_id: "ep_acme_live" })).toBe(1);
  });

  // interface T.8
  it("of a ruble cart without a token are new after a failure, and once the payment is cancelled or has expired", async () => {
    const { client_token: _, ...body } = bankCart();
    await control("/faults", { target: "bank", call: "bank.Init", times: 1, kind: "bank_error", error_code: "308" });
    expect((await call(BANK, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    const first = (await call(BANK, body)).body;
    expect(first).toMatchObject({ success: true, duplicate: false });
    expect((await call(BANK, body)).body).toMatchObject({ duplicate: true, payment_id: first.payment_id });
    for (const status of ["CANCELED", "DEADLINE_EXPIRED"]) {
      const before = (await call(BANK, body)).body;
      await updateRows(bankPayments, { status }, { order_id: before.order_id });
      const next = (await call(BANK, body)).body;
      expect(next).toMatchObject({ success: true, duplicate: false });
      expect(next.payment_id).not.toBe(before.payment_id);
    }
  });

  // interface T.9
  it("of a cart without a token make the missing short link alone", async () => {
    const { client_token: _, ...body } = cart();
    const broken = breakShortLinks(3);
    expect((await call(CART, body)).body).toMatchObject({ error_code: "SHORT_URL_UNAVAILABLE" });
    broken.mend();
    const since = Date.now();
    expect((await call(CART, body)).body).toMatchObject({ success: true });
    expect((await processorCalls(since)).filter(({ method }) => method === "POST")).toEqual([]);
    expect(await objects("payment_link")).toHaveLength(1);
  });
});

describe("short links", () => {
  // interface L.2
  it("lead to their clean address where something is stuck to them", async () => {
    const { body } = await call(CART, cart());
    const { pathname } = new URL(body.short_url);
    for (const stuck of [`${pathname}.?a=1`, `/${pathname}?a=1`, `${pathname}%C2%BB?a=1`]) {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers } = await send(stuck, { method });
        expect([stuck, status, headers.get("Location")]).toEqual([stuck, 302, expect.stringMatching(new RegExp(`${pathname}\\?a=1$`))]);
      }
      expect((await send(stuck, { method: "POST" })).status).toBe(404);
    }
    const clean = await send(`${pathname}?a=1`);
    expect([clean.status, clean.headers.get("Location")]).toEqual([302, expect.stringContaining("a=1")]);
  });
});

describe("events", () => {
  // interface W.1
  it("go to the URL of their environment, and queries send none", async () => {
    const urls = { live_url: "https://live.example/hooks", test_url: "https://test.example/hooks" };
    expect((await call(REGISTER, urls)).body).toMatchObject({ success: true });
    const sent: string[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => {
      const { url } = new Request(input, init);
      if (!url.endsWith(".example/hooks")) return fetch(input, init);
      sent.push(url);
      return Promise.resolve(new Response("ok"));
    };
    for (const environment of ["live", "test"] as const) await attemptDelivery(cellDeps(), await recordPayment({ environment }));
    globalThis.fetch = fetch;
    expect(sent).toEqual([urls.live_url, urls.test_url]);
    const before = await countOf(events);
    await call(LIST, {});
    await call(PAYMENT, { payment_intent_id: "pi_none" });
    await call(LIVE_LINKS, {});
    expect(await countOf(events)).toBe(before);
  });

  // interface W.3
  it("of a renewal have its discount, and no promotion code", async () => {
    const inbox = "renewals";
    await call(REGISTER, { test_url: `http://sandbox.test:8788/inbox/${inbox}` });
    const code = `FOREVER-${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
    const sold = { stripe_product_ids: ["prod_acmeTestMonthly"], duration: "forever" };
    expect((await callV1(CODE, promotion({ ...sold, code }))).body).toMatchObject({ success: true });
    const { body } = await call(CART, cart({ items: [line("TestMonthly", 1900)], allow_promotion_codes: true }));
    const paid = await control<Paid>("/pay", { short_url: body.short_url, promotion_code: code });
    await quiet();
    await control("/renew", { subscription: paid.subscription });
    await quiet();
    const discounts = () =>
      (world.state.inboxes[inbox]?.received ?? [])
        .map((received) => JSON.parse(received.body))
        .filter(({ event }) => event === "Processor.payment.succeeded")
        .map(({ discount }) => discount);
    await expect.poll(() => discounts().length).toBe(2);
    expect(discounts()[0]).toMatchObject({ promotion_code: code, amount: expect.any(Number) });
    expect(discounts()[1]).toMatchObject({ promotion_code: null });
    expect(discounts()[1].amount).toBeGreaterThan(0);
  });
});

describe("transactions", () => {
  // interface P.6, P.7
  it("have null for what they do not have: the reference of no checkout, the payment of no payment", async () => {
    const { body } = await call(CART, cart({ items: [line("TestUsd1", 1900)] }));
    const paid = await control<Paid>("/pay", { short_url: body.short_url });
    await quiet();
    const found = (await call(PAYMENT, { payment_intent_id: paid.payment_intent })).body;
    expect(found.payment).toMatchObject({ client_reference_id: null, payment_intent_id: paid.payment_intent });
    expect(await rowOf(events, { cause: `payment.succeeded:processor:${paid.balance_transaction}` })).not.toBeNull();
  });
});
