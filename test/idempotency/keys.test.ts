import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { cardProducts, paymentLinks } from "../../src/db/schema/index.ts";
import { upstreamKeyOf } from "../../src/idempotency/key.ts";
import { CART, call, cart, keys, REGISTER } from "../support/api.ts";
import { DAY, MINUTE, pass, realTime } from "../support/later.ts";
import { aroundEffects, resetEffects } from "../support/observe.ts";
import { isFull } from "../support/scale.ts";
import { control, objects, processorCalls } from "../support/stack.ts";
import { updateRows } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

afterEach(() => {
  resetEffects();
  realTime();
});

// interface T.4
describe("with a client_token", () => {
  // interface L.4, T.3
  it("answers every repeat with the first result, a year later too", async () => {
    const body = cart();
    const first = await call(CART, body);
    pass(365 * DAY);
    const later = await call(CART, body);
    expect(later.body).toEqual({ ...first.body, duplicate: true });
  });

  // interface 8.6
  it("sees the same cart in any order of items, methods and JSON keys", async () => {
    const body = cart({ payment_method_types: ["card", "link"] });
    const first = await call(CART, body);
    const { items, ...rest } = body;
    const reordered = {
      ...rest,
      payment_method_types: ["link", "card"],
      items: items.toReversed(),
      allow_promotion_codes: false,
    };
    expect((await call(CART, reordered)).body).toEqual({ ...first.body, duplicate: true });
  });

  // interface 8.6
  it.each([
    ["another quantity", { items: [{ stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 2 }] }],
    ["another amount", { items: [{ stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1901, quantity: 1 }] }],
    ["another product", { items: [{ stripe_product_id: "prod_acmeTestUsd2", unit_amount: 1900, quantity: 1 }] }],
    ["promotion codes", { allow_promotion_codes: true }],
    ["a success URL", { success_url: "https://shop.example/thanks" }],
    ["methods", { payment_method_types: ["card"] }],
    ["a currency, also the products' own", { currency: "USD" }],
    // interface E.7
  ])("refuses the token for a payload with %s", async (_what, change) => {
    const body = cart({ items: [{ stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 }] });
    await call(CART, body);
    const reused = await call(CART, { ...body, ...change });
    expect(reused.body).toMatchObject({ success: false, error_code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD" });
    expect((await call(CART, body)).body).toMatchObject({ success: true, duplicate: true });
  });

  // interface T.7
  it("keeps partners and operations apart", async () => {
    const client_token = crypto.randomUUID();
    const acme = await call(CART, { items: [{ stripe_product_id: "prod_acmeLiveUsd1", unit_amount: 100, quantity: 1 }], client_token });
    const globex = await call(
      CART,
      { items: [{ stripe_product_id: "prod_globexLiveUsd1", unit_amount: 100, quantity: 1 }], client_token },
      keys.globex,
    );
    const webhook = await call(REGISTER, { live_url: "https://shop.example/hook", client_token });
    for (const { body } of [acme, globex, webhook]) expect(body.success).toBe(true);
    expect(globex.body).toMatchObject({ duplicate: false });
  });

  // interface E.8, T.2, T.4
  it("says that the first request is still running, and then gives its result", async () => {
    const body = cart();
    let releaseBatch = () => {};
    const held = new Promise<void>((resolve) => {
      releaseBatch = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      aroundEffects(async (effect, perform) => {
        if (effect === "processor") {
          resolve();
          await held;
        }
        return perform();
      });
    });
    const first = call(CART, body);
    await reached;
    expect((await call(CART, body)).body).toMatchObject({ success: false, error_code: "OPERATION_IN_PROGRESS" });
    expect((await call(CART, { ...body, allow_promotion_codes: true })).body).toMatchObject({
      error_code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD",
    });
    releaseBatch();
    const result = await first;
    expect(result.body).toMatchObject({ success: true, duplicate: false });
    expect((await call(CART, body)).body).toEqual({ ...result.body, duplicate: true });
  });

  const AT_ONCE = isFull ? 100 : 30;

  it(`makes one link of ${AT_ONCE} requests at once`, async () => {
    const before = (await objects("payment_links")).length;
    const body = cart();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => call(CART, body)));
    const codes = new Set(answers.map((answer) => answer.body.error_code ?? (answer.body.duplicate === true ? "duplicate" : "made")));
    expect(answers.filter((answer) => answer.body.duplicate === false)).toHaveLength(1);
    expect([...codes].every((code) => ["made", "duplicate", "OPERATION_IN_PROGRESS"].includes(String(code)))).toBe(true);
    expect((await objects("payment_links")).length - before).toBe(1);
  });

  // interface E.8, T.5
  it("is terminal once the attempt failed, and a new token is a new attempt", async () => {
    const body = cart();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "http_400" });
    const failed = await call(CART, body);
    expect(failed.body).toMatchObject({ success: false, error_code: "INTEGRATION_UPSTREAM_ERROR" });
    const since = Date.now() + 1;
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect((await call(CART, body)).body).toMatchObject({ success: false, error_code: "PREVIOUS_ATTEMPT_FAILED" });
    expect(await processorCalls(since)).toEqual([]);
    expect((await call(CART, { ...body, client_token: crypto.randomUUID() })).body).toMatchObject({ success: true, duplicate: false });
  });

  it("leaves no trace of a request that was refused before the record", async () => {
    const body = cart();
    expect((await call(CART, { ...body, currency: "EUR" })).body).toMatchObject({ error_code: "INVALID_INPUT" });
    expect((await call(CART, body)).body).toMatchObject({ success: true, duplicate: false });
  });
});

