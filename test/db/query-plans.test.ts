import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { completeShortLinkManually } from "../../src/links/complete-short-link.ts";
import { changesSince } from "../../src/moves/store.ts";
import { attemptDelivery } from "../../src/webhooks/delivery/deliver.ts";
import { ANNA } from "../support/actor.ts";
import {
  BANK,
  bankCart,
  CART,
  CODE,
  call,
  callV1,
  cart,
  keys,
  LINK,
  LIST,
  LIVE_LINKS,
  link,
  PAYMENT,
  promotion,
  REGISTER,
  ROTATE,
  send,
} from "../support/api.ts";
import { forgetChanges } from "../support/audited.ts";
import { invitationOf, Person } from "../support/authenticator.ts";
import { cellDeps } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { recordPayment } from "../support/deliveries.ts";
import { HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { quiet } from "../support/payments.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { signIn } from "../support/sign-in.ts";
import { control, objects, settled, world } from "../support/stack.ts";
import { until } from "../support/until.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** Every statement that the Worker sends to D1 while everything that it can do is done once. */
const statements = new Set<string>();

// Its calls need not find anything to change.
afterAll(forgetChanges);

beforeAll(async () => {
  const prototype = Object.getPrototypeOf(env.CELL_1) as { prepare: (sql: string) => D1PreparedStatement };
  const { prepare } = prototype;
  prototype.prepare = function recorded(this: unknown, sql: string) {
    // What a test does, or breaks on purpose, is no statement of the Worker's.
    if (!/out_of_order|by the test/.test(sql)) statements.add(sql);
    return prepare.call(this, sql);
  };
  await call(REGISTER, { test_url: "http://sandbox.test:8788/inbox/plans" });
  await call(REGISTER, { test_url: "http://sandbox.test:8788/inbox/plans", client_token: "plans" });
  const { body } = await call(CART, cart());
  await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "http_400" });
  const { client_token: _, ...untokened } = cart();
  await call(CART, untokened);
  await call(CART, untokened);
  await env.SHORT_LINKS.delete(body.short_url_id);
  await send(`/${body.short_url_id}`);
  await control("/faults", { target: "processor", call: "charges.retrieve", times: 1, kind: "http_400" });
  await control("/pay", { short_url: body.short_url });
  await until(() => expect(world.state.inboxes.plans?.received).toHaveLength(1));
  await v1Protocol();
  await wholeLedger(body.short_url);
  await rubles();
  await changesSince(cellDeps().db, "acme", 10);
  await notifications();
  const filters = [{}, { environment: "test" }, { client_reference_id: "x" }, { created_gte: "2026-01-01", created_lte: "2026-12-31" }];
  for (const filter of filters) await call(LIST, { ...filter, limit: 100 });
  for (const filter of filters) await call(LIST, { ...filter, environment: "live", client_reference_id: "y", created_gte: "2026-01-01" });
  await operators(body);
  await books();
  await signIn();
  await people();
  // What no answer came of is searched for when it is undone.
  await control("/faults", { target: "processor", call: "payment_links.create", times: 999, kind: "reset_after" });
  virtualTime();
  await call(CART, cart());
  realTime();
  await control("/faults", undefined, "DELETE");
  pass(10 * MINUTE);
  await cron();
  pass(25 * HOUR);
  await cron();
  expect(await objects("coupons")).toHaveLength(1);
  await call(CART, untokened);
  vi.useRealTimers();
  prototype.prepare = prepare;
});

async function wholeLedger(short_url: string): Promise<void> {
  const paid = await control<{ payment_intent: string }>("/pay", { short_url });
  await control("/refund", { payment_intent: paid.payment_intent });
  await quiet();
  expect((await call(PAYMENT, { payment_intent_id: paid.payment_intent })).body).toMatchObject({ success: true, count: 2 });
  expect((await call(LIVE_LINKS, {})).body).toMatchObject({ success: true });
  const operator = { Authorization: "Bearer ops-local", "Content-Type": "application/json" };
  expect((await send("/ops/ledger", { headers: operator })).status).toBe(200);
  const look = { environment: "test", id: paid.payment_intent };
  expect((await send("/ops/ledger/refresh", { method: "POST", headers: operator, body: JSON.stringify(look) })).status).toBe(200);
  await env.CELL_1.prepare("INSERT INTO refreshes VALUES (?, 'test', 'parked', 14, 0, NULL, 0, NULL) -- by the test")
    .bind(paid.payment_intent)
    .run();
  expect((await send(`/ops/ledger/parked/${paid.payment_intent}/retry`, { method: "POST", headers: operator })).status).toBe(200);
  await quiet();
}

