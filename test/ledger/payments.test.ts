import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addObject } from "../../sandbox/world.ts";
import type { CallBudget } from "../../src/core/call-budget.ts";
import { hmacSha256Hex } from "../../src/core/digest.ts";
import { processorEvents, reconciliations, refreshes } from "../../src/db/schema/index.ts";
import { receiveProcessorEvents } from "../../src/ledger/processor-events.ts";
import { sweepBalanceTransactions } from "../../src/ledger/reconcile.ts";
import { refresh } from "../../src/ledger/record-refreshes.ts";
import type { Source } from "../../src/processor/facts.ts";
import { CART, call, cart, keys, REGISTER, send } from "../support/api.ts";
import { cellDeps, losingQueue, withEventQueue } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { DAY, HOUR, MINUTE, pass } from "../support/later.ts";
import { line, listed, movementOf, type Paid, pay, quiet, receivedEvents } from "../support/payments.ts";
import { withMethods } from "../support/processor.ts";
import { control, settled, world } from "../support/stack.ts";
import { countOf, rowOf } from "../support/tables.ts";

beforeEach(async () => {
  await control("/events", { environment: "test", hold: false, duplicate: 0, shuffle: false });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a one-time payment", () => {
  // interface P.6, P.7
  it("becomes a movement of its partner, with the order reference", async () => {
    const paid = await pay(["TestUsd1"], { client_reference_id: "Order-1", email: "buyer@example.com" });
    await expect.poll(() => listed({ client_reference_id: "Order-1" })).toMatchObject({ count: 1 });
    const { transactions, environment_filter } = await listed({ client_reference_id: "Order-1" });
    expect(environment_filter).toBe("all");
    expect(transactions).toEqual([
      {
        id: `processor:${paid.balance_transaction}`,
        amount: 19,
        net_amount: 18.15,
        fee: 0.85,
        currency: "USD",
        status: "completed",
        transaction_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        description: null,
        environment: "test",
        type: "processor_payment_in",
        is_subscription: false,
        client_reference_id: "Order-1",
        payment_intent_id: paid.payment_intent,
        payment_link_id: expect.stringMatching(/^plink_/),
        subscription_id: null,
        charged_amount: 19,
        charged_currency: "USD",
      },
    ]);
  });

  it("is seen by its partner alone", async () => {
    await pay(["TestUsd1"], { client_reference_id: "private" });
    await expect.poll(() => listed({ client_reference_id: "private" })).toMatchObject({ count: 1 });
    expect(await listed({ client_reference_id: "private" }, keys.globex)).toEqual({
      success: true,
      transactions: [],
      count: 0,
      has_more: false,
      environment_filter: "all",
    });
  });

  it("waits for its balance transaction, however late", async () => {
    const paid = await pay(["TestUsd1"], { client_reference_id: "late", balance_after_ms: 60_000 });
    await quiet();
    expect(await movementOf(paid)).toBeNull();
    await settled();
    await expect.poll(() => listed({ client_reference_id: "late" })).toMatchObject({ count: 1 });
  });

  // interface 5.6
  it("of a product's first link is attributed too", async () => {
    const paid = await control<Paid>("/pay", { short_url: "http://localhost:8787/01acmeLiveUsd1First", client_reference_id: "first-link" });
    await expect
      .poll(() => listed({ client_reference_id: "first-link", environment: "live" }))
      .toMatchObject({
        count: 1,
        environment_filter: "live",
        transactions: [{ id: `processor:${paid.balance_transaction}`, environment: "live" }],
      });
  });

  it("that got an invoice of its own keeps its order reference, and is no subscription", async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"], { client_reference_id: "invoiced" });
    const invoice = addObject(world, "in", { object: "invoice", livemode: false, billing_reason: "manual", parent: null });
    const payment = { type: "payment_intent", payment_intent: paid.payment_intent };
    addObject(world, "inpay", { object: "invoice_payment", livemode: false, invoice: invoice.id, payment });
    await control("/events", { environment: "test", hold: false });
    await expect
      .poll(() => listed({ client_reference_id: "invoiced" }))
      .toMatchObject({ count: 1, transactions: [{ is_subscription: false, payment_intent_id: paid.payment_intent }] });
  });

  it("whose charge has a status that nobody has heard of is recorded all the same, and logged once", async () => {
    const entries: string[] = [];
    vi.spyOn(console, "error").mockImplementation((entry: unknown) => entries.push(String(entry)));
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"], { client_reference_id: "strange" });
    const charge = world.state.objects[paid.charge];
    if (charge !== undefined) charge.status = "undecided";
    await control("/events", { environment: "test", hold: false });
    await expect.poll(() => listed({ client_reference_id: "strange" })).toMatchObject({ count: 1, transactions: [{ amount: 19 }] });
    await quiet();
    const misfits = entries.filter((entry) => entry.includes("does not fit its shape"));
    expect(misfits).toEqual([expect.stringMatching(/"object":"charge","path":"status"/)]);
    expect(misfits[0]).not.toContain("undecided");
  });

  it("that is declined moves nothing", async () => {
    await pay(["TestUsd1"], { client_reference_id: "declined", outcome: "failed" });
    await quiet();
    expect(await listed({ client_reference_id: "declined" })).toMatchObject({ count: 0 });
  });

  // interface P.3
  it("by a slow method is pending, and then what became of it", async () => {
    const good = await pay(["TestUsd1"], { client_reference_id: "slow", outcome: "pending" });
    await expect.poll(() => listed({ client_reference_id: "slow" })).toMatchObject({ count: 1, transactions: [{ status: "pending" }] });
    await control("/settle", { payment_intent: good.payment_intent, outcome: "succeeded" });
    await expect.poll(() => listed({ client_reference_id: "slow" })).toMatchObject({ count: 1, transactions: [{ status: "completed" }] });
    const bad = await pay(["TestUsd1"], { client_reference_id: "slow-bad", outcome: "pending" });
    await expect.poll(() => movementOf(bad)).toMatchObject({ status: "pending" });
    await control("/settle", { payment_intent: bad.payment_intent, outcome: "failed" });
    await expect.poll(() => movementOf(bad)).toMatchObject({ status: "failed" });
  });
});

