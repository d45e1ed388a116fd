import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { events, idempotencyRecords, movements, paymentLinks } from "../../src/db/schema/index.ts";
import { callV1, keyFor, keys, LINK, link, send } from "../support/api.ts";
import { realTime } from "../support/later.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { control, objects, processorCalls, world } from "../support/stack.ts";
import { countOf, fieldOf, rowOf } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

beforeEach(() => control("/reset", {}));
afterEach(realTime);

const create = (overrides: Record<string, unknown> = {}, key: string | null = keys.acme) => callV1(LINK, link(overrides), key);

async function made(id: string): Promise<any> {
  return (await objects("payment_links")).find((candidate) => candidate.id === id);
}

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;
const keyIn = (message: string) => UUID.exec(message)?.[0];

const linesOf = (id: string): any => world.state.lines[id];

describe("what it makes", () => {
  // interface G.1, G.4, L.1, 1.4
  it("a link with a price of its own, its short link, and nothing of the checkout's address", async () => {
    const idempotency_key = crypto.randomUUID();
    const { status, body } = await create({ price: { unit_amount: 2500 }, idempotency_key });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      processor_product_id: "prod_acmeTestUsd1",
      processor_price_id: expect.stringMatching(/^price_/),
      processor_payment_link_id: expect.stringMatching(/^plink_/),
      short_url: `http://localhost:8787/${body.short_url_id}`,
      short_url_id: expect.stringMatching(/^01[A-Za-z0-9]{14}$/),
      currency: "USD",
      currency_source: "inherited",
      unit_amount: 2500,
      type: "one_time",
      is_test: true,
      idempotency_key,
      is_replay: false,
      retry_count: 0,
    });
    expect(linesOf(body.processor_payment_link_id)).toMatchObject([
      {
        quantity: 1,
        price: { id: body.processor_price_id, product: "prod_acmeTestUsd1", unit_amount: 2500, currency: "usd", recurring: null },
      },
    ]);
    expect(await made(body.processor_payment_link_id)).toMatchObject({
      livemode: false,
      payment_method_types: ["card", "link"],
      allow_promotion_codes: false,
      after_completion: { type: "hosted_confirmation" },
      payment_intent_data: { metadata: { partner_id: "acme" } },
    });
    const redirect = await send(`/${body.short_url_id}`);
    expect([redirect.status, redirect.headers.get("Location")]).toEqual([302, (await made(body.processor_payment_link_id)).url]);
    expect(JSON.stringify(body)).not.toContain("/checkout/");
  });

  // interface 1.4
  it("with every parameter", async () => {
    const { body } = await create({
      stripe_product_id: "prod_acmeLiveMonthly1",
      price: { unit_amount: 20, currency: "eur", interval_count: 6, trial_days: 14 },
      payment_link: {
        payment_method_types: ["card", "sepa_debit", "card"],
        allow_promotion_codes: true,
        success_url: "https://shop.example/thanks?session={CHECKOUT_SESSION_ID}",
        quantity: 3,
      },
    });
    expect(body).toMatchObject({ currency: "EUR", currency_source: "overridden", unit_amount: 20, type: "subscription", is_test: false });
    expect(linesOf(body.processor_payment_link_id)).toMatchObject([
      { quantity: 3, price: { unit_amount: 20, currency: "eur", recurring: { interval: "month", interval_count: 6 } } },
    ]);
    expect(await made(body.processor_payment_link_id)).toMatchObject({
      livemode: true,
      payment_method_types: ["card", "sepa_debit"],
      allow_promotion_codes: true,
      after_completion: { type: "redirect", redirect: { url: "https://shop.example/thanks?session={CHECKOUT_SESSION_ID}" } },
      subscription_data: { trial_period_days: 14, metadata: { partner_id: "acme" } },
    });
  });

  it("a row for the link, its line and its short link, of source product", async () => {
    const { body } = await create();
    const row = await rowOf(paymentLinks, { id: body.processor_payment_link_id });
    expect(row).toMatchObject({ source: "product", partner_id: "acme", mode: "one_time", slug: body.short_url_id });
    expect(JSON.parse(row?.items)).toEqual([["prod_acmeTestUsd1", body.processor_price_id, 2500, 1, "acmeTestUsd1"]]);
  });

  it("a payment of the link finds its partner", async () => {
    const { body } = await create({ stripe_product_id: "prod_globexLiveUsd1" }, keys.globex);
    const paid = await control<{ balance_transaction: string }>("/pay", { short_url: body.short_url });
    await expect.poll(() => fieldOf(movements, "partner_id", { id: `processor:${paid.balance_transaction}` })).toBe("globex");
  });
});

