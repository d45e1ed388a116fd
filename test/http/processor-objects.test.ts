import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { movements } from "../../src/db/schema/index.ts";
import type { Answer } from "../support/answer.ts";
import { CART, call, callV1, cart, keyFor, keys, LINK, link, send } from "../support/api.ts";
import { costs, countEffects } from "../support/observe.ts";
import { keep } from "../support/snapshots.ts";
import { control } from "../support/stack.ts";
import { countOf, fieldOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

const OBJECTS = "get-processor-objects";
const list = (body: object, key: string | null = keys.acme): Promise<Answer> => callV1(OBJECTS, body, key);
const DAY = 24 * 3600 * 1000;

interface Paid {
  readonly payment_intent: string;
  readonly charge: string;
  readonly balance_transaction: string;
  readonly checkout_session: string;
  readonly subscription?: string;
}

async function pay(short_url: string, more: object = {}): Promise<Paid> {
  const paid = await control<Paid>("/pay", { short_url, ...more });
  await until(async () => expect(await countOf(movements, { id: `processor:${paid.balance_transaction}` })).toBe(1));
  return paid;
}

const movedAt = (paid: Paid) => fieldOf(movements, "transaction_date", { id: `processor:${paid.balance_transaction}` });

const ids = ({ body }: Answer): string[] => body.data.map((record: any) => record.payment_intent.id);

let oneTime: Paid;
let subscription: Paid;
let live: Paid;
let foreign: Paid;

beforeAll(async () => {
  await control("/reset", {});
  const bought = await call(CART, cart());
  oneTime = await pay(bought.body.short_url, { client_reference_id: "order-1" });
  const subscribed = await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 } }));
  subscription = await pay(subscribed.body.short_url);
  const sold = await callV1(LINK, link({ stripe_product_id: "prod_acmeLiveUsd1" }));
  live = await pay(sold.body.short_url);
  const globex = await callV1(LINK, link({ stripe_product_id: "prod_globexLiveUsd1" }), keys.globex);
  foreign = await pay(globex.body.short_url);
  // Times of their own, so that order and bounds can be compared: the whole day, its last second, and its first.
  const moments = [
    [oneTime, "2026-03-10T00:00:00.000Z"],
    [subscription, "2026-03-10T12:30:00.000Z"],
    [live, "2026-03-10T23:59:59.000Z"],
    [foreign, "2026-03-10T12:00:00.000Z"],
  ] as const;
  for (const [paid, moment] of moments) {
    await updateRows(movements, { transaction_date: Date.parse(moment) }, { id: `processor:${paid.balance_transaction}` });
  }
});

