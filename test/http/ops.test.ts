import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { auditLog, movements, processorEvents, reconciliations, refreshes } from "../../src/db/schema/index.ts";
import { CART, call, cart, keys, send } from "../support/api.ts";
import { readAuditLog } from "../support/audited.ts";
import { cron } from "../support/cron.ts";
import { MINUTE } from "../support/later.ts";
import { changeObject, dropHeldEvents } from "../support/objects.ts";
import { line, movementOf, type Paid, pay, quiet } from "../support/payments.ts";
import { control, world } from "../support/stack.ts";
import { emptyTables, rowsOf, updateRows } from "../support/tables.ts";

const TOKEN = "ops-local";

async function ops(
  path: string,
  { method = "GET", body, token = TOKEN, operator }: { method?: string; body?: unknown; token?: string; operator?: string } = {},
) {
  return send(`/ops/ledger${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      ...(operator === undefined ? {} : { "X-Operator": operator }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const audit = async () => await rowsOf(auditLog, {}, { columns: ["actor", "action", "target", "before", "after"], orderBy: "id" });

beforeEach(async () => {
  await readAuditLog();
  await emptyTables(auditLog, movements, processorEvents, refreshes, reconciliations);
});
afterEach(async () => {
  vi.useRealTimers();
  await control("/faults", undefined, "DELETE");
});

/** A payment through a link that names a partner that there is none of. */
async function payNobody(): Promise<Paid & { link: string }> {
  const { payment_link_id } = (await call(CART, cart({ items: [line("TestUsd1")] }))).body;
  await changeObject(payment_link_id, { payment_intent_data: { metadata: { partner_id: "somebody" } } });
  const paid = await control<Paid>("/pay", { payment_link_id });
  await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: null });
  await quiet();
  return { ...paid, link: payment_link_id };
}

describe("authentication", () => {
  const addresses: [string, string][] = [
    ["GET", ""],
    ["POST", "/refresh"],
    ["POST", "/events/evt_1/retry"],
  ];
  it.each(addresses)("of %s /ops/ledger%s is closed without the token", async (method, path) => {
    for (const token of ["", "wrong", `${TOKEN}x`, TOKEN.toUpperCase(), keys.acme]) {
      const answer = await ops(path, { method, token, ...(method === "POST" ? { body: {} } : {}) });
      expect([answer.status, answer.body]).toEqual([401, { success: false, error: expect.any(String) }]);
    }
    expect((await send(`/ops/ledger${path}`, { method })).status).toBe(401);
    expect((await send(`/ops/ledger${path}`, { method, headers: { "X-Partner-Api-Key": keys.acme } })).status).toBe(401);
    expect(await audit()).toEqual([]);
  });

  it("is open to nothing else behind it", async () => {
    expect((await ops("", { method: "DELETE" })).status).toBe(405);
    expect((await ops("/refresh")).status).toBe(405);
    expect((await ops("/parked/pi_1/retry")).status).toBe(405);
    expect((await ops("/nothing")).status).toBe(404);
  });
});

it("shows an empty ledger as one that wants nothing", async () => {
  expect((await ops("")).body).toEqual({
    unattributed: { count: 0, newest: [] },
    parked: { count: 0, newest: [] },
    gone: { count: 0 },
    reconciliations: [],
  });
  await cron();
  const { reconciliations: progress } = (await ops("")).body;
  expect(progress.map(({ name }: { name: string }) => name)).toEqual([
    "balance_transactions:live",
    "balance_transactions:live:day_later",
    "balance_transactions:test",
    "balance_transactions:test:day_later",
    "events:live",
    "events:live:day_later",
    "events:test",
    "events:test:day_later",
    "subscriptions:live",
    "subscriptions:live:day_later",
    "subscriptions:test",
    "subscriptions:test:day_later",
  ]);
  expect(progress[0]).toEqual({
    name: expect.any(String),
    compared_until: expect.any(String),
    missing_count: 0,
    last_run_at: expect.any(String),
  });
});

describe("a movement without a partner", () => {
  it("is counted and shown, and can be looked at anew once its partner is known", async () => {
    const paid = await payNobody();
    expect((await ops("")).body.unattributed).toEqual({
      count: 1,
      newest: [
        {
          id: `processor:${paid.balance_transaction}`,
          environment: "test",
          amount: 19,
          currency: "USD",
          type: "processor_payment_in",
          status: "completed",
          transaction_date: expect.any(String),
          payment_intent_id: paid.payment_intent,
          source_id: paid.charge,
          subscription_id: null,
        },
      ],
    });
    const intent = world.state.objects[paid.payment_intent];
    if (intent !== undefined) intent.metadata = { partner_id: "acme" };
    const looked = await ops("/refresh", { method: "POST", body: { environment: "test", id: paid.payment_intent }, operator: "Robin" });
    expect(looked.body).toEqual({ success: true, found: [{ id: `processor:${paid.balance_transaction}`, partner_id: "acme" }] });
    expect(await movementOf(paid)).toMatchObject({ partner_id: "acme" });
    expect((await ops("")).body.unattributed).toEqual({ count: 0, newest: [] });
    expect(await audit()).toEqual([
      { actor: "Robin", action: "ledger.refresh", target: paid.payment_intent, before: null, after: '{"environment":"test"}' },
    ]);
  });

  it("takes the payment's refunds along, and its partner gets all events", async () => {
    const paid = await payNobody();
    const refunded = await control<{ balance_transaction: string }>("/refund", { payment_intent: paid.payment_intent, amount: 100 });
    await expect.poll(() => movementOf(refunded)).toMatchObject({ partner_id: null });
    const intent = world.state.objects[paid.payment_intent];
    if (intent !== undefined) intent.metadata = { partner_id: "acme" };
    const looked = await ops("/refresh", { method: "POST", body: { environment: "test", id: paid.payment_intent } });
    expect(looked.body.found).toEqual([
      { id: `processor:${paid.balance_transaction}`, partner_id: "acme" },
      { id: `processor:${refunded.balance_transaction}`, partner_id: "acme" },
    ]);
    const { results } = await env.CELL_1.prepare("SELECT name FROM events WHERE cause LIKE ? OR cause LIKE ? ORDER BY name")
      .bind(`%${paid.balance_transaction}`, `%${refunded.balance_transaction}`)
      .all();
    expect(results).toEqual([{ name: "Processor.payment.succeeded" }, { name: "Processor.refund.succeeded" }]);
  });

  it("finds a subscription's partner too", async () => {
    const { subscription } = await pay(["TestMonthly"]);
    const looked = await ops("/refresh", { method: "POST", body: { environment: "test", id: subscription } });
    expect(looked.body).toEqual({ success: true, found: [{ id: subscription, partner_id: "acme" }] });
  });

  it("that the processor does not know, or not in this environment, is said so", async () => {
    const missing = await ops("/refresh", { method: "POST", body: { environment: "test", id: "pi_missing" } });
    expect([missing.status, missing.body]).toEqual([404, { success: false, error: expect.stringContaining("No such payment_intent") }]);
    const { charge } = await pay(["TestUsd1"]);
    expect((await ops("/refresh", { method: "POST", body: { environment: "live", id: charge } })).status).toBe(404);
    await quiet();
    await control("/faults", { target: "processor", call: "charges.retrieve", times: 100, kind: "reset" });
    expect((await ops("/refresh", { method: "POST", body: { environment: "test", id: charge } })).status).toBe(502);
    expect((await ops("")).body.parked.count).toBe(0);
  });

  it.each([
    ["Robin", "Robin"],
    [encodeURIComponent("Анна Зоë"), "Анна Зоë"],
    ["", "operator"],
  ])("notes who asked: %j", async (operator, actor) => {
    const { charge } = await pay(["TestUsd1"]);
    await ops("/refresh", { method: "POST", body: { environment: "test", id: charge }, operator });
    expect(await audit()).toMatchObject([{ actor }]);
  });

  it.each(["%", "a%0Ab", "x".repeat(65)])("refuses a name such as %j", async (operator) => {
    expect((await ops("/refresh", { method: "POST", body: { environment: "test", id: "ch_1" }, operator })).status).toBe(400);
    expect(await audit()).toEqual([]);
  });

  it.each(["{", "[]", "", "7", "x".repeat(65 * 1024)])("cannot be asked for by the body %.9s", async (body) => {
    const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
    expect((await send("/ops/ledger/refresh", { method: "POST", headers, body })).status).toBe(400);
    expect((await send("/ops/ledger/refresh", { method: "POST", headers: { Authorization: `Bearer ${TOKEN}` }, body: "{}" })).status).toBe(
      400,
    );
  });

  it.each(["charge", "balance_transaction", "payment_intent"] as const)("can be asked for by its %s", async (by) => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    await dropHeldEvents();
    await control("/events", { environment: "test", hold: false });
    await ops("/refresh", { method: "POST", body: { environment: "test", id: paid[by] } });
    await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: "acme", type: "processor_payment_in" });
  });

  it.each([
    {},
    { environment: "test" },
    { environment: "both", id: "ch_1" },
    { environment: "test", id: "plink_1" },
    { environment: "test", id: "ch_'; --" },
    { environment: "test", id: "" },
  ])("cannot be asked for by %j", async (body) => {
    expect((await ops("/refresh", { method: "POST", body })).status).toBe(400);
    expect(await audit()).toEqual([]);
  });
});

describe("a parked event", () => {
  it("is counted and shown with its reason, and can be tried again", async () => {
    await control("/faults", { target: "processor", call: "charges.retrieve", times: 1000, kind: "http_400" });
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    await dropHeldEvents({ keep: ["charge.succeeded"] });
    await control("/events", { environment: "test", hold: false });
    await quiet();
    await updateRows(refreshes, { attempts: 13, next_attempt_at: Date.now() - MINUTE });
    await cron.sweep("refreshes");
    await expect.poll(async () => (await ops("")).body.parked.count).toBe(1);
    const [event] = (await ops("")).body.parked.newest;
    expect(event).toEqual({
      id: paid.payment_intent,
      environment: "test",
      state: "parked",
      attempts: 14,
      last_error: expect.stringMatching(/upstream_failed.*\(.*injected|upstream_failed.*\(/),
      since: expect.any(String),
    });
    await control("/faults", undefined, "DELETE");
    const retried = await ops(`/parked/${event.id}/retry`, { method: "POST" });
    expect(retried.body).toEqual({ success: true, id: event.id });
    await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: "acme" });
    expect((await ops("")).body.parked).toEqual({ count: 0, newest: [] });
    expect(await audit()).toEqual([{ actor: "operator", action: "ledger.retry", target: event.id, before: null, after: null }]);
    expect((await ops(`/parked/${event.id}/retry`, { method: "POST" })).status).toBe(404);
    expect(await audit()).toHaveLength(1);
  });

  it("is one whose attempts died without a word, too", async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"]);
    await dropHeldEvents();
    await control("/events", { environment: "test", hold: false });
    await env.CELL_1.prepare("INSERT INTO refreshes VALUES (?, 'test', 'due', 13, 0, NULL, 0, 'internal')").bind(paid.payment_intent).run();
    await cron.sweep("refreshes");
    await expect.poll(async () => (await ops("")).body.parked.newest.map(({ id }: { id: string }) => id)).toContain(paid.payment_intent);
  });

  it("that there is none of is not found", async () => {
    expect((await ops("/parked/pi_none/retry", { method: "POST" })).status).toBe(404);
  });
});