describe("what the product decides", () => {
  it.each([
    ["prod_acmeLiveUsd1", { currency: "USD", type: "one_time", is_test: false }],
    ["prod_acmeLiveEur1", { currency: "EUR", type: "one_time", is_test: false }],
    ["prod_acmeLiveGbp1", { currency: "GBP", type: "one_time", is_test: false }],
    ["prod_acmeLiveBrl1", { currency: "BRL", type: "one_time", is_test: false }],
    ["prod_acmeLiveMonthly1", { currency: "USD", type: "subscription", is_test: false }],
    ["prod_acmeTestUsd1", { currency: "USD", type: "one_time", is_test: true }],
    ["prod_acmeTestMonthly", { currency: "USD", type: "subscription", is_test: true }],
  ])("%s: %j", async (stripe_product_id, wanted) => {
    expect((await create({ stripe_product_id })).body).toMatchObject({ success: true, currency_source: "inherited", ...wanted });
  });

  it.each([
    ["prod_acmeLiveQuarterly", { interval: "month", interval_count: 1 }],
    ["prod_acmeLiveYearly", { interval: "year", interval_count: 1 }],
  ])("the interval of %s, with the request's count, 1 where it gives none", async (stripe_product_id, recurring) => {
    const { body } = await create({ stripe_product_id });
    expect(linesOf(body.processor_payment_link_id)[0].price.recurring).toEqual(recurring);
  });

  it("whether interval_count and trial_days count at all: not for a one-time product", async () => {
    const { body } = await create({ price: { unit_amount: 100, interval_count: 99, trial_days: 9 } });
    expect(linesOf(body.processor_payment_link_id)[0].price.recurring).toBeNull();
    expect((await made(body.processor_payment_link_id)).subscription_data).toBeNull();
  });

  it("no trial is asked for where trial_days is 0", async () => {
    const { body } = await create({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900, trial_days: 0 } });
    expect((await made(body.processor_payment_link_id)).subscription_data.trial_period_days).toBeNull();
  });

  // interface 1.2
  it.each(["USD", "eur", "Gbp", "brl"])("any currency can be put in its place: %s", async (currency) => {
    const { body } = await create({ price: { unit_amount: 5000, currency } });
    expect(body).toMatchObject({ currency: currency.toUpperCase(), currency_source: "overridden" });
  });

  it("the default methods, as far as they go with the currency that counts", async () => {
    await env.DIRECTORY.prepare(
      `UPDATE card_products SET payment_method_types = '["card","pix"]' WHERE processor_product_id = 'prod_acmeLiveBrl1'`,
    ).run();
    const inherited = await create({ stripe_product_id: "prod_acmeLiveBrl1" });
    expect((await made(inherited.body.processor_payment_link_id)).payment_method_types).toEqual(["card", "pix"]);
    const overridden = await create({ stripe_product_id: "prod_acmeLiveBrl1", price: { unit_amount: 100, currency: "USD" } });
    expect((await made(overridden.body.processor_payment_link_id)).payment_method_types).toEqual(["card"]);
  });
});