describe("a record", () => {
  // interface 3.4
  it("of a one-time payment has its objects under their names, and no subscription", async () => {
    const { status, body, headers } = await list({ created: { gte: "2026-03-10", lte: "2026-03-10T00:00:00Z" } });
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(body).toMatchObject({ success: true, count: 1 });
    expect(Object.keys(body.data[0]).toSorted()).toEqual([
      "balance_transaction",
      "charge_details",
      "checkout_session",
      "environment",
      "payment_intent",
    ]);
    expect(body.data[0]).toMatchObject({
      environment: "test",
      payment_intent: { id: oneTime.payment_intent, object: "payment_intent", amount: 7700 },
      charge_details: { id: oneTime.charge, object: "charge", payment_intent: oneTime.payment_intent },
      balance_transaction: { id: oneTime.balance_transaction, amount: 7700 },
      checkout_session: { id: oneTime.checkout_session, client_reference_id: "order-1" },
    });
  });

  // interface 3.4
  it("of a subscription's payment has its invoice and the subscription too", async () => {
    const { body } = await list({ created: { gte: "2026-03-10T12:30:00Z", lte: "2026-03-10T12:30:00Z" } });
    expect(body.data).toMatchObject([
      {
        environment: "test",
        payment_intent: { id: subscription.payment_intent },
        invoice: { object: "invoice", billing_reason: "subscription_create" },
        subscription_data: { id: subscription.subscription, object: "subscription", status: "active" },
        checkout_session: { id: subscription.checkout_session },
      },
    ]);
  });

  // interface L.1
  it("shows no address of the processor's pages and no secret", async () => {
    const { body } = await list({ created: { gte: "2026-01-01" } });
    expect(JSON.stringify(body)).not.toMatch(/"(\w*_)?(url|pdf|secret)(_\w*)?":|https?:\/\/|\/checkout\//);
  });
});

describe("the period", () => {
  const noon = Date.parse("2026-03-10T12:30:00Z");

  it.each<[string, object, number]>([
    ["a day by its date", { gte: "2026-03-10", lte: "2026-03-10" }, 3],
    ["the day before", { lte: "2026-03-09" }, 0],
    ["the day after", { gte: "2026-03-11", lte: "2026-03-12" }, 0],
    ["from a date on", { gte: "2026-03-10" }, 3],
    ["up to a date", { lte: "2026-03-10" }, 3],
    ["milliseconds, inclusive at the start", { gte: noon, lte: noon + DAY }, 2],
    ["milliseconds, inclusive at the end", { gte: noon - DAY, lte: noon }, 2],
    ["milliseconds, one later", { gte: noon + 1, lte: noon + DAY }, 1],
    ["milliseconds, one earlier", { gte: noon - DAY, lte: noon - 1 }, 1],
    ["an ISO timestamp in UTC", { gte: "2026-03-10T12:30:00.000Z" }, 2],
    ["an ISO timestamp with an offset", { gte: "2026-03-10T15:30:00+03:00" }, 2],
    ["a blank between date and time, in UTC", { gte: "2026-03-10 12:30:00", lte: "2026-03-10 23:59:58" }, 1],
    ["a blank, and no seconds", { gte: "2026-03-10 12:30" }, 2],
    ["a blank, and milliseconds", { gte: "2026-03-10 12:30:00.001" }, 1],
    ["the last second of a day", { gte: "2026-03-10T23:59:59Z", lte: "2026-03-10" }, 1],
    ["an end before its start", { gte: "2026-03-11", lte: "2026-03-10" }, 0],
    // interface 3.1, 3.2
  ])("%s", async (_what, created, count) => {
    const nested = await list({ created });
    expect(nested.body).toMatchObject({ success: true, count });
    expect(nested.body.data).toHaveLength(count);
    const flat = await list(Object.fromEntries(Object.entries(created).map(([bound, value]) => [`created.${bound}`, value])));
    expect(flat.body).toEqual(nested.body);
  });

  // interface 3.3, 5.4
  it("holds the newest first, live and test", async () => {
    expect(ids(await list({ created: { gte: "2026-03-10", lte: "2026-03-10" } }))).toEqual([
      live.payment_intent,
      subscription.payment_intent,
      oneTime.payment_intent,
    ]);
  });

  it.each<[string, object]>([
    ["nothing", {}],
    ["an empty created", { created: {} }],
    ["created that is a date", { created: "2026-03-10" }],
    ["no moment", { created: { gte: "yesterday" } }],
    ["an empty text", { created: { gte: "" } }],
    ["30 February", { created: { gte: "2026-02-30" } }],
    ["a month that there is not", { created: { lte: "2026-13-01" } }],
    ["a blank and no time", { created: { lte: "2026-03-10 " } }],
    ["25 o'clock", { created: { lte: "2026-03-10 25:00:00" } }],
    ["half a millisecond", { created: { gte: 1.5 } }],
    ["true", { created: { gte: true } }],
    ["null", { created: { gte: null } }],
    ["one good and one bad", { created: { gte: "2026-03-10", lte: "soon" } }],
    ["a bad flat one", { "created.gte": "soon" }],
    // interface E.4, 3.1, 3.2
  ])("400 for %s", async (_what, body) => {
    const answer = await list(body);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error: expect.stringMatching(/.{5}/) }]);
  });
});

it("two different bounds of one side are refused, and equal ones are one", async () => {
  expect(await list({ created: { gte: "2026-03-10" }, "created.gte": "2026-03-01" })).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^created\.gte: is given twice/) },
  });
  expect((await list({ created: { lte: "2026-03-10" }, "created.lte": "2026-03-10" })).body).toMatchObject({ success: true, count: 3 });
});

// interface G.4, K.2, K.5, K.6
describe("whose they are", () => {
  // interface K.7
  it("the caller's alone", async () => {
    expect(ids(await list({ created: { gte: "2026-03-10", lte: "2026-03-10" } }, keys.globex))).toEqual([foreign.payment_intent]);
    expect(ids(await list({ created: { gte: "2026-03-10", lte: "2026-03-10" } }))).not.toContain(foreign.payment_intent);
  });

  it.each([
    ["no key", null, 401],
    ["an unknown key", crypto.randomUUID(), 401],
    ["a revoked key", keys.revoked, 401],
    ["a former employee's", keys.formerEmployee, 401],
    ["a disabled partner's", keys.disabledPartner, 401],
    ["balance_view alone", keyFor("balance_view"), 403],
    ["no permission", keys.powerless, 403],
    ["payment_read alone", keyFor("payment_read"), 200],
    // interface E.4
  ])("%s: %s gives %i", async (_what, key, status) => {
    const answer = await list({ created: { gte: "2026-03-10" } }, key);
    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer.body).toEqual({ success: false, error: expect.any(String) });
  });
});

it("says on every answer that it is deprecated, and for what", async () => {
  for (const answer of [
    await list({ created: { gte: "2026-03-10" } }),
    await list({}),
    await list({}, null),
    await send(`/webhook/${OBJECTS}`),
  ]) {
    expect(answer.headers.get("Deprecation")).toMatch(/^@\d{10}$/);
    expect(Number(answer.headers.get("Deprecation")?.slice(1)) * 1000).toBeLessThanOrEqual(Date.now());
    expect(answer.headers.get("Link")).toBe(
      '<http://localhost:8787/list-partner-processor-transactions>; rel="successor-version", <http://localhost:8787/get-partner-processor-payment>; rel="successor-version"',
    );
    expect(answer.headers.has("Sunset")).toBe(false);
  }
});