async function books(): Promise<void> {
  const get = async (path: string) => {
    const { status } = await send(`/partner/${path}`, { headers: { "X-Partner-Api-Key": keys.acme } });
    expect([path, status]).toEqual([path, 200]);
  };
  await get("orders?environment=test");
  await get("orders?reference=x");
  await get("orders?email=x");
  await get("orders?environment=test&refunded_since=2026-01-01");
  await get("reports/sales?by=month,product");
  await get("reports/links");
  await get("balance");
  await get("statements");
  await get("payouts");
  for (const q of ["order-of-plans", "0001", "0123456789abcdef", "emp_acme_owner", "grant_none", "conf_none", "coupon_none", "st_none"])
    await get(`find?q=${q}`);
}

async function rubles(): Promise<void> {
  await control("/faults", { target: "bank", call: "bank.Init", times: 1, kind: "reset_after" });
  const paid = (await call(BANK, bankCart())).body;
  await settled();
  await control("/bank/pay", { order_id: paid.order_id });
  expect((await call(BANK, bankCart())).body).toMatchObject({ success: true });
  const headers = { Authorization: "Bearer ops-local" };
  expect((await send("/ops/bank", { headers })).status).toBe(200);
  expect((await send(`/ops/bank/orders/${paid.order_id}`, { headers })).status).toBe(200);
  expect((await send(`/ops/bank/orders/${paid.order_id}/refresh`, { method: "POST", headers })).status).toBe(200);
  const reason = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: '{"reason":"ours"}' };
  expect((await send("/ops/bank/notifications/none/dismiss", reason)).status).toBe(404);
  expect((await send("/ops/ledger/unattributed/none/dismiss", reason)).status).toBe(404);
  expect((await send("/ops/ledger/parked/none/dismiss", reason)).status).toBe(404);
  for (const path of ["bank/notifications", "ledger/unattributed", "ledger/parked", "figures", "figures?partner=acme"]) {
    expect((await send(`/ops/${path}`, { headers })).status).toBe(200);
  }
}

