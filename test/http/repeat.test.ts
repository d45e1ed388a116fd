import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cardProducts, idempotencyRecords, rubleProducts } from "../../src/db/schema/index.ts";
import { BANK, bankCart, CART, CODE, call, callV1, cart, keys, LINK, link, promotion } from "../support/api.ts";
import { costs, countEffects } from "../support/observe.ts";
import { control } from "../support/stack.ts";
import { countOf, deleteRows, emptyTables, rowOf, rowsOf, updateRows } from "../support/tables.ts";

/** A known key is answered by its record alone, whatever has become of the catalogue since (interface G.6, F.1, T.1). */

const CARD = "prod_acmeTestUsd1";
let [cards, rubles]: [any[], any[]] = [[], []];

beforeEach(async () => {
  await control("/reset", {});
  await emptyTables(idempotencyRecords);
  [cards, rubles] = [await rowsOf(cardProducts), await rowsOf(rubleProducts)];
});
afterEach(async () => {
  await env.DIRECTORY.exec("UPDATE partners SET status = 'active' WHERE id = 'acme'");
  await restore("card_products", cards);
  await restore("ruble_products", rubles);
});

async function restore(table: string, rows: readonly object[]) {
  const put = (row: object) => {
    const names = Object.keys(row);
    const text = `INSERT OR REPLACE INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`;
    return env.DIRECTORY.prepare(text).bind(...Object.values(row));
  };
  await env.DIRECTORY.batch(rows.map(put));
}

const card = (set: object) => () => updateRows(cardProducts, set, { processor_product_id: CARD });
const ruble = (set: object) => () => updateRows(rubleProducts, set, { id: 1001 });

const cardChanges = {
  rejected: card({ moderation: "rejected" }),
  "in moderation again": card({ moderation: "in_review" }),
  repriced: card({ unit_amount: 1 }),
  "given other default methods": card({ payment_method_types: '["card","klarna"]' }),
  damaged: card({ type: "weekly" }),
  deleted: () => deleteRows(cardProducts, { processor_product_id: CARD }),
};
const inAnotherCurrency = { "sold in another currency": card({ currency: "EUR" }) };
const rubleChanges = {
  rejected: ruble({ moderation: "rejected" }),
  repriced: ruble({ unit_amount: 1 }),
  renamed: ruble({ name: "Another" }),
  "sold in another currency": ruble({ currency: "USD" }),
  "moved to another terminal": ruble({ terminal: "second" }),
  "moved to a terminal that no setting has": ruble({ terminal: "gone" }),
  deleted: () => deleteRows(rubleProducts, { id: 1001 }),
};

interface Creation {
  readonly operation: string;
  readonly body: () => object;
  readonly ask: (body: object, key?: string) => Promise<{ body: any }>;
  readonly mark: object;
  readonly conflict: string;
  /** The same request as another one: its first price is one more, or what it has instead. */
  readonly other: object;
  readonly changes: Readonly<Record<string, () => Promise<unknown>>>;
  readonly refusals: readonly string[];
}

const conflictV2 = "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD";
const creations: readonly Creation[] = [
  {
    operation: CART,
    body: cart,
    ask: (body, key) => call(CART, body, key),
    mark: { duplicate: true },
    conflict: conflictV2,
    other: { allow_promotion_codes: true },
    changes: { ...cardChanges, ...inAnotherCurrency },
    refusals: ["PRODUCT_NOT_FOUND", "PRODUCT_NOT_APPROVED", "INVALID_INPUT", "INTERNAL_ERROR"],
  },
  {
    operation: BANK,
    body: bankCart,
    ask: (body, key) => call(BANK, body, key),
    mark: { duplicate: true },
    conflict: conflictV2,
    other: { customer_email: "another@example.com" },
    changes: rubleChanges,
    refusals: ["PRODUCT_NOT_FOUND", "INVALID_INPUT", "INTERNAL_ERROR"],
  },
  {
    operation: LINK,
    body: link,
    ask: (body, key) => callV1(LINK, body, key),
    mark: { is_replay: true },
    conflict: "idempotency_conflict",
    other: { price: { unit_amount: 2501 } },
    changes: cardChanges,
    refusals: ["product_not_found", "product_not_approved", "product_data_corrupt"],
  },
  {
    operation: CODE,
    body: promotion,
    ask: (body, key) => callV1(CODE, body, key),
    mark: { is_replay: true },
    conflict: "idempotency_conflict",
    other: { percent_off: 99 },
    changes: { ...cardChanges, ...inAnotherCurrency },
    refusals: ["product_not_found", "product_not_approved", "product_data_corrupt"],
  },
];

