import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idempotencyRecords } from "../../src/db/schema/index.ts";
import { CODE, callV1, keyFor, keys, promotion, send } from "../support/api.ts";
import { DAY, MINUTE, pass, realTime } from "../support/later.ts";
import { changeObject } from "../support/objects.ts";
import { control, objects, processorCalls } from "../support/stack.ts";
import { countOf } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

beforeEach(() => control("/reset", {}));
afterEach(realTime);

const create = (overrides: Record<string, unknown> = {}, key: string | null = keys.acme) => callV1(CODE, promotion(overrides), key);
const bulk = (count: number) => Array.from({ length: count }, (_, index) => `prod_acmeBulk${String(index + 1).padStart(2, "0")}`);
const inMilliseconds = (wait: number) => new Date(Date.now() + wait).toISOString();

/** What the processor holds: coupons and codes, as [coupons, codes]. */
const held = async () => [(await objects("coupons")).length, (await objects("promotion_codes")).length];

describe("what it makes", () => {
  // interface G.4, 2.2, 2.5, 2.8, 2.9
  it("a coupon for the products and a code on it, in upper case", async () => {
    const startedAt = Date.now();
    const { status, body } = await create({ code: "Summer-26", idempotency_key: "summer" });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      stripe_coupon_id: expect.any(String),
      stripe_promotion_code_id: expect.stringMatching(/^promo_/),
      code: "SUMMER-26",
      percent_off: 20,
      duration: "once",
      duration_in_months: null,
      max_redemptions: null,
      expires_at: null,
      stripe_product_ids: ["prod_acmeTestUsd1", "prod_acmeTestUsd2"],
      is_test: true,
      idempotency_key: "summer",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      is_replay: false,
      is_retry: false,
      retry_count: 0,
    });
    expect(Date.parse(body.created_at)).toBeGreaterThanOrEqual(startedAt);
    expect(await objects("coupons")).toMatchObject([
      {
        id: body.stripe_coupon_id,
        livemode: false,
        percent_off: 20,
        duration: "once",
        applies_to: { products: ["prod_acmeTestUsd1", "prod_acmeTestUsd2"] },
        name: "SUMMER-26",
      },
    ]);
    expect(await objects("promotion_codes")).toMatchObject([
      { id: body.stripe_promotion_code_id, code: "SUMMER-26", active: true, promotion: { type: "coupon", coupon: body.stripe_coupon_id } },
    ]);
  });

  // interface 2.5, 2.7
  it("with every parameter, live", async () => {
    const expires_at = new Date(Math.ceil(Date.now() / 1000) * 1000 + DAY).toISOString();
    const { body } = await create({
      stripe_product_ids: ["prod_acmeLiveMonthly1", "prod_acmeLiveUsd1"],
      percent_off: 100,
      duration: "repeating",
      duration_in_months: 3,
      max_redemptions: 50,
      expires_at,
      source: "mcp",
    });
    expect(body).toMatchObject({ duration: "repeating", duration_in_months: 3, max_redemptions: 50, expires_at, is_test: false });
    expect(await objects("coupons")).toMatchObject([{ livemode: true, percent_off: 100, duration: "repeating", duration_in_months: 3 }]);
    expect(await objects("promotion_codes")).toMatchObject([{ max_redemptions: 50, expires_at: Date.parse(expires_at) / 1000 }]);
    const row = await env.CELL_1.prepare(
      "SELECT partner_id, source, code, json_array_length(product_ids) AS products FROM promotion_codes WHERE id = ?",
    )
      .bind(body.stripe_promotion_code_id)
      .first();
    expect(row).toEqual({ partner_id: "acme", source: "mcp", code: body.code, products: 2 });
  });

  it("the same coupon whether a product is named once or twice", async () => {
    const { body } = await create({ stripe_product_ids: ["prod_acmeTestUsd1", "prod_acmeTestUsd1"] });
    expect(body).toMatchObject({ success: true, stripe_product_ids: ["prod_acmeTestUsd1"] });
  });

  // interface 2.8
  it("keeps created_at over failed attempts and in replays", async () => {
    await control("/faults", { target: "processor", call: "coupons.create", times: 1, kind: "http_400" });
    const body = promotion();
    const startedAt = Date.now();
    await callV1(CODE, body);
    pass(5 * MINUTE);
    const made = await callV1(CODE, body);
    expect(Date.parse(made.body.created_at) - startedAt).toBeLessThan(MINUTE);
    pass(5 * MINUTE);
    expect((await callV1(CODE, body)).body).toMatchObject({ is_replay: true, created_at: made.body.created_at });
  });
});