describe("of more than a thousand payments", () => {
  const START = Date.parse("2025-01-01T00:00:00Z");

  beforeAll(async () => {
    await env.CELL_1.batch([
      env.CELL_1.prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
         INSERT INTO movements (id, partner_id, environment, amount, currency, status, type, transaction_date, is_subscription, payment_intent_id, source_id, updated_at)
         SELECT 'processor:txn_' || i, 'acme', 'live', 100, 'USD', 'completed', 'processor_payment_in', ? + i * 1000, 0, 'pi_' || i, 'ch_' || i, 0 FROM n`,
      ).bind(START),
    ]);
    for (let i = 1; i <= 1001; i += 1) {
      await keep(`pi_${i}`, [
        [`pi_${i}`, "payment_intent"],
        [`ch_${i}`, "charge"],
        [`txn_${i}`, "balance_transaction"],
      ]);
    }
    // What also hangs on a payment but is no part of its record.
    await keep("pi_1001", [
      ["ch_earlier", "charge"],
      ["txn_refund", "balance_transaction"],
      ["re_1", "refund"],
    ]);
  });

  // interface 3.3
  it("it gives the newest thousand, each with its own objects, in two D1 round trips and a read of its snapshot each", async () => {
    const { result, counts } = await countEffects(() => list({ created: { gte: "2025-01-01", lte: "2025-12-31" } }));
    expect(counts).toEqual(costs({ d1: 2, "r2.get": 1000 }));
    expect(result.body).toMatchObject({ success: true, count: 1000 });
    expect(result.body.data[0]).toEqual({
      payment_intent: { id: "pi_1001" },
      charge_details: { id: "ch_1001" },
      balance_transaction: { id: "txn_1001" },
      environment: "live",
    });
    expect(ids(result)).toEqual(Array.from({ length: 1000 }, (_, index) => `pi_${1001 - index}`));
  });

  // interface 3.3
  it("it gives all of exactly a thousand", async () => {
    expect((await list({ created: { gte: START + 2000, lte: START + 1001 * 1000 } })).body.count).toBe(1000);
  });
});

it("leaves out what is no incoming payment", async () => {
  await updateRows(movements, { type: "processor_refund" }, { id: `processor:${live.balance_transaction}` });
  expect(ids(await list({ created: { gte: "2026-03-10", lte: "2026-03-10" } }))).not.toContain(live.payment_intent);
  expect(await movedAt(live)).toBe(Date.parse("2026-03-10T23:59:59Z"));
});

describe("payments that share something", () => {
  const payment = (id: string, intent: string, at: string) =>
    env.CELL_1.prepare(
      `INSERT INTO movements (id, partner_id, environment, amount, currency, status, type, transaction_date, is_subscription, payment_intent_id, source_id, updated_at)
       VALUES (?, 'acme', 'live', 100, 'USD', 'completed', 'processor_payment_in', ?, 0, ?, ?, 0)`,
    ).bind(`processor:txn_${id}`, Date.parse(at), intent, `ch_${id}`);

  it("an intent that was paid in two tries: two records, each key once and with its own objects", async () => {
    await env.CELL_1.batch([payment("failed", "pi_twice", "2024-05-01T00:00:00Z"), payment("good", "pi_twice", "2024-05-02T00:00:00Z")]);
    await keep("pi_twice", [["pi_twice", "payment_intent"]]);
    for (const id of ["failed", "good"])
      await keep("pi_twice", [
        [`ch_${id}`, "charge"],
        [`txn_${id}`, "balance_transaction"],
      ]);
    const answer = await send(`/webhook/${OBJECTS}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ api_key: keys.acme, created: { gte: "2024-05-01", lte: "2024-05-31" } }),
    });
    expect(answer.body.data).toEqual([
      {
        payment_intent: { id: "pi_twice" },
        charge_details: { id: "ch_good" },
        balance_transaction: { id: "txn_good" },
        environment: "live",
      },
      {
        payment_intent: { id: "pi_twice" },
        charge_details: { id: "ch_failed" },
        balance_transaction: { id: "txn_failed" },
        environment: "live",
      },
    ]);
    expect(answer.text.match(/"charge_details"/g)).toHaveLength(2);
  });

  it("a moment: the order is the same every time", async () => {
    await env.CELL_1.batch(["b", "c", "a"].map((id) => payment(id, `pi_${id}`, "2024-06-01T00:00:00Z")));
    for (const id of ["b", "c", "a"]) await keep(`pi_${id}`, [[`pi_${id}`, "payment_intent"]]);
    expect(ids(await list({ created: { gte: "2024-06-01", lte: "2024-06-01" } }))).toEqual(["pi_c", "pi_b", "pi_a"]);
  });
});