// interface G.1, K.2
describe("limits, on both sides", () => {
  const longUrl = (length: number) => `https://shop.example/${"x".repeat(length - 21)}`;

  it.each<[string, Record<string, unknown>]>([
    ["the smallest amount", { price: { unit_amount: 1 }, payment_link: { quantity: 50 } }],
    ["the processor's largest amount", { price: { unit_amount: 99_999_999 } }],
    ["a key of 128 characters", { idempotency_key: "k".repeat(128) }],
    ["a key of 128 characters beyond the basic plane", { idempotency_key: "𝄞".repeat(128) }],
    ["a key that holds ingest: elsewhere", { idempotency_key: "my-ingest:1" }],
    ["a success URL of 2048 characters", { payment_link: { success_url: longUrl(2048) } }],
    ["36 months", { stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900, interval_count: 36 } }],
    ["3 years", { stripe_product_id: "prod_acmeLiveYearly", price: { unit_amount: 900, interval_count: 3 } }],
    [
      "fields of a subscription for a one-time product, whatever they say",
      { price: { unit_amount: 100, interval_count: 0, trial_days: -1 } },
    ],
    ["unknown fields", { colour: "green", payment_link: { colour: "green" } }],
    // interface 1.2, 1.4, 1.5
  ])("takes %s", async (_what, overrides) => {
    expect((await create(overrides)).body).toMatchObject({ success: true });
  });

  it.each<[string, Record<string, unknown>]>([
    ["no auth_mode", { auth_mode: undefined }],
    ["another auth_mode", { auth_mode: "jwt" }],
    ["no product", { stripe_product_id: undefined }],
    ["a product id of another shape", { stripe_product_id: "price_1" }],
    ["no price", { price: undefined }],
    ["no amount", { price: {} }],
    ["an amount of 0", { price: { unit_amount: 0 } }],
    ["a negative amount", { price: { unit_amount: -1 } }],
    ["half a cent", { price: { unit_amount: 10.5 } }],
    ["an amount in a string", { price: { unit_amount: "100" } }],
    ["more than the processor takes", { price: { unit_amount: 100_000_000 } }],
    ["an amount beyond exact integers", { price: { unit_amount: 2 ** 53 } }],
    ["a currency that is not sold in", { price: { unit_amount: 100, currency: "RUB" } }],
    ["an empty currency", { price: { unit_amount: 100, currency: "" } }],
    ["a currency that is a number", { price: { unit_amount: 100, currency: 840 } }],
    ["interval_count 0", { stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 100, interval_count: 0 } }],
    ["interval_count 1.5", { stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 100, interval_count: 1.5 } }],
    ["37 months", { stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900, interval_count: 37 } }],
    ["4 years", { stripe_product_id: "prod_acmeLiveYearly", price: { unit_amount: 900, interval_count: 4 } }],
    ["negative trial_days", { stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 100, trial_days: -1 } }],
    ["quantity 0", { payment_link: { quantity: 0 } }],
    ["quantity in a string", { payment_link: { quantity: "2" } }],
    ["methods that are no list", { payment_link: { payment_method_types: "card" } }],
    ["no method in the list", { payment_link: { payment_method_types: [] } }],
    ["allow_promotion_codes in a string", { payment_link: { allow_promotion_codes: "true" } }],
    ["a success URL over http", { payment_link: { success_url: "http://shop.example/" } }],
    ["a success URL of 2049 characters", { payment_link: { success_url: longUrl(2049) } }],
    ["a success URL that is none", { payment_link: { success_url: "shop.example" } }],
    ["a payment_link that is a list", { payment_link: [] }],
    ["a key of 129 characters", { idempotency_key: "k".repeat(129) }],
    ["an empty key", { idempotency_key: "" }],
    ["a key that is a number", { idempotency_key: 7 }],
    ["a key that starts with ingest:", { idempotency_key: "ingest:1" }],
    // interface E.1, E.2, 1.2, 1.4, 1.5
  ])("refuses %s, calls nobody and stores nothing", async (_what, overrides) => {
    const before = await countOf(idempotencyRecords);
    const { status, body } = await create(overrides);
    expect(status).toBe(200);
    expect(body).toEqual({ success: false, error_code: "invalid_input", error_message: expect.stringMatching(/.{5}/) });
    expect((await processorCalls()).filter(({ method }) => method === "POST")).toEqual([]);
    expect(await countOf(idempotencyRecords)).toEqual(before);
  });

  it("names the field that is off", async () => {
    const { body } = await create({ price: { unit_amount: 0 } });
    expect(body.error_message).toContain("price.unit_amount");
  });
});

describe("who may, and with whose products", () => {
  it.each([
    ["prod_globexLiveUsd1", "product_not_found"],
    ["prod_unknown", "product_not_found"],
    ["prod_acmeDraft", "product_not_approved"],
    ["prod_acmeCorrupt", "product_data_corrupt"],
    // interface E.2, 1.8
  ])("%s gives %s", async (stripe_product_id, error_code) => {
    const { body } = await create({ stripe_product_id });
    expect(body).toMatchObject({ success: false, error_code, error_message: expect.stringContaining(stripe_product_id) });
    expect((await processorCalls()).filter(({ method }) => method === "POST")).toEqual([]);
  });

  // interface K.7, 1.8
  it("says the same of another partner's product as of none", async () => {
    const [foreign, none] = [
      await create({ stripe_product_id: "prod_globexLiveUsd1" }),
      await create({ stripe_product_id: "prod_nobodysAtAll12" }),
    ];
    expect(foreign.body.error_message.replace("prod_globexLiveUsd1", "…")).toBe(
      none.body.error_message.replace("prod_nobodysAtAll12", "…"),
    );
  });

  it("keeps partners' keys apart", async () => {
    const idempotency_key = crypto.randomUUID();
    const acme = await create({ idempotency_key });
    const globex = await create({ stripe_product_id: "prod_globexLiveUsd1", idempotency_key }, keys.globex);
    expect([acme.body, globex.body]).toMatchObject([{ is_replay: false }, { success: true, is_replay: false }]);
  });

  // interface E.2
  it("takes a key with product_create alone", async () => {
    expect((await create({}, keyFor("product_create"))).body).toMatchObject({ success: true });
    expect((await create({}, keyFor("payment_read"))).body).toMatchObject({ error_code: "forbidden" });
  });
});

