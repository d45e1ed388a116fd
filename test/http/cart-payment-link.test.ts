import { describe, expect, it } from "vitest";
import { idempotencyRecords } from "../../src/db/schema/index.ts";
import { CART, call, cart, keyFor, keys } from "../support/api.ts";
import { realTime } from "../support/later.ts";
import { control, objects, processorCalls, world } from "../support/stack.ts";
import { countOf } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

const line = (stripe_product_id: string, overrides: object = {}) => ({ stripe_product_id, unit_amount: 1000, quantity: 1, ...overrides });
const products = (...ids: string[]) => cart({ items: ids.map((id) => line(`prod_acme${id}`)) });
const bulk = (count: number) => Array.from({ length: count }, (_, index) => line(`prod_acmeBulk${String(index + 1).padStart(2, "0")}`));

async function madeLink(paymentLinkId: string) {
  const link = (await objects("payment_links")).find(({ id }) => id === paymentLinkId);
  if (link === undefined) throw new Error("the processor holds no such link");
  return link;
}

// interface 8.4
describe("what it makes", () => {
  // interface G.2, L.1, 8.1, 8.5
  it("a one-time link with a price per item", async () => {
    const { status, body } = await call(
      CART,
      cart({ success_url: "https://shop.example/thanks?s={CHECKOUT_SESSION_ID}", allow_promotion_codes: true }),
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      payment_link_id: expect.stringMatching(/^plink_/),
      short_url: expect.stringMatching(/^http:\/\/localhost:8787\/01[A-Za-z0-9]{14}$/),
      short_url_id: expect.stringMatching(/^01[A-Za-z0-9]{14}$/),
      currency: "USD",
      mode: "one_time",
      interval: null,
      interval_count: null,
      line_item_count: 2,
      items: [
        { processor_product_id: "prod_acmeTestUsd1", processor_price_id: expect.stringMatching(/^price_/), quantity: 1 },
        { processor_product_id: "prod_acmeTestUsd2", processor_price_id: expect.stringMatching(/^price_/), quantity: 2 },
      ],
      environment: "test",
      payment_method_types: ["card", "link"],
      duplicate: false,
    });
    const metadata = { partner_id: "acme", record_id: expect.stringMatching(/^01[0-9a-f]{30}$/) };
    expect(await madeLink(body.payment_link_id)).toMatchObject({
      livemode: false,
      currency: "usd",
      allow_promotion_codes: true,
      after_completion: { type: "redirect", redirect: { url: "https://shop.example/thanks?s={CHECKOUT_SESSION_ID}" } },
      payment_method_types: ["card", "link"],
      metadata,
      payment_intent_data: { metadata },
    });
    expect(world.state.lines[body.payment_link_id]?.map(({ amount_total }) => amount_total)).toEqual([1900, 5800]);
    expect(JSON.stringify(body)).not.toContain("/checkout/");
  });

  // interface 8.5
  it("one subscription of several items, when all are billed in the same period", async () => {
    const { body } = await call(CART, products("LiveMonthly1", "LiveMonthly2"));
    expect(body).toMatchObject({ success: true, mode: "subscription", interval: "month", interval_count: 1, line_item_count: 2 });
    const link = await madeLink(body.payment_link_id);
    expect(link).toMatchObject({ livemode: true, payment_intent_data: null, subscription_data: { metadata: { partner_id: "acme" } } });
    const quarterly = await call(CART, products("LiveQuarterly"));
    expect(quarterly.body).toMatchObject({ interval: "month", interval_count: 3 });
    const yearly = await call(CART, products("LiveYearly"));
    expect(yearly.body).toMatchObject({ interval: "year", interval_count: 1 });
  });

  it.each([
    ["LiveUsd1", "USD"],
    ["LiveEur1", "EUR"],
    ["LiveGbp1", "GBP"],
  ])("a link in the currency of %s, named or not", async (product, currency) => {
    expect((await call(CART, products(product))).body).toMatchObject({ success: true, currency });
    expect((await call(CART, { ...products(product), currency })).body).toMatchObject({ success: true, currency });
  });
});