describe("without a client_token", () => {
  // interface T.8
  it("knows a cart by its content for 24 hours from completion", async () => {
    const { client_token: _, ...body } = cart({ success_url: "https://shop.example/content" });
    const first = await call(CART, body);
    expect(first.body).toMatchObject({ success: true, duplicate: false });
    pass(DAY - MINUTE);
    expect((await call(CART, body)).body).toEqual({ ...first.body, duplicate: true });
    pass(2 * MINUTE);
    const anew = await call(CART, body);
    expect(anew.body).toMatchObject({ success: true, duplicate: false });
    expect(anew.body.payment_link_id).not.toBe(first.body.payment_link_id);
  });

  // interface 8.6
  it("knows the products' own currency as the one that is left out", async () => {
    const { client_token: _, ...body } = cart({ success_url: "https://shop.example/own-currency" });
    const first = (await call(CART, body)).body;
    expect((await call(CART, { ...body, currency: "USD" })).body).toEqual({ ...first, duplicate: true });
  });

  // interface T.8
  it("gives a new link once the first is closed, and the first again once it is open; a token's link stays its link", async () => {
    const { client_token, ...body } = cart({ success_url: "https://shop.example/closed" });
    const [first, ofToken] = [(await call(CART, body)).body, (await call(CART, { ...body, client_token })).body];
    const setOpen = (id: string, disabled_at: number | null) => updateRows(paymentLinks, { disabled_at }, { id });
    for (const { payment_link_id } of [first, ofToken]) await setOpen(payment_link_id, Date.now());
    // A request that may not start anything creates nothing, and leaves the first record as it is.
    await updateRows(cardProducts, { moderation: "rejected" }, { processor_product_id: "prod_acmeTestUsd1" });
    expect((await call(CART, body)).body).toMatchObject({ error_code: "PRODUCT_NOT_APPROVED" });
    await updateRows(cardProducts, { moderation: "approved" }, { processor_product_id: "prod_acmeTestUsd1" });
    await setOpen(first.payment_link_id, null);
    expect((await call(CART, body)).body).toEqual({ ...first, duplicate: true });
    await setOpen(first.payment_link_id, Date.now());

    const anew = (await call(CART, body)).body;
    expect(anew).toMatchObject({ success: true, duplicate: false });
    expect(anew.payment_link_id).not.toBe(first.payment_link_id);
    expect((await call(CART, body)).body).toEqual({ ...anew, duplicate: true });
    expect((await call(CART, { ...body, client_token })).body).toEqual({ ...ofToken, duplicate: true });
  });

  it("makes one new link for all that ask at once after the first is closed", async () => {
    const { client_token: _, ...body } = cart({ success_url: "https://shop.example/closed-at-once" });
    const first = (await call(CART, body)).body;
    await updateRows(paymentLinks, { disabled_at: Date.now() }, { id: first.payment_link_id });
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(CART, body)));
    const made = new Set(answers.flatMap(({ body: { payment_link_id } }) => payment_link_id ?? []));
    expect(made.size).toBe(1);
    expect(made.has(first.payment_link_id)).toBe(false);
    expect(answers.filter(({ body: { duplicate } }) => duplicate === false)).toHaveLength(1);
  });

  // interface T.8
  it("is not blocked by a failed attempt", async () => {
    const { client_token: _, ...body } = cart({ success_url: "https://shop.example/after-failure" });
    await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "http_400" });
    expect((await call(CART, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    expect((await call(CART, body)).body).toMatchObject({ success: true, duplicate: false });
  });

  it("goes on under the old upstream key while nobody knows what became of the first call", async () => {
    const before = (await objects("payment_links")).length;
    const { client_token: _, ...body } = cart({ success_url: "https://shop.example/unknown-outcome" });
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.create", times: 99, kind: "reset_after" });
    expect((await call(CART, body)).body).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    await control("/faults", undefined, "DELETE");
    realTime();
    expect((await call(CART, body)).body).toMatchObject({ success: true, duplicate: false });
    expect((await objects("payment_links")).length - before).toBe(1);
  });
});

// interface T.6
it("gives a step the same upstream key in every try of an attempt, and another in the next attempt", async () => {
  const record = { id: "record", createdAt: 1, attempt: 1 };
  const key = await upstreamKeyOf(record, "payment_link", "");
  expect(await upstreamKeyOf({ ...record }, "payment_link", "")).toBe(key);
  const others = [
    [{ ...record, id: "other" }, "payment_link", ""],
    [{ ...record, attempt: 2 }, "payment_link", ""],
    [{ ...record, createdAt: 2 }, "payment_link", ""],
    [record, "coupon", ""],
    [record, "payment_link", "klarna"],
  ] as const;
  for (const [other, step, variant] of others) expect(await upstreamKeyOf(other, step, variant)).not.toBe(key);
  expect(key.length).toBeLessThanOrEqual(255);
});

it("keeps no secret in a record", async () => {
  const { body } = await call(REGISTER, { live_url: "https://shop.example/hook", client_token: "secret-keeper" }, keys.globex);
  const secret: string = body.registered[0].signing_secret;
  const rows = await env.CELL_1.prepare("SELECT * FROM idempotency_records").all();
  expect(JSON.stringify(rows.results)).not.toContain(secret);
  const encrypted = await env.CELL_1.prepare("SELECT encrypted FROM endpoint_secrets").all();
  expect(JSON.stringify(encrypted.results)).not.toContain(secret);
});
