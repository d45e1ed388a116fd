import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processorEvents, refreshes, subscriptions } from "../../src/db/schema/index.ts";
import type { Answer } from "../support/answer.ts";
import { callV1, keyFor, keys, LINK, link, send } from "../support/api.ts";
import { realTime } from "../support/later.ts";
import { changeObject, dropHeldEvents } from "../support/objects.ts";
import { costs, countEffects } from "../support/observe.ts";
import { auditOf, change } from "../support/ops.ts";
import { someOf } from "../support/scale.ts";
import { control, objects, processorCalls } from "../support/stack.ts";
import { countOf, emptyTables, fieldOf, rowOf, updateRows } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

const PATH = "/webhook/cancel_subscription_at_period_end";

beforeEach(async () => {
  await control("/reset", {});
  // What an earlier test's events are about is gone with it.
  await emptyTables(processorEvents, refreshes);
});
afterEach(realTime);

function cancel(
  subscription: string | null,
  flag: string | null,
  key: string | null = keys.acme,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(subscription === null ? PATH : `${PATH}?subscription_id=${encodeURIComponent(subscription)}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      ...(key === null ? {} : { "X-Partner-Api-Key": key }),
      ...headers,
    },
    body: flag === null ? "" : `cancel_at_period_end=${flag}`,
  });
}

/** Until every event that the processor sent has been worked off: what comes late would undo what a test sets. */
const workedOff = () => expect.poll(() => countOf(refreshes, { state: "due" })).toBe(0);

const isKnown = (subscription: string) => rowOf(subscriptions, { id: subscription });

/** A subscription that a customer has bought by a link of ours; known by its events unless they are held back. */
async function subscribe(overrides: Record<string, unknown> = {}, wait = true): Promise<string> {
  const { body } = await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 }, ...overrides }));
  const { subscription } = await control<{ subscription: string }>("/pay", { short_url: body.short_url });
  if (!wait) return subscription;
  await expect.poll(() => isKnown(subscription)).not.toBeNull();
  await workedOff();
  return subscription;
}

const atProcessor = async (id: string): Promise<any> => (await objects("subscriptions")).find((candidate) => candidate.id === id);
const updates = async () => (await processorCalls()).filter(({ method, path }) => method === "POST" && path.includes("/subscriptions/"));

// interface G.3, 4.3, 4.4
it("schedules the end at the end of the period, takes it back, and passes the processor's object on", async () => {
  const id = await subscribe();
  const scheduled = await cancel(id, "true");
  expect(scheduled.status).toBe(200);
  const periodEnd = (await atProcessor(id)).items.data[0].current_period_end;
  expect(scheduled.body).toMatchObject({
    id,
    object: "subscription",
    status: "active",
    cancel_at_period_end: true,
    cancel_at: periodEnd,
    billing_cycle_anchor: expect.any(Number),
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible" },
    billing_thresholds: null,
  });
  expect(scheduled.body).not.toHaveProperty("success");
  const back = await cancel(id, "false");
  expect(back.body).toMatchObject({ id, cancel_at_period_end: false, cancel_at: null, status: "active" });
  expect(await atProcessor(id)).toMatchObject({ cancel_at_period_end: false, status: "active" });
});

// interface L.1, 4.4
it("passes on no address of the processor's", async () => {
  const id = await subscribe();
  expect((await atProcessor(id)).items.url).toMatch(/subscription_items/);
  expect(JSON.stringify((await cancel(id, "true")).body)).not.toMatch(/"(\w*_)?(url|pdf|secret)(_\w*)?":|https?:\/\//);
});

// interface 4.3
it("takes back an end that the customer set as a moment, on the processor's own pages", async () => {
  const id = await subscribe();
  const { items } = await atProcessor(id);
  await changeObject(id, { cancel_at: items.data[0].current_period_end, cancel_at_period_end: false });
  const back = await cancel(id, "false");
  expect(back.body).toMatchObject({ cancel_at_period_end: false, cancel_at: null });
  expect(await atProcessor(id)).toMatchObject({ cancel_at: null });
  expect(await updates()).toHaveLength(2);
});

it("needs a permission where an operator demands one of the partner's keys", async () => {
  const id = await subscribe();
  const set = (permission: string) => change("partners/acme/cancel-permission", { permission });
  expect((await set("product_create")).body).toMatchObject({ cancel_permission: "product_create" });
  const refused = await cancel(id, "true", keys.powerless);
  expect([refused.status, refused.body]).toEqual([403, { success: false, error: expect.stringContaining("product_create") }]);
  expect((await cancel(id, "true", keys.acme)).body).toMatchObject({ cancel_at_period_end: true });
  expect((await auditOf("acme"))[0]).toMatchObject({
    action: "partner.set_cancel_permission",
    before: { cancel_permission: null },
    after: { cancel_permission: "product_create" },
  });
  await set("none");
  expect((await cancel(id, "false", keys.powerless)).body).toMatchObject({ cancel_at_period_end: false });
});

it("goes to and fro as often as it is asked", async () => {
  const id = await subscribe();
  for (const flag of [true, false, true, false, true]) {
    expect((await cancel(id, String(flag))).body).toMatchObject({ cancel_at_period_end: flag });
  }
  expect(await atProcessor(id)).toMatchObject({ cancel_at_period_end: true });
});

it("reaches live subscriptions in the live environment", async () => {
  const id = await subscribe({ stripe_product_id: "prod_acmeLiveMonthly1" });
  expect((await cancel(id, "true")).body).toMatchObject({ id, livemode: true, cancel_at_period_end: true });
});

it("changes nothing when it is asked for what is so already", async () => {
  const id = await subscribe();
  const [first, second] = [await cancel(id, "true"), await cancel(id, "true")];
  expect(second.body).toMatchObject({ cancel_at_period_end: true, cancel_at: first.body.cancel_at });
});

// interface K.5
it("is open to any key of the partner, whatever it may do otherwise", async () => {
  const id = await subscribe();
  for (const key of [keys.powerless, keyFor("balance_view")]) expect((await cancel(id, "true", key)).status).toBe(200);
});

// interface 4.2
it("cancels during a trial too", async () => {
  const id = await subscribe({ price: { unit_amount: 900, trial_days: 14 } });
  expect(await atProcessor(id)).toMatchObject({ status: "trialing" });
  expect((await cancel(id, "true")).body).toMatchObject({ status: "trialing", cancel_at_period_end: true });
});

it("follows the subscription: what was scheduled is in our own table, and renewals go on after it is taken back", async () => {
  const id = await subscribe();
  const row = () => rowOf(subscriptions, { id }, ["partner_id", "status", "cancel_at_period_end", "cancel_at"]);
  const renewals = async () => (await objects("charges")).length;
  await cancel(id, "true");
  await expect.poll(row).toEqual({ partner_id: "acme", status: "active", cancel_at_period_end: 1, cancel_at: expect.any(Number) });
  await cancel(id, "false");
  await expect.poll(row).toMatchObject({ cancel_at_period_end: 0, cancel_at: null });
  const charges = await renewals();
  await control("/renew", { subscription: id });
  expect(await atProcessor(id)).toMatchObject({ status: "active" });
  expect(await renewals()).toBe(charges + 1);
});

// interface 4.3
it("lets a scheduled subscription end with its period, without another payment", async () => {
  const id = await subscribe();
  await cancel(id, "true");
  const charges = (await objects("charges")).length;
  await control("/renew", { subscription: id });
  expect(await atProcessor(id)).toMatchObject({ status: "canceled" });
  expect((await objects("charges")).length).toBe(charges);
  await expect.poll(async () => (await cancel(id, "false")).status).toBe(400);
});

it("keeps the moments of the subscription in milliseconds", async () => {
  const id = await subscribe();
  await cancel(id, "true");
  const end = (await atProcessor(id)).items.data[0].current_period_end * 1000;
  await expect
    .poll(() => rowOf(subscriptions, { id }, ["environment", "cancel_at", "current_period_end"]))
    .toEqual({ environment: "test", cancel_at: end, current_period_end: end });
});

it("costs four D1 round trips and one call: the key, the count of the day, the subscription and the audit row", async () => {
  const id = await subscribe();
  await control("/events", { environment: "test", hold: true });
  const idle = () => countEffects(() => new Promise((resolve) => setTimeout(resolve, 200)));
  await expect.poll(async () => (await idle()).counts.d1).toBe(0);
  const { counts } = await countEffects(() => cancel(id, "true"));
  expect(counts).toEqual(costs({ d1: 4, processor: 1 }));
});

describe("400", () => {
  it.each([
    ["no subscription_id", null, "true"],
    ["an empty one", "", "true"],
    ["one of another shape", "pi_123", "true"],
    ["one with something behind it", "sub_1 or 1=1", "true"],
    ["no flag", "sub_123", null],
    ["an empty flag", "sub_123", ""],
    ["a flag of another word", "sub_123", "yes"],
    ["a flag that is 2", "sub_123", "2"],
    ["two flags", "sub_123", "true&cancel_at_period_end=false"],
    // interface E.5, 4.1
  ])("for %s", async (_what, subscription, flag) => {
    const answer = await cancel(subscription, flag);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error: expect.stringMatching(/.{10}/) }]);
  });

  // interface 4.1
  it("for two subscription_ids, and for a body that is no form", async () => {
    const init = { method: "POST", headers: { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" } };
    expect((await send(`${PATH}?subscription_id=sub_1`, { ...init, body: '{"cancel_at_period_end":true}' })).status).toBe(400);
    const form = {
      ...init,
      headers: { ...init.headers, "Content-Type": "application/x-www-form-urlencoded" },
      body: "cancel_at_period_end=true",
    };
    expect((await send(`${PATH}?subscription_id=sub_1&subscription_id=sub_2`, form)).status).toBe(400);
    expect(
      (await send(`${PATH}?subscription_id=sub_1`, { ...form, body: `cancel_at_period_end=true&filler=${"x".repeat(65_536)}` })).status,
    ).toBe(400);
  });

  // interface E.5, 4.2
  it("for a subscription that is not active any more, whether its event has come or not", async () => {
    const known = await subscribe();
    await control("/end-subscription", { subscription: known });
    await expect.poll(() => fieldOf(subscriptions, "status", { id: known })).toBe("canceled");
    const unheard = await subscribe();
    await control("/events", { environment: "test", hold: true });
    await control("/end-subscription", { subscription: unheard });
    expect((await cancel(known, "true")).body).toEqual({ success: false, error: expect.stringContaining("no longer active") });
    expect((await cancel(unheard, "true")).body).toEqual({ success: false, error: expect.stringContaining("A canceled subscription") });
    for (const id of [known, unheard]) expect((await cancel(id, "true")).status).toBe(400);
  });

  // interface E.5
  it("with the processor's reason, for one that it will not have changed", async () => {
    const id = await subscribe();
    await changeObject(id, { status: "incomplete" });
    const answer = await cancel(id, "true");
    expect([answer.status, answer.body]).toEqual([400, { success: false, error: expect.stringContaining("incomplete") }]);
  });

  it("before 401 for a body that is no form", async () => {
    const answer = await send(`${PATH}?subscription_id=sub_1`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
    });
    expect(answer.status).toBe(400);
  });
});

// interface G.4, K.6
describe("401", () => {
  it.each([
    ["no key", null],
    ["an empty key", ""],
    ["an unknown key", crypto.randomUUID()],
    ["no UUID", "secret"],
    ["a revoked key", keys.revoked],
    ["a former employee's", keys.formerEmployee],
    ["a disabled partner's", keys.disabledPartner],
    // interface E.5
  ])("for %s, before anything else is looked at", async (_what, key) => {
    for (const [subscription, flag] of [
      ["sub_123", "true"],
      [null, null],
    ] as const) {
      const answer = await cancel(subscription, flag, key);
      expect([answer.status, answer.body]).toEqual([401, { success: false, error: expect.any(String) }]);
    }
  });

  // interface K.4
  it("for a key in the body or the query", async () => {
    const answer = await send(`${PATH}?subscription_id=sub_1&api_key=${keys.acme}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: `cancel_at_period_end=true&api_key=${keys.acme}`,
    });
    expect(answer.status).toBe(401);
  });
});