// interface L.6, L.8, L.9
describe("payment methods", () => {
  it.each([
    ["zip", "USD"],
    ["bacs_debit", "GBP"],
  ])("%s is not connected", async (method, currency) => {
    const { body } = await create({ price: { unit_amount: 900, currency }, payment_link: { payment_method_types: ["card", method] } });
    expect(body).toMatchObject({ error_code: "invalid_input", error_message: expect.stringContaining(method) });
  });

  it.each([
    ["sepa_debit", "USD", undefined],
    ["sepa_debit", "GBP", "gbp"],
    ["pix", "USD", undefined],
    ["pix", "EUR", "EUR"],
    ["us_bank_account", "BRL", "BRL"],
    ["cashapp", "EUR", "EUR"],
  ])("%s does not go with %s, named in the message", async (method, currency, override) => {
    const price = override === undefined ? { unit_amount: 900 } : { unit_amount: 900, currency: override };
    const { body } = await create({ price, payment_link: { payment_method_types: [method] } });
    expect(body).toMatchObject({ error_code: "invalid_input" });
    expect(body.error_message).toMatch(new RegExp(`${method}.*${currency}`));
    expect((await processorCalls()).filter(({ method: verb }) => verb === "POST")).toEqual([]);
  });

  it.each([
    ["pix", "BRL"],
    ["sepa_debit", "EUR"],
    ["us_bank_account", "USD"],
  ])("%s goes with the overridden %s", async (method, currency) => {
    const product = currency === "USD" ? "prod_acmeLiveEur1" : "prod_acmeLiveUsd1";
    const { body } = await create({
      stripe_product_id: product,
      price: { unit_amount: 900, currency },
      payment_link: { payment_method_types: [method] },
    });
    expect((await made(body.processor_payment_link_id)).payment_method_types).toEqual([method]);
  });

  // interface L.9
  it("drops what the processor refuses, and says so by an event", async () => {
    await send("/register-partner-notifications-webhook", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Partner-Api-Key": keys.acme },
      body: JSON.stringify({ test_url: "http://sandbox.test:8788/inbox/v1-refusals" }),
    });
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "refuse_method", method: "klarna" });
    const { body } = await create({ payment_link: { payment_method_types: ["klarna", "card", "brand_new"] } });
    expect(body).toMatchObject({ success: true, retry_count: 0 });
    expect((await made(body.processor_payment_link_id)).payment_method_types).toEqual(["card"]);
    await expect.poll(() => world.state.inboxes["v1-refusals"]?.received.length).toBe(1);
    expect(JSON.parse(world.state.inboxes["v1-refusals"]?.received[0]?.body ?? "")).toMatchObject({
      event: "Processor.payment_method.refused",
      payment_link_id: body.processor_payment_link_id,
      refused_payment_method_types: ["klarna", "brand_new"],
    });
  });

  // interface L.9
  it("leaves out what no link can have, before any call, and says so by the event", async () => {
    const since = Date.now();
    const { body } = await create({ payment_link: { payment_method_types: ["amazon_pay", "card"] } });
    expect((await made(body.processor_payment_link_id)).payment_method_types).toEqual(["card"]);
    expect((await processorCalls(since)).filter(({ method }) => method === "POST")).toHaveLength(1);
    const event = await fieldOf(events, "payload", { cause: `payment_method.refused:${body.processor_payment_link_id}` });
    expect(JSON.parse(event ?? "{}")).toMatchObject({ refused_payment_method_types: ["amazon_pay"] });
  });

  it.each([
    ["of a mode that it is not for", ["paypal", "card", "alipay"], ["card"], ["paypal", "alipay"]],
    ["of a mode, and is all there is", ["paypal"], ["card", "link"], ["paypal"]],
  ])("drops a method %s", async (_what, asked, wanted, refused) => {
    const subscription = { stripe_product_id: "prod_acmeLiveMonthly1", price: { unit_amount: 900 } };
    const { body } = await create({ ...subscription, payment_link: { payment_method_types: asked } });
    expect((await made(body.processor_payment_link_id)).payment_method_types).toEqual(wanted);
    const event = await fieldOf(events, "payload", { cause: `payment_method.refused:${body.processor_payment_link_id}` });
    expect(JSON.parse(event ?? "{}")).toMatchObject({ refused_payment_method_types: refused });
  });

  it("falls back to the default set where all are refused, and says so by the event", async () => {
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "refuse_method", method: "klarna" });
    const { body } = await create({ payment_link: { payment_method_types: ["klarna"] } });
    expect((await made(body.processor_payment_link_id)).payment_method_types).toEqual(["card", "link"]);
    const event = await fieldOf(events, "payload", { cause: `payment_method.refused:${body.processor_payment_link_id}` });
    expect(JSON.parse(event ?? "{}")).toMatchObject({ refused_payment_method_types: ["klarna"] });
  });

  it("drops all that are only passed on after two refusals: a request has a constant bound of calls", async () => {
    const invented = Array.from({ length: 20 }, (_, index) => `brand_new_${index}`);
    for (const method of invented)
      await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "refuse_method", method });
    const since = Date.now();
    const { body } = await create({ payment_link: { payment_method_types: ["card", ...invented] } });
    await control("/faults", undefined, "DELETE");
    expect((await made(body.processor_payment_link_id)).payment_method_types).toEqual(["card"]);
    expect((await processorCalls(since)).filter(({ method }) => method === "POST")).toHaveLength(3);
    const event = await fieldOf(events, "payload", { cause: `payment_method.refused:${body.processor_payment_link_id}` });
    expect(JSON.parse(event ?? "{}").refused_payment_method_types.toSorted()).toEqual(invented.toSorted());
  });

  // interface L.9
  it("does not drop one that is vouched for", async () => {
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "refuse_method", method: "card" });
    expect((await create({ payment_link: { payment_method_types: ["card", "link"] } })).body).toMatchObject({
      error_code: "stripe_error",
      error_message: expect.stringContaining("card"),
    });
  });
});