describe("limits, on both sides", () => {
  it.each<[string, Record<string, unknown>]>([
    ["50 products", { stripe_product_ids: bulk(50) }],
    ["a code of one character", { code: "Q" }],
    ["a code of 500 characters", { code: `${"A1-".repeat(166)}zZ` }],
    ["1 percent", { percent_off: 1 }],
    ["100 percent", { percent_off: 100 }],
    ["forever", { duration: "forever" }],
    ["one month", { duration: "repeating", duration_in_months: 1 }],
    ["one redemption", { max_redemptions: 1 }],
    ["an end with an offset", { expires_at: "2090-01-31T23:59:59+03:00" }],
    ["an end that is a date", { expires_at: "2090-01-31" }],
    ["a key of one character", { idempotency_key: "1" }],
    ["a key of 128 characters", { idempotency_key: "k".repeat(128) }],
    // interface 2.2, 2.3, 2.5, 2.7
  ])("takes %s", async (_what, overrides) => {
    expect((await create(overrides)).body).toMatchObject({ success: true });
  });

  it.each<[string, Record<string, unknown>]>([
    ["no products", { stripe_product_ids: undefined }],
    ["an empty list of products", { stripe_product_ids: [] }],
    ["51 products", { stripe_product_ids: bulk(51) }],
    ["a product id of another shape", { stripe_product_ids: ["sku_1"] }],
    ["no code", { code: undefined }],
    ["an empty code", { code: "" }],
    ["a code of 501 characters", { code: "A".repeat(501) }],
    ["a code with a blank", { code: "SUMMER 26" }],
    ["a code with an umlaut", { code: "SÄLE" }],
    ["a code that ends in a line break", { code: "SALE\n" }],
    ["no percent_off", { percent_off: undefined }],
    ["0 percent", { percent_off: 0 }],
    ["101 percent", { percent_off: 101 }],
    ["12.5 percent", { percent_off: 12.5 }],
    ["percent in a string", { percent_off: "20" }],
    ["an unknown duration", { duration: "yearly" }],
    ["months without repeating", { duration_in_months: 3 }],
    ["months with forever", { duration: "forever", duration_in_months: 3 }],
    ["repeating without months", { duration: "repeating" }],
    ["repeating for 0 months", { duration: "repeating", duration_in_months: 0 }],
    ["0 redemptions", { max_redemptions: 0 }],
    ["an end in the past", { expires_at: "2020-01-01T00:00:00Z" }],
    ["an end that does not exist", { expires_at: "2090-02-30" }],
    ["an end that is no moment", { expires_at: "next year" }],
    ["an end that is a number", { expires_at: 4_000_000_000 }],
    ["no key", { idempotency_key: undefined }],
    ["an empty key", { idempotency_key: "" }],
    ["a key of 129 characters", { idempotency_key: "k".repeat(129) }],
    ["a key that starts with ingest:", { idempotency_key: "ingest:" }],
    ["an unknown source", { source: "telephone" }],
    // interface E.1, E.3, 2.2, 2.3, 2.5, 2.7
  ])("refuses %s, calls nobody and stores nothing", async (_what, overrides) => {
    const before = await countOf(idempotencyRecords);
    const { status, body } = await create(overrides);
    expect(status).toBe(200);
    expect(body).toEqual({ success: false, error_code: "invalid_input", error_message: expect.stringMatching(/.{5}/) });
    expect((await processorCalls()).filter(({ method }) => method === "POST")).toEqual([]);
    expect(await countOf(idempotencyRecords)).toEqual(before);
  });

  it("measures the end by the clock, to the second", async () => {
    pass(0);
    const now = Date.now();
    const at = (wait: number) => new Date(now + wait).toISOString();
    expect((await create({ expires_at: at(60_000) })).body).toMatchObject({ success: true });
    expect((await create({ expires_at: at(59_999) })).body).toMatchObject({ error_code: "invalid_input" });
  });
});