// interface L.6, L.8, 8.1, 8.2, 8.3, 8.4
describe("limits, on both sides", () => {
  const one = (overrides: object) => cart({ items: [line("prod_acmeTestUsd1", overrides)] });

  it.each([
    ["items", cart({ items: bulk(1) })],
    ["items", cart({ items: bulk(20) })],
    ["unit_amount", one({ unit_amount: 50 })],
    ["unit_amount", one({ unit_amount: 99_999_999 })],
    ["quantity", one({ quantity: 1 })],
    ["quantity", one({ quantity: 999 })],
    ["success_url", cart({ success_url: `https://shop.example/${"a".repeat(2048 - 21)}` })],
    ["client_token", cart({ client_token: "x" })],
    ["client_token", cart({ client_token: `~ ${"y".repeat(253)}` })],
    ["null for what may be left out", { ...cart(), success_url: null }],
    // interface T.7
  ])("takes %s at its bounds", async (_what, body) => {
    expect((await call(CART, body)).body).toMatchObject({ success: true });
  });

  it.each<[string, object]>([
    ["items", cart({ items: undefined })],
    ["items", cart({ items: [] })],
    ["items", cart({ items: bulk(21) })],
    ["items", cart({ items: "prod_acmeTestUsd1" })],
    ["items", cart({ items: { 0: line("prod_acmeTestUsd1") } })],
    ["items[0]", cart({ items: [null] })],
    ["items[0].stripe_product_id", cart({ items: [{ unit_amount: 100, quantity: 1 }] })],
    ["items[0].stripe_product_id", cart({ items: [line("price_acmeTestUsd1")] })],
    ["items[0].stripe_product_id", cart({ items: [line("prod_")] })],
    ["items[0].stripe_product_id", cart({ items: [line("prod_acme TestUsd1")] })],
    ["items[0].stripe_product_id", cart({ items: [line("prod_ácme")] })],
    ["items[0].stripe_product_id", cart({ items: [line("prod_acme\u0000")] })],
    ["items[0].stripe_product_id", cart({ items: [line("prod_acmeTestUsd1'; DROP TABLE partners")] })],
    ["items[1].stripe_product_id", products("TestUsd1", "TestUsd1")],
    ["items[0].unit_amount", one({ unit_amount: 49 })],
    ["items[0].unit_amount", one({ unit_amount: 100_000_000 })],
    ["items[0].unit_amount", one({ unit_amount: -1900 })],
    ["items[0].unit_amount", one({ unit_amount: 19.5 })],
    ["items[0].unit_amount", one({ unit_amount: "1900" })],
    ["items[0].unit_amount", one({ unit_amount: null })],
    ["items[0].unit_amount", one({ unit_amount: 1e30 })],
    ["items[0].unit_amount", one({ unit_amount: true })],
    ["items[0].quantity", one({ quantity: 0 })],
    ["items[0].quantity", one({ quantity: 1000 })],
    ["items[0].quantity", one({ quantity: 1.5 })],
    ["items[0].quantity", one({ quantity: undefined })],
    ["currency", cart({ currency: "BRL" })],
    ["currency", cart({ currency: "usd" })],
    ["currency", cart({ currency: "EUR" })],
    ["currency", cart({ currency: 840 })],
    ["payment_method_types", cart({ payment_method_types: "card" })],
    ["payment_method_types", cart({ payment_method_types: [] })],
    ["payment_method_types", cart({ payment_method_types: Array.from({ length: 51 }, (_, index) => `method_${index}`) })],
    ["payment_method_types[0]", cart({ payment_method_types: ["Card"] })],
    ["payment_method_types[1]", cart({ payment_method_types: ["card", "car d"] })],
    ["payment_method_types[0]", cart({ payment_method_types: [7] })],
    ["payment_method_types[0]", cart({ payment_method_types: ["zip"] })],
    ["payment_method_types[1]", cart({ payment_method_types: ["card", "bacs_debit"] })],
    ["payment_method_types[0]", cart({ payment_method_types: ["pix"] })],
    ["payment_method_types[0]", cart({ payment_method_types: ["sepa_debit"] })],
    ["allow_promotion_codes", cart({ allow_promotion_codes: "true" })],
    ["success_url", cart({ success_url: "http://shop.example" })],
    ["success_url", cart({ success_url: "shop.example" })],
    ["success_url", cart({ success_url: "javascript:alert(1)" })],
    ["success_url", cart({ success_url: "https://shop.example/\u0007" })],
    ["success_url", cart({ success_url: "https://user:pass@shop.example/" })],
    ["success_url", cart({ success_url: `https://shop.example/${"a".repeat(2048 - 20)}` })],
    ["client_token", cart({ client_token: "" })],
    ["client_token", cart({ client_token: "x".repeat(256) })],
    ["client_token", cart({ client_token: "tökén" })],
    ["client_token", cart({ client_token: "line\nbreak" })],
    ["client_token", cart({ client_token: 7 })],
    ["items[1].stripe_product_id", products("LiveUsd1", "TestUsd1")],
    ["items[1].stripe_product_id", products("LiveUsd1", "LiveMonthly1")],
    ["items[1].stripe_product_id", products("LiveUsd1", "LiveEur1")],
    ["items[1].stripe_product_id", products("LiveMonthly1", "LiveQuarterly")],
    ["items[1].stripe_product_id", products("LiveMonthly1", "LiveYearly")],
    ["items[0].stripe_product_id", products("LiveBrl1")],
    // interface E.1, T.7
  ])("refuses %s outside them, before any call", async (field, body) => {
    const since = Date.now();
    const records = () => countOf(idempotencyRecords);
    const before = await records();
    const answer = await call(CART, body);
    expect(await records()).toBe(before);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: false,
      error_code: "INVALID_INPUT",
      error_message: expect.stringMatching(/.{10}/),
      details: { field },
    });
    expect((await processorCalls(since)).filter(({ method }) => method === "POST")).toEqual([]);
  });
});

