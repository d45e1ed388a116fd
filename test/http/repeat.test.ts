import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cardProducts, idempotencyRecords } from "../../src/db/schema/index.ts";
import { forgetDeps } from "../../src/deps.ts";
import { BANK, bankCart, CART, CODE, call, callV1, cart, keys, LINK, link, promotion } from "../support/api.ts";
import { pass, realTime, SECOND } from "../support/later.ts";
import { costs, countEffects } from "../support/observe.ts";
import { control } from "../support/stack.ts";
import { emptyTables, updateRows } from "../support/tables.ts";

/** A repeat of a creation that this isolate has answered lately: the key is checked, and the key's object asked. */

beforeEach(async () => {
  await control("/reset", {});
  await emptyTables(idempotencyRecords);
  forgetDeps();
});
afterEach(async () => {
  realTime();
  await env.DIRECTORY.exec("UPDATE partners SET status = 'active' WHERE id = 'acme'");
  await updateRows(cardProducts, { moderation: "approved" }, { processor_product_id: "prod_acmeTestUsd1" });
});

const creations = [
  { operation: CART, body: cart, ask: (body: object) => call(CART, body), mark: { duplicate: true } },
  { operation: BANK, body: bankCart, ask: (body: object) => call(BANK, body), mark: { duplicate: true } },
  { operation: LINK, body: link, ask: (body: object) => callV1(LINK, body), mark: { is_replay: true } },
  { operation: CODE, body: promotion, ask: (body: object) => callV1(CODE, body), mark: { is_replay: true } },
];

describe.each(creations)("a repeat of $operation", ({ body, ask, mark }) => {
  it("is answered as it would be without memory, by the trip of the key alone", async () => {
    const sent = body();
    const first = await ask(sent);
    expect(first.body).toMatchObject({ success: true });
    const { result: quick, counts } = await countEffects(() => ask(sent));
    expect(counts).toEqual(costs({ d1: 1, recall: 1 }));
    forgetDeps();
    const slow = await countEffects(() => ask(sent));
    expect(slow.counts.object).toBe(1);
    expect(quick.body).toEqual(slow.result.body);
    expect(quick.body).toEqual({ ...(first.body as object), ...mark });
  });

  it("is found out anew where its object remembers nothing", async () => {
    const sent = body();
    const first = await ask(sent);
    await abortAllDurableObjects();
    expect((await ask(sent)).body).toEqual({ ...(first.body as object), ...mark });
    expect(await env.CELL_1.prepare("SELECT count(*) AS n FROM idempotency_records").first("n")).toBe(1);
  });
});

describe("a cart's repeat", () => {
  it("belongs to its partner, and to a key that still works", async () => {
    const sent = cart();
    await call(CART, sent);
    expect((await call(CART, sent, keys.globex)).body).toMatchObject({ error_code: "CROSS_TENANT_ATTEMPT" });
    expect((await call(CART, sent, keys.powerless)).body).toMatchObject({ error_code: "PERMISSION_DENIED" });
    await env.DIRECTORY.exec("UPDATE partners SET status = 'disabled' WHERE id = 'acme'");
    expect((await call(CART, sent)).body).toMatchObject({ error_code: "INVALID_API_KEY" });
  });

  it("is checked anew where a product has changed: a product that is no longer approved is refused", async () => {
    const sent = cart();
    await call(CART, sent);
    const moderate = (moderation: string) => updateRows(cardProducts, { moderation }, { processor_product_id: "prod_acmeTestUsd1" });
    await moderate("rejected");
    expect((await call(CART, sent)).body).toMatchObject({ error_code: "PRODUCT_NOT_APPROVED" });
    await moderate("approved");
    expect((await call(CART, sent)).body).toMatchObject({ success: true, duplicate: true });
  });

  it.each([
    ["is changed", "UPDATE card_products SET updated_at = updated_at WHERE id = 'card_acmeDraft'"],
    [
      "is added",
      "INSERT INTO ruble_products SELECT 999, partner_id, name, currency, unit_amount, terminal, vat, moderation, 0, 0, 1 FROM ruble_products LIMIT 1",
    ],
    ["is deleted", "DELETE FROM ruble_products WHERE id = 999"],
  ])("is planned anew once where another product %s", async (_how, change) => {
    const sent = cart();
    const first = await call(CART, sent);
    await env.DIRECTORY.exec(change);
    const again = { ...(first.body as object), duplicate: true };
    for (const planned of [1, 0]) {
      const { result, counts } = await countEffects(() => call(CART, sent));
      expect([result.body, counts.object]).toEqual([again, planned]);
    }
  });

  it("with another body under its token is a conflict", async () => {
    const sent = cart();
    await call(CART, sent);
    const other = { ...sent, allow_promotion_codes: true };
    expect((await call(CART, other)).body).toMatchObject({ success: false, error_code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD" });
  });

  it.each([
    [59, 0],
    [60, 1],
  ])("is remembered for a minute: after %i seconds, the request is planned %i times anew", async (seconds, planned) => {
    const sent = cart();
    pass(0);
    await call(CART, sent);
    pass(seconds * SECOND);
    const { result, counts } = await countEffects(() => call(CART, sent));
    expect(result.body).toMatchObject({ success: true, duplicate: true });
    expect(counts.object).toBe(planned);
  });
});

it("a link without a key is another link each time", async () => {
  const { idempotency_key: _, ...sent } = link() as { idempotency_key: string };
  const first = await callV1(LINK, sent);
  const second = await callV1(LINK, sent);
  expect(second.body).toMatchObject({ success: true, is_replay: false });
  expect(second.body).not.toMatchObject({ short_url_id: (first.body as { short_url_id: string }).short_url_id });
});