const cases = creations.flatMap((creation) => Object.entries(creation.changes).map(([how, change]) => ({ ...creation, how, change })));

describe.each(cases)("$operation, once its product is $how", ({ body, ask, mark, conflict, other, change, refusals }) => {
  it("gives the stored result to the same request, a conflict to another one, and starts nothing that the catalogue forbids", async () => {
    const sent = body();
    const first = await ask(sent);
    expect(first.body).toMatchObject({ success: true });
    await change();
    const { result: again, counts } = await countEffects(() => ask(sent));
    expect(again.body).toEqual({ ...first.body, ...mark });
    expect([counts.processor, counts.bank]).toEqual([0, 0]);
    expect((await ask({ ...sent, ...other })).body).toMatchObject({ success: false, error_code: conflict });
    const records = await countOf(idempotencyRecords);
    const fresh = await ask(body());
    if (!fresh.body.success) {
      expect(refusals).toContain(fresh.body.error_code);
      expect(await countOf(idempotencyRecords)).toBe(records);
    }
  });
});

const withoutToken = cases.filter(({ operation }) => operation === CART || operation === BANK);

it.each(withoutToken)(
  "$operation without a token, once its product is $how, gives the stored result",
  async ({ body, ask, mark, change }) => {
    const { client_token: _, ...sent } = body() as { client_token: string };
    const first = await ask(sent);
    await change();
    expect((await ask(sent)).body).toEqual({ ...first.body, ...mark });
  },
);

describe.each(creations)("a repeat of $operation", ({ body, ask, mark }) => {
  it("costs one trip for the key with the products, one call of its object, and no row", async () => {
    const sent = body();
    const first = await ask(sent);
    const before = await countOf(idempotencyRecords);
    const { result, counts } = await countEffects(() => ask(sent));
    expect(counts).toEqual(costs({ d1: 1, object: 1 }));
    expect(result.body).toEqual({ ...first.body, ...mark });
    expect(await countOf(idempotencyRecords)).toBe(before);
  });

  it("is read from its record where its object remembers nothing", async () => {
    const sent = body();
    const first = await ask(sent);
    await abortAllDurableObjects();
    const { result, counts } = await countEffects(() => ask(sent));
    expect(result.body).toEqual({ ...first.body, ...mark });
    expect(counts).toEqual(costs({ d1: 2, object: 1 }));
    expect(await countOf(idempotencyRecords)).toBe(1);
  });
});

describe("the effective currency of operation 1 (interface F.3)", () => {
  it("is a conflict where an inherited one has changed since", async () => {
    const sent = link();
    const first = await callV1(LINK, sent);
    await card({ currency: "EUR" })();
    expect((await callV1(LINK, sent)).body).toMatchObject({ error_code: "idempotency_conflict" });
    await card({ currency: "USD" })();
    expect((await callV1(LINK, sent)).body).toEqual({ ...(first.body as object), is_replay: true });
  });

  it("is replayed with its source where the request named it", async () => {
    const sent = link({ price: { unit_amount: 2500, currency: "gbp" } });
    const first = await callV1(LINK, sent);
    expect(first.body).toMatchObject({ currency: "GBP", currency_source: "overridden" });
    await card({ currency: "EUR" })();
    expect((await callV1(LINK, sent)).body).toEqual({ ...(first.body as object), is_replay: true });
  });

  it("counts as unchanged where the product is another partner's by now", async () => {
    const sent = link();
    const first = await callV1(LINK, sent);
    await card({ partner_id: "globex", currency: "EUR" })();
    expect((await callV1(LINK, sent)).body).toEqual({ ...(first.body as object), is_replay: true });
  });
});