// interface K.7
describe("who may, and for whose products", () => {
  it.each([
    ["prod_globexLiveUsd1", "product_not_found"],
    ["prod_unknown", "product_not_found"],
    ["prod_acmeDraft", "product_not_approved"],
    ["prod_acmeCorrupt", "product_data_corrupt"],
    // interface E.3
  ])("%s among others gives %s and is named", async (product, error_code) => {
    const { body } = await create({ stripe_product_ids: ["prod_acmeLiveUsd1", product] });
    expect(body).toMatchObject({ success: false, error_code, error_message: expect.stringContaining(product) });
    expect(await held()).toEqual([0, 0]);
  });

  // interface E.3
  it("live and test products do not go together", async () => {
    const { body } = await create({ stripe_product_ids: ["prod_acmeLiveUsd1", "prod_acmeTestUsd1"] });
    expect(body).toMatchObject({ error_code: "mixed_environment", error_message: expect.stringContaining("prod_acmeTestUsd1") });
    expect(await held()).toEqual([0, 0]);
  });

  // interface K.3
  it("takes the key from the header too, which decides where both are given", async () => {
    const post = (header: string, body: object) =>
      send(`/webhook/${CODE}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Partner-Api-Key": header },
        body: JSON.stringify(body),
      });
    expect((await post(keys.acme, promotion())).body).toMatchObject({ success: true });
    expect((await post(keys.revoked, promotion({ api_key: keys.acme }))).body).toMatchObject({ error_code: "unauthorized" });
    expect((await post(keys.acme, promotion({ api_key: keys.revoked }))).body).toMatchObject({ success: true });
  });

  // interface E.3
  it("takes a key with product_create alone", async () => {
    expect((await create({}, keyFor("product_create"))).body).toMatchObject({ success: true });
    expect((await create({}, keyFor("webhook_config"))).body).toMatchObject({ error_code: "forbidden" });
  });
});

describe("a text that is taken", () => {
  // interface E.3, 2.2
  it.each(["TAKEN", "taken", "Taken"])("is refused as %s, by whoever, and leaves nothing behind", async (code) => {
    await create({ code: "taken", stripe_product_ids: ["prod_acmeLiveUsd1"] });
    for (const [key, product] of [
      [keys.acme, "prod_acmeLiveUsd2"],
      [keys.globex, "prod_globexLiveUsd1"],
    ] as const) {
      const { body } = await create({ code, stripe_product_ids: [product] }, key);
      expect(body).toEqual({ success: false, error_code: "code_already_exists", error_message: expect.stringContaining("TAKEN") });
    }
    expect(await held()).toEqual([1, 1]);
  });

  // interface 2.2
  it("is free in the other environment", async () => {
    await create({ code: "BOTH", stripe_product_ids: ["prod_acmeLiveUsd1"] });
    expect((await create({ code: "BOTH", stripe_product_ids: ["prod_acmeTestUsd1"] })).body).toMatchObject({ success: true });
  });

  // interface 2.2
  it("is free again once its code has expired, and the newer row takes its place", async () => {
    const first = await create({ code: "AGAIN", expires_at: inMilliseconds(10 * MINUTE) });
    pass(11 * MINUTE);
    const second = await create({ code: "AGAIN" });
    expect(second.body).toMatchObject({ success: true });
    const rows = await env.CELL_1.prepare(
      "SELECT id, deactivated_at IS NULL AS active FROM promotion_codes WHERE code = 'AGAIN' ORDER BY created_at",
    ).all();
    expect(rows.results).toEqual([
      { id: first.body.stripe_promotion_code_id, active: 0 },
      { id: second.body.stripe_promotion_code_id, active: 1 },
    ]);
  });

  it("can be had under the same key once it is free", async () => {
    await create({ code: "WAIT" });
    const body = promotion({ code: "WAIT" });
    expect((await callV1(CODE, body)).body).toMatchObject({ error_code: "code_already_exists" });
    for (const { id } of await objects("promotion_codes")) await changeObject(id, { active: false });
    expect((await callV1(CODE, body)).body).toMatchObject({ success: true, is_replay: false });
    expect(await held()).toEqual([2, 2]);
  });

  it("among many requests at once is had by one", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ code: "RUSH" })));
    const codes = answers.map(({ body }) => String(body.error_code ?? "made")).toSorted();
    expect(codes).toEqual([...Array.from({ length: 19 }, () => "code_already_exists"), "made"]);
    expect(await held()).toEqual([1, 1]);
  });
});

describe("when the processor refuses", () => {
  // interface E.3, E.9, 2.2
  it("a text with _, its own words come back and the coupon goes", async () => {
    const { body } = await create({ code: "SUMMER_26" });
    expect(body).toMatchObject({ error_code: "stripe_error", error_message: expect.stringContaining("letters, digits and hyphens") });
    expect(await held()).toEqual([0, 0]);
  });

  // interface G.5
  it("says nothing of its own where it is out of order", async () => {
    virtualTime();
    await control("/faults", { target: "processor", call: "promotion_codes.create", times: 99, kind: "http_500" });
    const { status, body } = await create();
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, error_code: "stripe_error" });
    expect(JSON.stringify(body)).not.toMatch(/sk_|req_|stack|api_error|http:\/\//);
  });
});