describe("a subscription cart", () => {
  // interface P.7
  it("is attributed through its invoice, at its start and at each renewal", async () => {
    const paid = await pay(["TestMonthly"], { client_reference_id: "sub-order" });
    await expect
      .poll(() => listed({ client_reference_id: "sub-order" }))
      .toMatchObject({
        count: 1,
        transactions: [{ is_subscription: true, amount: 19, description: "Subscription creation" }],
      });
    const renewed = await control<Paid>("/renew", { subscription: paid.subscription });
    await expect
      .poll(() => movementOf(renewed))
      .toMatchObject({
        partner_id: "acme",
        is_subscription: 1,
        client_reference_id: null,
        subscription_id: paid.subscription,
      });
  });
});

describe("a subscription that the processor will not show us", () => {
  it.each([{ kind: "http_400" }])("does not keep its payment from the ledger: %j", async (fault) => {
    await control("/faults", { target: "processor", call: "subscriptions.retrieve", times: 99, ...fault });
    const paid = await pay(["TestMonthly"], { client_reference_id: "unreadable" });
    await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: "acme", is_subscription: 1 });
    await control("/faults", undefined, "DELETE");
  });
});

describe("the processor's events", () => {
  it("converge, whatever their order and number", async () => {
    await call(REGISTER, { test_url: "http://sandbox.test:8788/inbox/converge" });
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1", "TestUsd2"], { client_reference_id: "converge" });
    await control("/events", { environment: "test", hold: false, duplicate: 3, shuffle: true });
    const heard = () => receivedEvents("converge").filter(({ transaction }) => transaction?.payment_intent_id === paid.payment_intent);
    await expect.poll(heard).toHaveLength(1);
    expect(heard()).toMatchObject([
      { event: "Processor.payment.succeeded", transaction: { id: `processor:${paid.balance_transaction}`, amount: 38 } },
    ]);
    expect(await listed({ client_reference_id: "converge" })).toMatchObject({ count: 1 });
    const events = await env.CELL_1.prepare("SELECT count(*) AS count FROM events WHERE cause = ?")
      .bind(`payment.succeeded:processor:${paid.balance_transaction}`)
      .first();
    expect(events).toEqual({ count: 1 });
  });

  it("that never came are made good by the sweep", async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"], { client_reference_id: "missed" });
    await cron();
    expect(await movementOf(paid)).toBeNull();
    pass(2 * MINUTE);
    await cron();
    await expect.poll(() => listed({ client_reference_id: "missed" })).toMatchObject({ count: 1 });
  });

  it("are found by the sweep once each, in slices that shrink where there is much, and it never goes back", async () => {
    const sweep = () => rowOf(reconciliations, { name: "balance_transactions:test" }, ["compared_until", "missing_count"]);
    await control("/events", { environment: "test", hold: true });
    pass(10 * MINUTE);
    await cron.sweep("balance_transactions_test");
    const before = (await sweep()) ?? { compared_until: 0, missing_count: 0 };
    for (let paid = 0; paid < 7; paid += 1) {
      pass(MINUTE);
      await pay(["TestUsd1"], { client_reference_id: "slices" });
    }
    pass(2 * MINUTE);
    const slices = { first: 6 * HOUR, longest: 6 * HOUR, shortest: MINUTE / 2, full: 3 };
    expect(await sweepBalanceTransactions(cellDeps(), "test", slices)).toBe(7);
    expect(await sweepBalanceTransactions(cellDeps(), "test", slices)).toBe(0);
    const after = await sweep();
    expect(after?.missing_count).toBe(before.missing_count + 7);
    expect(after?.compared_until).toBeGreaterThan(before.compared_until);
    vi.useRealTimers();
    await cron.sweep("balance_transactions_test");
    expect((await sweep())?.compared_until).toBe(after?.compared_until);
    pass(HOUR);
    await cron.sweep("refreshes");
    await expect.poll(() => listed({ client_reference_id: "slices" })).toMatchObject({ count: 7 });
  });

  it("whose queue message was lost are found by the cron", async () => {
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"], { client_reference_id: "unwoken" });
    // Stored and acknowledged, but not enqueued: as if the queue had lost the message.
    const event = {
      id: "evt_unwoken",
      subject: paid.payment_intent,
      type: "charge.succeeded",
      environment: "test",
      objectId: paid.charge,
      partnerId: "acme",
    } as const;
    await receiveProcessorEvents(withEventQueue(losingQueue), [event]);
    pass(2 * MINUTE);
    await cron();
    await expect.poll(() => listed({ client_reference_id: "unwoken" })).toMatchObject({ count: 1 });
  });

  it("that cannot be worked off are retried, then parked, never dropped", async () => {
    await control("/faults", { target: "processor", call: "charges.retrieve", times: 1000, kind: "http_400" });
    await control("/events", { environment: "test", hold: true });
    const paid = await pay(["TestUsd1"], { client_reference_id: "parked" });
    await control("/events", { environment: "test", hold: false });
    const row = () => rowOf(refreshes, { subject: paid.payment_intent }, ["state", "attempts", "last_error", "next_attempt_at"]);
    await expect.poll(row).toMatchObject({ state: "due", attempts: 1, last_error: expect.stringContaining("upstream_failed") });
    for (let attempts = 2; attempts <= 14; attempts += 1) {
      pass(((await row())?.next_attempt_at ?? 0) - Date.now() + MINUTE);
      await cron.sweep("refreshes");
      await expect.poll(row).toMatchObject({ attempts, last_error: expect.any(String) });
      if (attempts < 14) expect(await row()).toMatchObject({ state: "due" });
    }
    await expect.poll(row).toMatchObject({ state: "parked", attempts: 14 });
    await control("/faults", undefined, "DELETE");
    pass(DAY);
    await cron.sweep("refreshes");
    expect(await row()).toMatchObject({ state: "parked", attempts: 14 });
  });

  it("of a partner that nobody knows are kept, and sent to nobody", async () => {
    const { payment_link_id } = (await call(CART, cart({ items: [line("TestUsd1")] }))).body;
    const link = world.state.objects[payment_link_id];
    if (link !== undefined) link.payment_intent_data = { metadata: { partner_id: "somebody-else" } };
    const paid = await control<Paid>("/pay", { payment_link_id });
    await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: null, status: "completed" });
    // Waiting would not make the partner known.
    await expect.poll(() => countOf(refreshes, { subject: paid.payment_intent })).toBe(0);
    const events = await env.CELL_1.prepare("SELECT count(*) AS count FROM events WHERE cause LIKE ?")
      .bind(`%${paid.balance_transaction}`)
      .first();
    expect(events).toEqual({ count: 0 });
  });
});