describe("a key that was refused by the catalogue", () => {
  it("leaves no record, and may be used again", async () => {
    await card({ moderation: "rejected" })();
    const sent = cart();
    expect((await call(CART, sent)).body).toMatchObject({ error_code: "PRODUCT_NOT_APPROVED" });
    expect(await countOf(idempotencyRecords)).toBe(0);
    await card({ moderation: "approved" })();
    expect((await call(CART, { ...sent, allow_promotion_codes: true })).body).toMatchObject({ success: true, duplicate: false });
  });
});

it("a repeat belongs to its partner, and to a key that still works", async () => {
  const sent = cart();
  await call(CART, sent);
  expect((await call(CART, sent, keys.globex)).body).toMatchObject({ error_code: "CROSS_TENANT_ATTEMPT" });
  expect((await call(CART, sent, keys.powerless)).body).toMatchObject({ error_code: "PERMISSION_DENIED" });
  await env.DIRECTORY.exec("UPDATE partners SET status = 'disabled' WHERE id = 'acme'");
  expect((await call(CART, sent)).body).toMatchObject({ error_code: "INVALID_API_KEY" });
});

it("a link without a key is another link each time", async () => {
  const { idempotency_key: _, ...sent } = link() as { idempotency_key: string };
  const first = await callV1(LINK, sent);
  const second = await callV1(LINK, sent);
  expect(second.body).toMatchObject({ success: true, is_replay: false });
  expect(second.body).not.toMatchObject({ short_url_id: (first.body as { short_url_id: string }).short_url_id });
});

describe("without a token, what a request names is what its answer has, also after a change of the catalogue", () => {
  // interface 9.10
  it("a price", async () => {
    const withPrice = (unit_amount?: number) =>
      bankCart({ client_token: undefined, items: [{ product_id: 1001, quantity: 1, unit_amount }] });
    const { body: first } = await call(BANK, withPrice());
    const price = first.amount_kopecks as number;
    expect((await call(BANK, withPrice(price))).body).toMatchObject({ duplicate: true, payment_id: first.payment_id });
    await updateRows(rubleProducts, { unit_amount: price + 100 }, { id: 1001 });
    expect((await call(BANK, withPrice())).body).toMatchObject({ duplicate: true, amount_kopecks: price });
    const { body: second } = await call(BANK, withPrice(price + 100));
    expect(second).toMatchObject({ duplicate: false, amount_kopecks: price + 100 });
    expect((await call(BANK, withPrice(price + 100))).body).toMatchObject({ duplicate: true, payment_id: second.payment_id });
    await updateRows(rubleProducts, { unit_amount: price }, { id: 1001 });
  });

  it("a currency", async () => {
    const inCurrency = (currency?: string) =>
      cart({ client_token: undefined, currency, items: [{ stripe_product_id: CARD, unit_amount: 1977, quantity: 1 }] });
    const { body: first } = await call(CART, inCurrency());
    expect(first).toMatchObject({ success: true, duplicate: false });
    const before = await rowOf(cardProducts, { processor_product_id: CARD });
    await updateRows(cardProducts, { currency: "EUR" }, { processor_product_id: CARD });
    const { body: second } = await call(CART, inCurrency("EUR"));
    expect(second).toMatchObject({ success: true, duplicate: false, currency: "EUR" });
    expect((await call(CART, inCurrency("EUR"))).body).toMatchObject({ duplicate: true, payment_link_id: second.payment_link_id });
    await updateRows(cardProducts, { currency: String(before?.currency) }, { processor_product_id: CARD });
  });
});