// interface E.5, K.7, 4.2
it("403 for another account's subscription, which stays as it is", async () => {
  const id = await subscribe();
  const answer = await cancel(id, "true", keys.globex);
  expect([answer.status, answer.body]).toEqual([403, { success: false, error: expect.stringContaining("another account") }]);
  expect(await updates()).toEqual([]);
  expect(await atProcessor(id)).toMatchObject({ cancel_at_period_end: false });
});

it("403 also for another account's subscription that has ended: nothing is said about it", async () => {
  const id = await subscribe();
  await control("/end-subscription", { subscription: id });
  await expect.poll(() => fieldOf(subscriptions, "status", { id })).toBe("canceled");
  expect((await cancel(id, "true", keys.globex)).status).toBe(403);
});

it("403 for a subscription that nobody knows the partner of", async () => {
  const id = await subscribe();
  await updateRows(subscriptions, { partner_id: null }, { id });
  expect((await cancel(id, "true")).status).toBe(403);
});

// interface G.4
describe("409", () => {
  // interface E.5
  it("for a subscription that no event has named yet, and 200 once one has", async () => {
    await control("/events", { environment: "test", hold: true });
    const id = await subscribe({}, false);
    const early = await cancel(id, "true");
    expect([early.status, early.body]).toEqual([409, { success: false, error: expect.stringContaining("a minute") }]);
    expect(await updates()).toEqual([]);
    await control("/events", { environment: "test", hold: false });
    await expect.poll(() => isKnown(id)).not.toBeNull();
    expect((await cancel(id, "true")).status).toBe(200);
  });

  // interface 4.2
  it("for one that does not exist", async () => {
    expect((await cancel("sub_doesNotExist", "true")).status).toBe(409);
  });

  it("not for one whose own event was lost: its payment tells of it", async () => {
    await control("/events", { environment: "test", hold: true });
    const id = await subscribe({}, false);
    await dropHeldEvents({ keep: ["charge.succeeded", "charge.updated"] });
    await control("/events", { environment: "test", hold: false });
    await expect.poll(() => isKnown(id)).not.toBeNull();
    expect((await cancel(id, "true")).status).toBe(200);
  });
});