describe("whose products", () => {
  it.each([
    ["prod_acmeNowhere", "PRODUCT_NOT_FOUND"],
    ["prod_globexLiveUsd1", "CROSS_TENANT_ATTEMPT"],
    ["prod_acmeDraft", "PRODUCT_NOT_APPROVED"],
    ["prod_acmeCorrupt", "INTERNAL_ERROR"],
    // interface E.8
  ])("%s gives %s and names the item", async (product, code) => {
    const { body } = await call(CART, cart({ items: [line("prod_acmeLiveUsd1"), line(product)] }));
    expect(body).toMatchObject({ success: false, error_code: code, details: { field: "items[1].stripe_product_id" } });
    expect(body.error_message).toContain(product);
  });

  // interface K.7
  it("lets each partner sell its own", async () => {
    const own = cart({ items: [line("prod_globexLiveUsd1")] });
    expect((await call(CART, own, keys.globex)).body).toMatchObject({ success: true });
    expect((await call(CART, cart(), keys.globex)).body).toMatchObject({ error_code: "CROSS_TENANT_ATTEMPT" });
    expect((await call(CART, cart(), keyFor("product_create"))).body).toMatchObject({ success: true });
  });
});

describe("payment methods", () => {
  it.each([
    [["card", "link", "us_bank_account"], "LiveUsd1"],
    [["cashapp", "alipay", "wechat_pay", "klarna", "afterpay_clearpay", "affirm"], "LiveUsd1"],
    [["card", "sepa_debit", "ideal"], "LiveEur1"],
    [["card", "klarna"], "LiveGbp1"],
  ])("passes %j on for %s", async (methods, product) => {
    const { body } = await call(CART, { ...products(product), payment_method_types: [...methods, methods[0]] });
    expect((await madeLink(body.payment_link_id)).payment_method_types).toEqual(methods);
  });

  it.each([
    ["pix", "LiveUsd1", "USD"],
    ["sepa_debit", "LiveGbp1", "GBP"],
    ["us_bank_account", "LiveEur1", "EUR"],
    ["cashapp", "LiveEur1", "EUR"],
    ["ideal", "LiveUsd1", "USD"],
  ])("refuses %s for %s and names method and currency", async (method, product, currency) => {
    const { body } = await call(CART, { ...products(product), payment_method_types: ["card", method] });
    expect(body).toMatchObject({ error_code: "INVALID_INPUT", details: { field: "payment_method_types[1]" } });
    expect(body.error_message).toContain(method);
    expect(body.error_message).toContain(currency);
  });

  // interface L.9, W.3
  it("drops what the processor refuses, and says so by an event", async () => {
    await call("register-partner-notifications-webhook", { test_url: "http://sandbox.test:8788/inbox/refusals" });
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "refuse_method", method: "klarna" });
    const { body } = await call(CART, cart({ payment_method_types: ["klarna", "card", "brand_new"] }));
    expect(body.success).toBe(true);
    expect((await madeLink(body.payment_link_id)).payment_method_types).toEqual(["card"]);
    await expect.poll(() => world.state.inboxes.refusals?.received.length).toBe(1);
    expect(JSON.parse(world.state.inboxes.refusals?.received[0]?.body ?? "")).toMatchObject({
      event: "Processor.payment_method.refused",
      environment: "test",
      payment_link_id: body.payment_link_id,
      refused_payment_method_types: ["klarna", "brand_new"],
    });
  });

  it("falls back to the default set when nothing is left", async () => {
    const { body } = await call(CART, cart({ payment_method_types: ["brand_new"] }));
    expect((await madeLink(body.payment_link_id)).payment_method_types).toEqual(["card", "link"]);
  });

  // interface L.9
  it("does not drop a method that the interface vouches for", async () => {
    const fault = { target: "processor", call: "payment_links.create", times: 1, kind: "refuse_method", method: "us_bank_account" };
    await control("/faults", fault);
    const { body } = await call(CART, cart({ payment_method_types: ["card", "us_bank_account"] }));
    expect(body).toMatchObject({ success: false, error_code: "INTEGRATION_UPSTREAM_ERROR" });
    expect(body.error_message).toContain("us_bank_account");
  });
});

