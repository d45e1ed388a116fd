import { describe, expect, it } from "vitest";
import { endpoints, idempotencyRecords, refusedRequests, rubleProducts } from "../../src/db/schema/index.ts";
import { BANK, bankCart, CART, CODE, cart, keys, LINK, link, promotion, REGISTER, ROTATE, send } from "../support/api.ts";
import { crashAt, effectsOf } from "../support/crash.ts";
import { countEffects } from "../support/observe.ts";
import { callTool } from "../support/sign-in.ts";
import { countOf, rowsOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

type Sent = Record<string, unknown>;

const isV1 = (operation: string) => [LINK, CODE].includes(operation.split("?")[0] ?? "");

/** A call over HTTP with further headers. */
const ask = (operation: string, body: Sent, headers: Record<string, string> = {}, key: string = keys.acme) =>
  send(isV1(operation) ? `/webhook/${operation}` : `/${operation}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(isV1(operation) ? {} : { "X-Partner-Api-Key": key }), ...headers },
    body: JSON.stringify(isV1(operation) ? { ...body, api_key: key } : body),
  });
const dry = (operation: string, body: Sent, key?: string) => ask(operation, body, { "Dry-Run": "true" }, key);

const DRY = "application/vnd.dry-run+json";
const creations: readonly (readonly [string, () => Sent])[] = [
  [CART, cart],
  [BANK, bankCart],
  [LINK, link],
  [CODE, promotion],
  [REGISTER, () => ({ test_url: "https://shop.example/in", client_token: crypto.randomUUID() })],
];

describe.each(creations)("a dry run of %s", (operation, body) => {
  it("says create and leaves no record, no object and no row; the same request then makes what it said", async () => {
    const sent = body();
    const records = await countOf(idempotencyRecords);
    const { result, counts } = await countEffects(() => dry(operation, sent));
    expect(result.headers.get("Content-Type")).toBe(DRY);
    expect(result.body).toMatchObject({ success: true, dry_run: true, outcome: "create", answer: null });
    expect([counts.processor, counts.bank]).toEqual([0, 0]);
    expect(await countOf(idempotencyRecords)).toBe(records);
    // Twice is the same: the first left nothing.
    expect((await dry(operation, sent)).body).toEqual(result.body);
    expect((await ask(operation, sent)).body).toMatchObject({ success: true });
    expect(await countOf(idempotencyRecords)).toBe(records + 1);
  });

  it("of a request that was carried out says repeat, with its answer", async () => {
    const sent = body();
    await ask(operation, sent);
    const repeated = await ask(operation, sent);
    expect((await dry(operation, sent)).body).toEqual({
      success: true,
      dry_run: true,
      outcome: "repeat",
      would_make: null,
      answer: Object.fromEntries(Object.entries(repeated.body).filter(([name]) => name !== "success")),
    });
  });

  it("is refused as the request would be: another content under the key, a key without the permission", async () => {
    const sent = body();
    await ask(operation, sent);
    const other =
      operation === REGISTER ? { ...sent, test_url: "https://shop.example/other" } : { ...body(), ...keyOf(sent), ...OTHER[operation] };
    const refused = await dry(operation, other);
    expect(refused.body).toMatchObject({ success: false });
    expect(refused.body).toEqual((await ask(operation, other)).body);
    const denied = await dry(operation, body(), keys.powerless);
    expect(denied.body).toMatchObject({ success: false, error_code: isV1(operation) ? "forbidden" : "PERMISSION_DENIED" });
  });

  it("counts only where the header says true or false, by its own name", async () => {
    const records = await countOf(idempotencyRecords);
    for (const headers of [
      { "Dry-Run": "yes" },
      { "Dry-Run": "" },
      { "X-Dry-Run": "true" },
      { DryRun: "true" },
      { "Dry-Run": "false", "X-Dry-Run": "true" },
    ]) {
      const { body: answer } = await ask(operation, body(), headers);
      expect(answer).toMatchObject({ success: false, error_code: isV1(operation) ? "invalid_input" : "INVALID_INPUT" });
      expect(answer.error_message).toMatch(/Nothing was done/);
    }
    // In the body it would be ignored by the first generation, and make what it should not.
    expect((await ask(operation, { ...body(), dry_run: true })).body.error_message).toMatch(/send the header Dry-Run: true/);
    expect((await ask(`${operation}?dry_run=true`, body())).body.error_message).toMatch(/send the header Dry-Run: true/);
    expect(await countOf(idempotencyRecords)).toBe(records);
    expect((await ask(operation, body(), { "Dry-Run": "False" })).body).not.toHaveProperty("dry_run");
  });
});

const keyOf = ({ client_token, idempotency_key }: Sent): Sent => (client_token === undefined ? { idempotency_key } : { client_token });
const OTHER: Readonly<Record<string, Sent>> = {
  [CART]: { allow_promotion_codes: true },
  [BANK]: { customer_email: "another@example.com" },
  [LINK]: { price: { unit_amount: 2501 } },
  [CODE]: { percent_off: 99 },
};

const made = async (operation: string, body: Sent) => (await dry(operation, body)).body.would_make;
const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

describe("what a dry run says", () => {
  it("of a cart: its lines and its total, as a program and as a person reads it", async () => {
    expect(await made(CART, cart())).toEqual({
      kind: "payment_link",
      environments: ["test"],
      price: { amount: 7700, major_amount: 77, currency: "USD", text: "77.00 USD", interval: null, interval_count: null, trial_days: 0 },
      items: [
        { product_id: "prod_acmeTestUsd1", name: expect.any(String), quantity: 1, unit_amount: 1900, amount: 1900, major_amount: 19 },
        { product_id: "prod_acmeTestUsd2", name: expect.any(String), quantity: 2, unit_amount: 2900, amount: 5800, major_amount: 58 },
      ],
      discount: null,
      webhooks: [],
      checkout: {
        payment_method_types: ["card", "link"],
        allow_promotion_codes: false,
        success_url: null,
        fail_url: null,
        order_reference: null,
      },
      warnings: [],
    });
    const { checkout } = await made(CART, cart({ success_url: "https://shop.example/thanks", allow_promotion_codes: true }));
    expect(checkout).toMatchObject({ success_url: "https://shop.example/thanks", allow_promotion_codes: true });
  });

  it("of a subscription: the price of a period, its trial, and that it renews", async () => {
    const body = link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 990, interval_count: 2, trial_days: 14 } });
    const { price, warnings } = await made(LINK, body);
    expect(price).toMatchObject({ amount: 990, interval: "month", interval_count: 2, trial_days: 14 });
    expect(codes({ warnings })).toEqual(["renews"]);
  });

  it("of a ruble payment: the lines of the receipt at the catalogue's prices, and nothing of the customer", async () => {
    const { body, text } = await dry(BANK, bankCart());
    expect(body.would_make).toMatchObject({ kind: "ruble_payment", price: { currency: "RUB", interval: null }, warnings: [] });
    const { price, items } = body.would_make;
    expect(items.map(({ amount }: { amount: number }) => amount).reduce((sum: number, one: number) => sum + one, 0)).toBe(price.amount);
    expect((await ask(BANK, bankCart())).body.amount_kopecks).toBe(price.amount);
    expect(text).not.toContain("buyer@example.com");
  });

  it("of a code: its terms; that it has no end, and that everything is free", async () => {
    const { discount, warnings } = await made(CODE, promotion({ code: "dry-1", percent_off: 100 }));
    expect(discount).toMatchObject({ code: "DRY-1", percent_off: 100, duration: "once", max_redemptions: null, expires_at: null });
    expect(codes({ warnings })).toEqual(["everything_free", "code_without_end"]);
    expect(codes(await made(CODE, promotion({ percent_off: 99, max_redemptions: 1 })))).toEqual([]);
    expect(codes(await made(CODE, promotion({ expires_at: "2099-01-01" })))).toEqual([]);
  });

  it("of live money, of methods that the link may not get, and of a request without a token", async () => {
    const live = { items: [{ stripe_product_id: "prod_acmeLiveUsd1", unit_amount: 100, quantity: 1 }] };
    expect(codes(await made(CART, live))).toEqual(["real_money", "no_key"]);
    const methods = await made(CART, cart({ payment_method_types: ["card", "visa", "crypto"] }));
    expect(methods.warnings).toEqual([
      { code: "payment_method_not_known", about: "visa", message: expect.stringContaining("visa") },
      { code: "payment_method_left_out", about: "crypto", message: expect.stringContaining("crypto") },
    ]);
  });

  it("of webhooks: where events go, and that it replaces the former address, with a token or without", async () => {
    const before = await countOf(endpoints);
    for (const token of [{}, { client_token: crypto.randomUUID() }]) {
      const { body } = await dry(REGISTER, { live_url: "https://shop.example/secret-path", ...token }, keys.globex);
      expect(body.would_make).toMatchObject({
        kind: "webhook",
        webhooks: [{ environment: "live", url: "https://shop.example/secret-path" }],
      });
      expect(codes(body.would_make)).toEqual(["replaces_url"]);
    }
    expect(await countOf(endpoints)).toBe(before);
    await ask(REGISTER, { test_url: "https://shop.example/in" });
    const rotation = { environment: "test", client_token: crypto.randomUUID() };
    expect(await made(ROTATE, rotation)).toMatchObject({ kind: "signing_secret", environments: ["test"], price: null });
    expect(codes(await made(ROTATE, rotation))).toEqual(["old_secret_ends"]);
  });
});

describe("a dry run beside other work", () => {
  it("of a request that was interrupted says complete, and does not go on with it", async () => {
    const sent = cart();
    const effects = await effectsOf(() => ask(CART, cart()));
    const crash = crashAt(effects.indexOf("processor"), "after", 2);
    await ask(CART, sent).catch(() => undefined);
    expect(crash.crashed()).toBe(true);
    const { result, counts } = await countEffects(() => dry(CART, sent));
    expect([result.body.outcome, counts.processor]).toEqual(["complete", 0]);
    expect(result.body.would_make.price.amount).toBe(7700);
  });

  it("of one that was interrupted shows its own price, whatever the catalogue says by now", async () => {
    const sent = bankCart({ items: [{ product_id: 1001, quantity: 1 }] });
    const effects = await effectsOf(() => ask(BANK, bankCart()));
    crashAt(effects.indexOf("bank"), "after", 2);
    await ask(BANK, sent).catch(() => undefined);
    const [row] = await rowsOf(rubleProducts, { id: 1001 });
    await updateRows(rubleProducts, { unit_amount: Number(row?.unit_amount) + 1 }, { id: 1001 });
    const { body } = await dry(BANK, sent);
    await updateRows(rubleProducts, { unit_amount: Number(row?.unit_amount) }, { id: 1001 });
    expect([body.outcome, body.would_make.price.amount]).toEqual(["complete", row?.unit_amount]);
  });

  it("that is refused is not kept among the partner's refused requests", async () => {
    const before = await countOf(refusedRequests);
    await dry(CART, cart({ items: [] }));
    await ask(CART, cart({ items: [] }));
    await until(async () => expect(await countOf(refusedRequests)).toBe(before + 1));
    expect(await countOf(refusedRequests)).toBe(before + 1);
  });

  it("is refused where there is none, and ignored where nothing could change", async () => {
    const headers = { "Content-Type": "application/json", "X-Partner-Api-Key": keys.acme, "Dry-Run": "true" };
    const form = { ...headers, "Content-Type": "application/x-www-form-urlencoded" };
    const cancelled = await send("/webhook/cancel_subscription_at_period_end?subscription_id=sub_1", {
      method: "POST",
      headers: form,
      body: "cancel_at_period_end=true",
    });
    expect([cancelled.status, cancelled.text]).toEqual([400, expect.stringContaining("Nothing was done")]);
    const inBody = await send("/webhook/cancel_subscription_at_period_end?subscription_id=sub_1", {
      method: "POST",
      headers: { "Content-Type": form["Content-Type"], "X-Partner-Api-Key": keys.acme },
      body: "cancel_at_period_end=true&dry_run=true",
    });
    expect([inBody.status, inBody.text]).toEqual([400, expect.stringContaining("Nothing was done")]);
    const tool = await callTool(CART, cart(), { "X-Partner-Api-Key": keys.acme, "Dry-Run": "true" });
    expect(tool.body.result.structuredContent).toMatchObject({
      error_code: "INVALID_INPUT",
      error_message: expect.stringContaining("Nothing was done"),
    });
    const revoked = await send("/partner/keys/key_1/revoke", { method: "POST", headers, body: "{}" });
    expect([revoked.status, revoked.text]).toEqual([400, expect.stringContaining("Nothing was done")]);
    const listed = await ask("list-partner-processor-transactions", {}, { "Dry-Run": "true" });
    expect(listed.body).toMatchObject({ success: true, transactions: expect.any(Array) });
  });
});