async function notifications(): Promise<void> {
  expect((await call(ROTATE, { environment: "test", client_token: "plans" })).body.success).toBe(true);
  const { body } = await call(CART, cart());
  await control("/inbox/plans", { status: 500, times: 1 });
  await control("/pay", { short_url: body.short_url });
  await quiet();
  const id = await env.CELL_1.prepare("SELECT id FROM events ORDER BY created_at DESC LIMIT 1 -- by the test").first<string>("id");
  const headers = { Authorization: "Bearer ops-local" };
  const seen = ["endpoints", "endpoints?partner=acme", "deliveries?partner=acme", "deliveries?endpoint=ep_acme_test", `deliveries/${id}`];
  for (const path of seen) expect((await send(`/ops/${path}`, { headers })).status).toBe(200);
  await control("/inbox/plans", { status: 500, times: 1 });
  await until(async () => {
    expect((await send(`/ops/deliveries/${id}/resend`, { method: "POST", headers })).status).toBe(200);
  });
  expect((await send("/ops/deliveries/evt_none/resend", { method: "POST", headers })).status).toBe(404);
  expect((await send("/ops/secrets/re-encrypt", { method: "POST", headers })).status).toBe(200);
  for (const action of ["suspend", "resume", "send-exhausted"]) {
    expect((await send(`/ops/endpoints/ep_acme_test/${action}`, { method: "POST", headers })).status).toBe(200);
  }
  const own = { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" };
  const filters = [
    "",
    "&state=exhausted",
    "&state=succeeded",
    "&event=Processor.payment.succeeded",
    "&cursor=deliveries.list~WzEsImV2dF8iXQ",
  ];
  const [paid] = await objects("payment_intents");
  const lists = filters.map((filter) => `deliveries?environment=test${filter}`);
  for (const path of [
    ...lists,
    `deliveries/${id}`,
    "webhooks",
    "products",
    "figures",
    `links/${body.payment_link_id}`,
    "links?state=open&product=prod_x&reference=y",
    "bank-payments?environment=test&status=NEW&order=x",
    "disputes?environment=test",
    "disputes?environment=test&state=needs_response",
    "payouts?state=recorded",
    `orders/${paid?.id}`,
    "subscriptions?environment=test",
    "subscriptions?environment=test&status=active",
    "subscriptions?environment=test&state=ending&since=2026-01-01",
    "requests?environment=test",
    `story?q=${body.payment_link_id}`,
    "keys",
    "agents",
    "people",
    "sessions",
    "audit",
    "audit?target=x",
    ...["links", "promotion-codes", "bank-payments", "subscriptions"].flatMap((list) => [
      `${list}?environment=test`,
      `${list}?cursor=${list}.list~WzEsImV2dF8iXQ`,
    ]),
  ])
    expect((await send(`/partner/${path}`, { headers: own })).status).toBe(200);
  const chat = {
    method: "PUT",
    headers: own,
    body: JSON.stringify({ kind: "webhook", webhook_url: "http://sandbox.test:8788/inbox/plans-chat" }),
  };
  expect((await send("/partner/chat", chat)).status).toBe(200);
  for (const path of [
    "webhooks/test/test",
    "chat/test",
    `links/${body.payment_link_id}/disable`,
    `links/${body.payment_link_id}/enable`,
    `links/${body.payment_link_id}/limits`,
    "webhooks/test/resume",
    "deliveries/resend?environment=test",
  ])
    expect((await send(`/partner/${path}`, { method: "POST", headers: own })).status).toBe(200);
  const locked = {
    ...cellDeps(),
    secretCipher: { currentKey: "none", encrypt: () => Promise.reject(new Error()), decrypt: () => Promise.reject(new Error()) },
  };
  await attemptDelivery(locked, await recordPayment());
  await env.CELL_1.exec("UPDATE endpoints SET cooldown_until = 0 -- by the test");
}

/** What operators look up and change, beside what the others do. */
async function operators({
  payment_link_id,
  short_url_id,
}: {
  readonly payment_link_id: string;
  readonly short_url_id: string;
}): Promise<void> {
  const headers = { Authorization: "Bearer ops-local", "Content-Type": "application/json" };
  const get = async (path: string) => expect([path, (await send(`/ops/${path}`, { headers })).status]).toEqual([path, 200]);
  const post = async (path: string, body: object = {}, method = "POST") =>
    send(`/ops/${path}`, { method, headers, body: JSON.stringify(body) });
  for (const filter of ["", "?partner=acme", "?target=x", "?actor=y"]) await get(`audit${filter}`);
  await get("short-links?waiting=true");
  for (const wanted of ["", "?moderation=in_review", "?partner=acme&name=course"]) await get(`products${wanted}`);
  await get("find?q=by-the-name-of-a-product");
  await get("find?q=...a4b5");
  await get("partners");
  await get("operators");
  for (const list of ["employees", "keys", "grants", "confirmations", "products", "products?limit=100"]) await get(`partners/acme/${list}`);
  for (const what of [payment_link_id, short_url_id, "plans", "acme", "1001", "123456789012345", "prod_acmeLiveUsd1"])
    await get(`find?q=${what}`);
  await get(`story?q=${payment_link_id}`);
  await get("idempotency?partner=acme&operation=payment-link-create&key=plans");
  for (const list of ["payments", "payment-links", "promotion-codes", "subscriptions", "bank/orders", "deliveries"])
    for (const whose of ["", "&partner=acme"]) await get(`${list}?environment=test${whose}`);
  for (const list of ["payments?status=failed", "payments?reference=x", "payment-links?state=disabled", "deliveries?state=exhausted"])
    for (const whose of ["", "&partner=acme"]) await get(`${list}&environment=test${whose}`);
  for (const list of ["subscriptions?status=active", "subscriptions?state=ending", "bank/orders?status=NEW", "bank/orders?order=1001"])
    await get(list);
  await get(`payment-links/${payment_link_id}`);
  await get("figures");
  await get("waiting");
  await get(`books/check?environment=test&month=${new Date(Date.now()).toISOString().slice(0, 7)}`);
  await get("partners/acme/requests");
  await post("notes", { target: "partner/acme", text: "plans" });
  await get("notes?target=partner/acme");
  await post("partners/acme/views");
  await get("partners/acme/view/partner/session");
  await post("operators/ann@example.com", { roles: ["support"] }, "PUT");
  await post("erase", { client_reference_id: "order-of-nobody" });
  await post(`payment-links/${payment_link_id}/disable`);
  await post(`payment-links/${payment_link_id}/enable`);
}

/** A person of a partner signs in, and an owner looks after the others. */
async function people(): Promise<void> {
  const owner = new Person();
  expect((await owner.accept(await invitationOf("emp_acme_owner"))).status).toBe(201);
  expect((await owner.signIn()).status).toBe(200);
  for (const path of ["session", "passkeys"]) expect((await owner.get(path)).status).toBe(200);
  const { body: invited } = await owner.ask("POST", "people", { name: "A colleague", permissions: ["balance_view"] });
  for (const path of [`people/${invited.id}/invitation`, `people/${invited.id}/disable`])
    expect((await owner.ask("POST", path)).status).toBeLessThan(300);
  const { body: key } = await owner.ask("POST", "keys", { label: "plans", permissions: [] });
  expect((await owner.ask("PUT", `keys/${key.key_id}/permissions`, { permissions: ["balance_view"] })).status).toBe(200);
  expect((await owner.ask("POST", `keys/${key.key_id}/revoke`)).status).toBe(200);
  expect((await owner.ask("POST", "session/end")).status).toBe(200);
}

async function v1Protocol(): Promise<void> {
  const { body } = await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly" }));
  const { subscription } = await control<{ subscription: string }>("/pay", { short_url: body.short_url });
  await until(async () => {
    const cancelled = await send(`/webhook/cancel_subscription_at_period_end?subscription_id=${subscription}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Partner-Api-Key": keys.acme },
      body: "cancel_at_period_end=true",
    });
    expect(cancelled.status).toBe(200);
  });
  const bounds = [{ gte: "2026-01-01" }, { lte: "2090-01-01" }, { gte: "2026-01-01", lte: "2090-01-01" }];
  for (const created of bounds) expect((await callV1("get-processor-objects", { created })).body.success).toBe(true);
  const code = promotion();
  await callV1(CODE, code);
  await callV1(CODE, promotion({ code: code.code }));
  virtualTime();
  await control("/faults", { target: "processor", call: "promotion_codes.create", times: 99, kind: "http_500" });
  expect((await callV1(CODE, promotion())).body).toMatchObject({ error_code: "stripe_error" });
  await control("/faults", undefined, "DELETE");
  realTime();
  const broken = breakShortLinks();
  const { body: waiting } = await callV1(LINK, link());
  broken.mend();
  expect(waiting).toMatchObject({ error_code: "short_url_unavailable" });
  const newest = (await objects("payment_links")).at(-1);
  expect(await completeShortLinkManually(cellDeps(), newest?.id ?? "", ANNA)).toMatch(/^01\w{14}$/);
}

/**
 * What may be read whole: lists of values, a page that was just found by index, the partial indexes that hold only what
 * is to be done, the handful of reconciliations, the
 * lost cells that are owed some, the moves that go on, invitations, which live for three days, and all partners, signing secrets,
 * chats, notes and a search for products at a person's command. Any other SCAN, also one along an index, reads every row there is.
 */
const ALLOWED_SCANS =
  /^SCAN (page|lane|arrivals$|\(subquery-\d+\)$|partners$|endpoint_secrets$|chats$|notes$|invitations$|newest$|searched$|sums$|counted$|owner$|recipient$|e$|o$|line VIRTUAL TABLE|reconciliations$|owed_comparisons$|json_each|CONSTANT ROW|\d+ CONSTANT ROWS|\d+-ROW VALUES)|USING (COVERING )?INDEX (idempotency_records_waiting|events_sending|endpoints_unhealthy|partners_moved|refreshes_due|refreshes_parked|refreshes_gone|movements_unattributed|bank_notifications_problems|payouts_waiting|bank_payments_due_poll|card_products_waiting|ruble_products_waiting|card_products_by_partner|ruble_products_by_partner)$/;

const databases = [env.CELL_1, env.DIRECTORY];

/** The plan in the first database that has all tables of the statement. */
async function planOf(sql: string): Promise<string[]> {
  const parameters = Array.from({ length: sql.split("?").length - 1 }, () => null);
  for (const db of databases) {
    try {
      const { results } = await db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...parameters)
        .all<{ detail: string }>();
      return results.map(({ detail }) => detail);
    } catch (thrown) {
      if (!/no such table/.test(String(thrown))) throw thrown;
    }
  }
  throw new Error(`no database has the tables of ${sql}`);
}

describe("every statement", () => {
  it("was seen", () => {
    expect(statements.size).toBeGreaterThan(30);
    for (const table of [
      "api_keys",
      "card_products",
      "ruble_products",
      "bank_payments",
      "bank_notifications",
      "idempotency_records",
      "payment_links",
      "promotion_codes",
      "subscriptions",
      "movements",
      "processor_events",
      "refreshes",
      "delivery_attempts",
      "endpoints",
      "endpoint_secrets",
      "events",
      "reconciliations",
      "audit_log",
    ]) {
      expect([...statements].some((sql) => sql.includes(`"${table}"`))).toBe(true);
    }
  });

  it("finds its rows by an index, and never reads a whole table", async () => {
    const scans: string[] = [];
    for (const sql of statements) {
      const plan = await planOf(sql);
      // A limited part of a table has the table's name (db/selection.ts).
      const parts = plan.flatMap((step) => /^CO-ROUTINE (\w+)$/.exec(step)?.[1] ?? []);
      const reads = plan.filter((step) => step.startsWith("SCAN") && !ALLOWED_SCANS.test(step) && !parts.includes(step.slice(5)));
      if (reads.length > 0) scans.push(`${reads.join()} in ${sql}`);
    }
    expect(scans).toEqual([]);
  });

  it("together they use every index that there is", async () => {
    const used = new Set<string>();
    for (const sql of statements) {
      for (const step of await planOf(sql)) used.add(/USING (?:COVERING )?INDEX (\w+)/.exec(step)?.[1] ?? "");
    }
    for (const db of databases) {
      const { results } = await db
        .prepare("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND sql NOT LIKE 'CREATE UNIQUE%' -- by the test")
        .all<{ name: string }>();
      expect(results.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
    }
  });

  it("of the lists is sorted by its index, not afterwards", async () => {
    // The few codes with one text, links of one reference, orders of one customer or one reference, and ruble payments with one number are found by another index than that of their time; a partner's terms are few, and
    // so are the movements of one ruble payment.
    // A search for products reads them all anyway.
    const FEW =
      /"searched"|"promotion_codes"\."code" (?:in|=)|"payment_links"\."id" in |"bank_movements"\."order_id" = \?|"endpoint_secrets"|lanes|"terms"|lower\("orders"|"orders"\."client_reference_id" = \?|"bank_payments"\."external_order_id" = \?/;
    const lists = [...statements].filter((sql) => sql.includes("order by") && !FEW.test(sql));
    expect(lists.length).toBeGreaterThan(5);
    // A list of all partners sorts the rows of a window of time (db/newest-page.ts): each partner has an index range of its own.
    const isWindow = (sql: string) => /IN \(SELECT value FROM json_each\(\?\)\).* >= \?.*order by/.test(sql);
    for (const sql of lists) {
      const isSorted = /TEMP B-TREE FOR .*ORDER BY/.test((await planOf(sql)).join());
      expect([sql, isSorted && !isWindow(sql)]).toEqual([sql, false]);
    }
  });
});