// interface G.5
describe("when the processor fails", () => {
  it.each([
    ["http_500", 99, "INTEGRATION_UPSTREAM_ERROR"],
    ["http_429", 99, "INTEGRATION_UPSTREAM_ERROR"],
    ["http_400", 1, "INTEGRATION_UPSTREAM_ERROR"],
    ["reset", 99, "INTEGRATION_UPSTREAM_ERROR"],
    // interface E.8
  ])("%s, %i times, gives %s and nothing of the processor's own", async (kind, times, code) => {
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times, kind });
    const answer = await call(CART, cart());
    await control("/faults", undefined, "DELETE");
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: false, error_code: code });
    expect(JSON.stringify(answer.body)).not.toMatch(/sk_|req_|stack|api_error|http:\/\//);
  });

  // interface E.8, G.9
  it("gives INTEGRATION_TIMEOUT when the answer does not come within 25 seconds", async () => {
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "timeout", ms: 60_000 });
    const startedAt = Date.now();
    const { body } = await call(CART, cart());
    expect(body).toMatchObject({ success: false, error_code: "INTEGRATION_TIMEOUT" });
    // Virtual time runs a little apart from the runtime's timers.
    expect(Date.now() - startedAt).toBeGreaterThan(18_000);
    expect(Date.now() - startedAt).toBeLessThan(40_000);
    realTime();
  });

  it("waits for a slow answer that comes in time", async () => {
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "timeout", ms: 1_000 });
    expect((await call(CART, cart())).body).toMatchObject({ success: true });
  });

  it("honours Retry-After", async () => {
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "http_429", retry_after: 2 });
    const startedAt = Date.now();
    expect((await call(CART, cart())).body).toMatchObject({ success: true });
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(2_000);
  });

  it("goes on through an outage that ends in time, and makes one link", async () => {
    virtualTime();
    const before = (await objects("payment_links")).length;
    await control("/faults", { target: "processor", call: "payment_links.create", times: 6, kind: "reset_after" });
    expect((await call(CART, cart())).body).toMatchObject({ success: true, duplicate: false });
    expect((await objects("payment_links")).length - before).toBe(1);
  });

  it("goes on from the link where only its lines could not be had", async () => {
    const before = (await objects("payment_links")).length;
    const { client_token: _, ...body } = cart({ success_url: "https://shop.example/lines" });
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.line_items", times: 99, kind: "http_500" });
    expect((await call(CART, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    await control("/faults", undefined, "DELETE");
    expect((await call(CART, body)).body).toMatchObject({ success: true });
    expect((await objects("payment_links")).length - before).toBe(1);
  });
});