it("a look at a charge that is written late does not undo a later one", async () => {
  const paid = await pay(["TestUsd1"], { client_reference_id: "stale" });
  await expect.poll(() => movementOf(paid)).toMatchObject({ status: "completed" });
  // A refresh of its own events that ends later would make it ask a third time.
  await settled();
  await quiet();
  const deps = cellDeps();
  let looks = 0;
  const stale = {
    ...deps,
    clock: { now: () => Date.now() - HOUR },
    processor: () =>
      withMethods(deps.processor("test"), {
        retrieve: async (source: Source, options: { budget: CallBudget }) => {
          const facts = await deps.processor("test").retrieve(source, options);
          looks += 1;
          return looks > 1 ? facts : { ...facts, charge: facts.charge && { ...facts.charge, status: "pending" as const } };
        },
      }),
  };
  await refresh(stale, "test", { kind: "charge", id: paid.charge });
  expect(await movementOf(paid)).toMatchObject({ status: "completed" });
  // Its clock may have been behind, so it asked once more.
  expect(looks).toBe(2);
});

describe("the address for them", () => {
  const event = (overrides: object = {}) =>
    JSON.stringify({
      id: `evt_${crypto.randomUUID()}`,
      type: "charge.succeeded",
      livemode: false,
      data: { object: { id: "ch_none" } },
      ...overrides,
    });

  async function post(body: string, { secret = "whsec_sandbox_test", age = 0, environment = "test", header = "" } = {}) {
    const timestamp = Math.floor(Date.now() / 1000) - age;
    const signature = await hmacSha256Hex(secret, new TextEncoder().encode(`${timestamp}.${body}`));
    const headers = { "Stripe-Signature": header || `t=${timestamp},v1=${signature}` };
    return send(`/ingest/processor/${environment}`, { method: "POST", headers, body });
  }

  const stored = async (id: string) => ({ count: await countOf(processorEvents, { id }) });

  it("stores an event once, and acknowledges it each time", async () => {
    const body = event({ id: "evt_once" });
    expect((await post(body)).status).toBe(200);
    expect((await post(body)).status).toBe(200);
    expect(await stored("evt_once")).toEqual({ count: 1 });
  });

  it.each<[string, Parameters<typeof post>[1]]>([
    ["another secret", { secret: "whsec_other" }],
    ["the other environment's secret", { secret: "whsec_sandbox_live" }],
    ["an old signature", { age: 301 }],
    ["a header that is none", { header: "v1=abc" }],
    ["no signature", { header: "t=1" }],
  ])("refuses %s and stores nothing", async (_what, options) => {
    const answer = await post(event({ id: "evt_refused" }), options);
    expect([answer.status, answer.body]).toEqual([400, { success: false, error: expect.any(String) }]);
    expect(await stored("evt_refused")).toEqual({ count: 0 });
  });

  it.each([
    ["an event of the other environment", event({ id: "evt_other", livemode: true })],
    ["what is no event", JSON.stringify({ id: "evt_other" })],
    ["what is no JSON", "evt_other"],
    ["an empty body", ""],
  ])("refuses %s", async (_what, body) => {
    expect((await post(body)).status).toBe(400);
    expect(await stored("evt_other")).toEqual({ count: 0 });
  });

  describe("from an event destination that is set up in another way", () => {
    const logged = () => {
      const entries: Record<string, unknown>[] = [];
      vi.spyOn(console, "error").mockImplementation((entry: unknown) => entries.push(JSON.parse(String(entry))));
      return entries;
    };

    it("refuses thin payloads, with one clear error in the log", async () => {
      const entries = logged();
      const thin = {
        id: "evt_thin",
        object: "v2.core.event",
        type: "v1.charge.succeeded",
        livemode: false,
        related_object: { id: "ch_1" },
      };
      expect(await post(JSON.stringify(thin))).toMatchObject({ status: 400, body: { error: expect.stringContaining("snapshot") } });
      expect(entries).toMatchObject([{ message: expect.stringContaining("snapshot payloads"), payload: "thin", environment: "test" }]);
    });

    it("processes an event of another API version by its ids, with one clear error in the log", async () => {
      const paid = await (async () => {
        await control("/events", { environment: "test", hold: true });
        return pay(["TestUsd1"], { client_reference_id: "other-version" });
      })();
      const entries = logged();
      const other = event({ api_version: "2019-05-16", data: { object: { id: paid.charge } } });
      expect((await post(other)).status).toBe(200);
      await expect.poll(() => movementOf(paid)).toMatchObject({ partner_id: "acme" });
      expect(entries).toMatchObject([{ message: expect.stringContaining("another API version"), came: "2019-05-16" }]);
    });
  });

  it("takes a signature that is 5 minutes old, and none that is older", async () => {
    // The clock stands still meanwhile.
    pass(0);
    expect((await post(event({ type: "customer.created" }), { age: 300 })).status).toBe(200);
    expect((await post(event({ type: "customer.created" }), { age: 301 })).status).toBe(400);
  });

  it("refuses an event of more than a mebibyte", async () => {
    expect((await post(event({ filler: "x".repeat(1024 * 1024) }))).status).toBe(413);
  });
});