describe("when the processor fails", () => {
  // interface E.2
  it("passes on why it refused, without a retry", async () => {
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "http_400" });
    const { body } = await create();
    expect(body).toMatchObject({ success: false, error_code: "stripe_error", error_message: expect.stringMatching(/.{10}/) });
    expect((await processorCalls()).filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  // interface G.9
  it("answers stripe_error after 25 seconds without an answer", async () => {
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "timeout", ms: 60_000 });
    const startedAt = Date.now();
    expect((await create()).body).toMatchObject({ error_code: "stripe_error", error_message: expect.stringContaining("in time") });
    expect(Date.now() - startedAt).toBeLessThan(40_000);
  });

  it("says which key it made for a request without one that got no answer in time: a repeat with it makes no second link", async () => {
    const jump = virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "timeout", ms: 60_000 });
    const { idempotency_key: _key, ...request } = link();
    const { error_code, error_message } = (await callV1(LINK, request)).body;
    expect([error_code, error_message]).toEqual(["stripe_error", expect.stringContaining("Without it, another link is made.")]);
    // The processor ends what it began meanwhile.
    jump(60_000);
    const again = await callV1(LINK, { ...request, idempotency_key: keyIn(error_message) });
    expect(again.body).toMatchObject({ success: true, idempotency_key: keyIn(error_message) });
    expect(await objects("payment_links")).toHaveLength(1);
    // With a key of its own, there is no other to be told.
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "timeout", ms: 60_000 });
    expect((await create()).body.error_message).toMatch(/with the same idempotency_key: nothing is created twice\.$/);
  });

  it("says the key, too, where the short link is missing, and not where the request was refused", async () => {
    const { idempotency_key: _key, ...request } = link();
    const broken = breakShortLinks();
    const { error_code, error_message } = (await callV1(LINK, request)).body;
    broken.mend();
    expect([error_code, error_message]).toEqual(["short_url_unavailable", expect.stringContaining("Without it, another link is made.")]);
    const again = await callV1(LINK, { ...request, idempotency_key: keyIn(error_message) });
    expect(again.body).toMatchObject({
      error_code: "short_url_unavailable",
      error_message: expect.stringMatching(/; the same request then/),
    });
    expect(await objects("payment_links")).toHaveLength(1);
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "http_400" });
    expect((await callV1(LINK, request)).body.error_message).not.toMatch(UUID);
  });

  // interface E.9, G.5
  it.each(["http_500", "http_429", "reset"])("says nothing of the processor's own after %s", async (kind) => {
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 99, kind });
    const { status, body } = await create();
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, error_code: "stripe_error" });
    expect(JSON.stringify(body)).not.toMatch(/sk_|req_|stack|api_error|http:\/\//);
  });
});