it.each(["checkout.session.completed", "invoice.paid"])("a trial whose own events are lost is known by %s", async (type) => {
  await control("/events", { environment: "test", hold: true });
  const id = await subscribe({ price: { unit_amount: 900, trial_days: 7 } }, false);
  expect(await dropHeldEvents({ keep: [type] })).toEqual({ held: 1 });
  await control("/events", { environment: "test", hold: false });
  await expect.poll(() => isKnown(id)).not.toBeNull();
  expect((await cancel(id, "true")).status).toBe(200);
});

describe("502", () => {
  // interface E.5, G.5
  it.each(someOf(["http_500", "reset", "http_429"]))("where the processor cannot be reached: %s", async (kind) => {
    const id = await subscribe();
    virtualTime();
    await control("/faults", { target: "processor", call: "subscriptions.update", times: 99, kind });
    const answer = await cancel(id, "true");
    expect([answer.status, answer.body]).toEqual([502, { success: false, error: expect.any(String) }]);
    expect(JSON.stringify(answer.body)).not.toMatch(/sk_|req_|api_error|http:\/\//);
  });

  // interface E.5, G.9
  it("where the processor does not answer, after 25 seconds at most", async () => {
    const id = await subscribe();
    virtualTime();
    await control("/faults", { target: "processor", call: "subscriptions.update", times: 1, kind: "timeout", ms: 60_000 });
    await control("/faults", { target: "processor", call: "subscriptions.update", times: 99, kind: "timeout", ms: 60_000 });
    const startedAt = Date.now();
    expect((await cancel(id, "true")).status).toBe(502);
    expect(Date.now() - startedAt).toBeLessThan(40_000);
  });

  const RECOVERED: readonly [string, object][] = [
    ["http_500", {}],
    ["http_500", { stored: true }],
    ["reset", {}],
    ["reset_after", {}],
    ["http_429", {}],
  ];

  it.each(someOf(RECOVERED))("not where it recovers from %s %j", async (kind, more) => {
    const id = await subscribe();
    await control("/faults", { target: "processor", call: "subscriptions.update", times: 1, kind, ...more });
    expect((await cancel(id, "true")).body).toMatchObject({ cancel_at_period_end: true });
  });
});
