import { applyD1Migrations, createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { ProcessorObject } from "../sandbox/state.ts";
import { buildDeps } from "../src/build-deps.ts";
import { cellCodeOf, type DatabaseName, DIRECTORY, newIdCode } from "../src/core/cell-code.ts";
import { connectCells } from "../src/db/cells.ts";
import { connectCell } from "../src/db/client.ts";
import { forgetMigrated, LAST_MIGRATION } from "../src/db/migrations.ts";
import { owedComparisons, partners, paymentLinks, processorEvents, reconciliations, walks } from "../src/db/schema/index.ts";
import { readPosition, writePosition } from "../src/db/walk.ts";
import { readCells } from "../src/figures/cells.ts";
import { countedAt } from "../src/figures/count.ts";
import { lastCronRun, lastReached } from "../src/health/heartbeats.ts";
import { waitingAges } from "../src/health/waiting.ts";
import { attribute } from "../src/ledger/attribution.ts";
import type { Evidence } from "../src/ledger/evidence.ts";
import { processSubject, receiveProcessorEvents } from "../src/ledger/processor-events.ts";
import { sweepBalanceTransactions, sweepMissedEvents, sweepOwedComparisons } from "../src/ledger/reconcile.ts";
import { allOwedComparisons, oweComparisons, payOwedComparisons } from "../src/ledger/reconciliation-store.ts";
import { TRANSACTION_MISSING } from "../src/ledger/sources.ts";
import { sweepUnattributedMovements, sweepUnattributedSubscriptions } from "../src/ledger/unattributed.ts";
import { processBatch } from "../src/runners/queues.ts";
import { sweepAll, sweepCell } from "../src/runners/sweeps.ts";
import { newSlug } from "../src/short-links/slug.ts";
import { CART, call, cart, keys, LIST, PAYMENT } from "./support/api.ts";
import { buildApp } from "./support/app.ts";
import { notification } from "./support/bank.ts";
import { ONE_CELL } from "./support/cells.ts";
import { MINUTE, pass, realTime } from "./support/later.ts";
import { dropHeldEvents } from "./support/objects.ts";
import { costs, countEffects } from "./support/observe.ts";
import { line, type Paid, pay } from "./support/payments.ts";
import { control, EDGE, world } from "./support/stack.ts";
import { emptyTables, rowOf, updateRows } from "./support/tables.ts";
import { virtualTime } from "./support/virtual-time.ts";

/**
 * A deployment with two cells: acme's data is in the first, globex's in the second. The Worker of the tests has the first
 * one only, so links are made there, and are then put into the second.
 */

const SECOND = cellCodeOf(2);
/** The queues would have the Worker of the tests work off what this one sends, and it has one cell. */
const NO_QUEUE = { sendBatch: async () => undefined };
const deps = buildDeps({ ...ONE_CELL, CELL_2: env.SECOND_CELL, PROCESSOR_EVENTS: NO_QUEUE, DELIVERIES: NO_QUEUE } as never);
const serve = buildApp(deps);
const GLOBEX_SUBSCRIPTION = "sub_of_globex";

beforeAll(async () => {
  await applyD1Migrations(env.SECOND_CELL, env.CELL_MIGRATIONS);
  await updateRows(partners, { cell: SECOND, id_code: SECOND }, { id: "globex" });
  await env.SECOND_CELL.prepare(
    "INSERT INTO subscriptions (id, partner_id, environment, status, started_at, cancel_at_period_end, updated_at) VALUES (?, 'globex', 'test', 'active', 0, 0, 0)",
  )
    .bind(GLOBEX_SUBSCRIPTION)
    .run();
});
afterEach(realTime);

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const context = createExecutionContext();
  const response = await serve(new Request(`${EDGE}${path}`, { redirect: "manual", ...init }), context);
  await waitOnExecutionContext(context);
  return response;
}

async function query(operation: string, body: object, key: string): Promise<any> {
  const headers = { "Content-Type": "application/json", "X-Partner-Api-Key": key };
  return (await ask(`/${operation}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

const databases: Readonly<Record<string, D1Database>> = { "01": env.CELL_1, [SECOND]: env.SECOND_CELL, [DIRECTORY]: env.DIRECTORY };

/** In which databases a row is. */
async function placesOf(table: string, where: string, value: string): Promise<string[]> {
  const counts = Object.entries(databases).map(async ([databaseName, db]) => {
    const isThere = await db.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").bind(table).first();
    const count = isThere && (await db.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${where} = ?`).bind(value).first("count"));
    return count ? [databaseName] : [];
  });
  return (await Promise.all(counts)).flat();
}

/** A customer pays by a link of globex's, and none of the events comes. `named`: the partner in the metadata. */
async function payGlobex(named: string | null): Promise<Paid> {
  const { body } = await call(CART, cart({ items: [line("TestUsd1")] }));
  const id = String(body.payment_link_id);
  const stored = await rowOf(paymentLinks, { id });
  await env.CELL_1.prepare("DELETE FROM payment_links WHERE id = ?").bind(id).run();
  const names = Object.keys(stored ?? {});
  await env.SECOND_CELL.prepare(`INSERT INTO payment_links (${names.join()}) VALUES (${names.map(() => "?").join()})`)
    .bind(...Object.values({ ...stored, partner_id: "globex", slug: newSlug(newIdCode(SECOND)) }))
    .run();
  const made = world.state.objects[id];
  const metadata = named === null ? {} : { partner_id: named };
  if (made !== undefined) Object.assign(made, { metadata, payment_intent_data: { metadata } });
  await control("/events", { environment: "test", hold: true });
  const paid = await control<Paid>("/pay", { payment_link_id: id });
  await dropHeldEvents();
  await control("/events", { environment: "test", hold: false });
  return paid;
}

const eventOf = (paid: Paid, partnerId: string | null) =>
  ({
    id: `evt_${crypto.randomUUID()}`,
    subject: paid.payment_intent,
    type: "charge.succeeded",
    environment: "test",
    objectId: paid.charge,
    partnerId,
  }) as const;

async function workOff(paid: Paid, partnerId: string | null, databaseName: DatabaseName): Promise<void> {
  await receiveProcessorEvents(deps, [eventOf(paid, partnerId)]);
  expect(await placesOf("refreshes", "subject", paid.payment_intent)).toEqual([databaseName]);
  await processSubject(deps.inDatabase(databaseName), paid.payment_intent);
  expect(await placesOf("refreshes", "subject", paid.payment_intent)).toEqual([]);
}

/** Names another partner in what the processor has of a payment. */
function correct(paid: Paid, partnerId: string): void {
  const isSession = ({ object, payment_intent }: ProcessorObject) =>
    object === "checkout.session" && payment_intent === paid.payment_intent;
  for (const object of [world.state.objects[paid.payment_intent], Object.values(world.state.objects).find(isSession)]) {
    if (object !== undefined) object.metadata = { partner_id: partnerId };
  }
}

const statusIn = (db: D1Database, paid: Paid) =>
  db.prepare("SELECT status FROM movements WHERE id = ?").bind(`processor:${paid.balance_transaction}`).first("status");

const placesOfMovement = (paid: Paid) => placesOf("movements", "id", `processor:${paid.balance_transaction}`);

describe("a payment of a partner in the second cell", () => {
  it("is recorded there, with its event, and seen by its partner alone", async () => {
    const paid = await payGlobex("globex");
    await workOff(paid, "globex", SECOND);
    expect(await placesOfMovement(paid)).toEqual([SECOND]);
    const cause = `payment.succeeded:processor:${paid.balance_transaction}`;
    expect(await placesOf("events", "cause", cause)).toEqual([SECOND]);
    const id = await env.SECOND_CELL.prepare("SELECT id FROM events WHERE cause = ?").bind(cause).first<string>("id");
    expect(id).toMatch(/^evt_02/);
    expect((await query(LIST, {}, keys.globex)).transactions).toMatchObject([{ payment_intent_id: paid.payment_intent }]);
    expect(await query(PAYMENT, { payment_intent_id: paid.payment_intent }, keys.globex)).toMatchObject({ success: true, count: 1 });
    expect((await query(LIST, {}, keys.acme)).transactions).toEqual([]);
    expect(await query(PAYMENT, { payment_intent_id: paid.payment_intent }, keys.acme)).toMatchObject({ success: false });
  });

  it("whose event names nobody waits in the directory, and is recorded in the cell", async () => {
    const paid = await payGlobex("globex");
    await workOff(paid, null, DIRECTORY);
    expect(await placesOfMovement(paid)).toEqual([SECOND]);
  });

  it("that names nobody at all is found by its link, in whichever cell that is", async () => {
    const paid = await payGlobex(null);
    await workOff(paid, null, DIRECTORY);
    expect(await placesOfMovement(paid)).toEqual([SECOND]);
  });

  it("that names a partner of the first cell contradicts itself, and stays in the directory until that is corrected", async () => {
    const paid = await payGlobex("acme");
    await workOff(paid, "acme", cellCodeOf(1));
    expect(await placesOfMovement(paid)).toEqual([DIRECTORY]);
    const headers = { Authorization: "Bearer ops-local", "Content-Type": "application/json" };
    const shown: any = await (await ask("/ops/ledger", { headers })).json();
    expect(shown.unattributed.newest).toMatchObject([{ payment_intent_id: paid.payment_intent }]);
    correct(paid, "globex");
    const body = JSON.stringify({ environment: "test", id: paid.payment_intent });
    expect(await (await ask("/ops/ledger/refresh", { method: "POST", headers, body })).json()).toMatchObject({
      found: [{ partner_id: "globex" }],
    });
    expect(await placesOfMovement(paid)).toEqual([SECOND]);
  });

  it("that was stored without an owner is forgotten in the directory, once another event has shown the owner", async () => {
    const paid = await payGlobex("acme");
    await workOff(paid, "acme", cellCodeOf(1));
    expect(await placesOfMovement(paid)).toEqual([DIRECTORY]);
    correct(paid, "globex");
    await workOff(paid, "globex", SECOND);
    expect(await placesOfMovement(paid)).toEqual([SECOND, DIRECTORY]);
    expect(await sweepUnattributedMovements(deps.inDirectory())).toBe(1);
    expect(await placesOfMovement(paid)).toEqual([SECOND]);
    const { counts } = await countEffects(() => sweepUnattributedMovements(deps.inDirectory()));
    expect(counts).toEqual(costs({ d1: 2 }));
  });

  it("is looked up again where the directory had seen it later than the cell, and its event comes", async () => {
    const paid = await payGlobex("globex");
    const charge = world.state.objects[paid.charge];
    const now = charge?.status;
    if (charge !== undefined) charge.status = "pending";
    await workOff(paid, "globex", SECOND);
    expect(await statusIn(env.SECOND_CELL, paid)).toBe("pending");
    if (charge !== undefined) charge.status = now;
    // As if a refresh that found no owner had seen it completed, and the one of the owner was older and came later.
    await env.DIRECTORY.prepare(
      `INSERT INTO movements (id, environment, amount, currency, status, transaction_date, is_subscription, updated_at) VALUES (?, 'test', 1900, 'USD', 'completed', 0, 0, ?)`,
    )
      .bind(`processor:${paid.balance_transaction}`, Date.now())
      .run();
    expect(await sweepUnattributedMovements(deps.inDirectory())).toBe(1);
    expect(await statusIn(env.SECOND_CELL, paid)).toBe("completed");
    expect(await placesOfMovement(paid)).toEqual([SECOND]);
    expect(await placesOf("events", "cause", `payment.succeeded:processor:${paid.balance_transaction}`)).toEqual([SECOND]);
  });

  it("that a cell has is kept up to date there, also while its owner is in doubt", async () => {
    const paid = await payGlobex("globex");
    const charge = world.state.objects[paid.charge];
    const now = charge?.status;
    if (charge !== undefined) charge.status = "pending";
    await workOff(paid, "globex", SECOND);
    if (charge !== undefined) charge.status = now;
    for (const doubtful of ["acme", "somebody"]) {
      correct(paid, doubtful);
      await workOff(paid, null, DIRECTORY);
      expect(await placesOfMovement(paid)).toEqual([SECOND]);
      expect(await statusIn(env.SECOND_CELL, paid)).toBe("completed");
      const [row] = (
        await env.SECOND_CELL.prepare("SELECT partner_id FROM movements WHERE payment_intent_id = ?").bind(paid.payment_intent).all()
      ).results;
      expect(row).toEqual({ partner_id: "globex" });
    }
    expect(await placesOf("events", "cause", `payment.succeeded:processor:${paid.balance_transaction}`)).toEqual([]);
    correct(paid, "globex");
    await workOff(paid, null, DIRECTORY);
    expect(await placesOf("events", "cause", `payment.succeeded:processor:${paid.balance_transaction}`)).toEqual([SECOND]);
  });

  it("whose link contradicts what its own cell knows of it is shown to nobody", async () => {
    const own = {
      paymentIntentId: null,
      subscriptionId: "sub_of_acme",
      paymentLinkId: "plink_of_globex",
      metadata: { partner_id: "acme" },
    };
    await env.CELL_1.prepare(
      "INSERT INTO subscriptions (id, partner_id, environment, status, started_at, cancel_at_period_end, updated_at) VALUES ('sub_of_acme', 'acme', 'test', 'active', 0, 0, 0)",
    ).run();
    expect((await attribute(deps, { ...own, paymentLinkId: null })).attribution).toMatchObject({ partnerId: "acme", databaseName: "01" });
    await env.SECOND_CELL.prepare(
      "INSERT INTO payment_links (id, partner_id, environment, source, currency, mode, url, created_at) VALUES ('plink_of_globex', 'globex', 'test', 'cart', 'USD', 'subscription', '', 0)",
    ).run();
    expect((await attribute(deps, own)).attribution).toMatchObject({ partnerId: null, why: "contradictory" });
  });

  it("that another partner's cell has already contradicts what its own cell knows", async () => {
    const paid = await payGlobex("globex");
    await workOff(paid, "globex", SECOND);
    // A person has set another partner, and no link says otherwise.
    const evidence = { paymentIntentId: paid.payment_intent, subscriptionId: null, paymentLinkId: null, metadata: { partner_id: "acme" } };
    expect((await attribute(deps, evidence)).attribution).toEqual({ partnerId: null, databaseName: SECOND, why: "contradictory" });
  });

  it("that an operator has given to another partner stays there, whatever is corrected afterwards", async () => {
    const paid = await payGlobex("acme");
    await workOff(paid, "acme", cellCodeOf(1));
    expect(await placesOfMovement(paid)).toEqual([DIRECTORY]);
    const headers = { Authorization: "Bearer ops-local", "Content-Type": "application/json" };
    const body = JSON.stringify({ partner_id: "acme", reason: "the customer says so" });
    const assigned = await ask(`/ops/ledger/unattributed/processor:${paid.balance_transaction}/assign`, { method: "POST", headers, body });
    expect(assigned.status, await assigned.text()).toBe(200);
    expect(await placesOfMovement(paid)).toEqual(["01"]);
    correct(paid, "globex");
    await workOff(paid, "globex", SECOND);
    expect(await placesOfMovement(paid)).toEqual(["01"]);
  });

  it("leaves the directory also if its owner is still in doubt, once a cell has it", async () => {
    const paid = await payGlobex("acme");
    await workOff(paid, "acme", cellCodeOf(1));
    expect(await placesOfMovement(paid)).toEqual([DIRECTORY]);
    await env.SECOND_CELL.prepare(
      "INSERT INTO movements (id, partner_id, environment, amount, currency, status, transaction_date, is_subscription, payment_intent_id, updated_at) VALUES (?, 'globex', 'test', 1900, 'USD', 'pending', 0, 0, ?, 0)",
    )
      .bind(`processor:${paid.balance_transaction}`, paid.payment_intent)
      .run();
    expect(await sweepUnattributedMovements(deps.inDirectory())).toBe(1);
    expect(await placesOfMovement(paid)).toEqual([SECOND]);
    expect(await statusIn(env.SECOND_CELL, paid)).toBe("completed");
  });

  it("that is known by a link alone is stored where its partner's data is, and not where an old row of it is", async () => {
    const silent = { paymentIntentId: null, subscriptionId: null, metadata: {} };
    await env.CELL_1.prepare(
      "INSERT INTO payment_links (id, partner_id, environment, source, currency, mode, url, created_at) VALUES ('plink_moved', 'globex', 'test', 'cart', 'USD', 'one_time', '', 0)",
    ).run();
    expect((await attribute(deps, { ...silent, paymentLinkId: "plink_moved" })).attribution).toMatchObject({
      partnerId: "globex",
      databaseName: SECOND,
    });
  });

  it("that a restored cell has lost is found missing again, and recorded again", async () => {
    const paid = await payGlobex("globex");
    const listed = {
      id: `sweep_${paid.balance_transaction}`,
      subject: paid.balance_transaction,
      type: TRANSACTION_MISSING,
      environment: "test",
      objectId: paid.balance_transaction,
      partnerId: null,
    } as const;
    for (const _ of ["at first", "after the cell was restored"]) {
      expect(await receiveProcessorEvents(deps, [listed])).toBe(1);
      // Found again before it was worked off, it is not counted again.
      expect(await receiveProcessorEvents(deps, [listed])).toBe(0);
      await processSubject(deps.inDirectory(), paid.balance_transaction);
      expect(await placesOfMovement(paid)).toEqual([SECOND]);
      await env.SECOND_CELL.prepare("DELETE FROM movements WHERE payment_intent_id = ?").bind(paid.payment_intent).run();
    }
  });

  it("whose messages are lost is found by the cron, wherever it waits", async () => {
    const [named, unnamed] = [await payGlobex("globex"), await payGlobex("globex")];
    const messages: MessageSendRequest[] = [];
    const silent = { sendBatch: (batch: Iterable<MessageSendRequest>) => Promise.resolve(messages.push(...batch)) };
    const bindings = { ...ONE_CELL, CELL_2: env.SECOND_CELL, PROCESSOR_EVENTS: silent as never };
    const own = buildDeps(bindings);
    await receiveProcessorEvents(own, [eventOf(named, "globex"), eventOf(unnamed, null)]);
    messages.length = 0;
    pass(2 * MINUTE);
    await sweepAll(own, (cell) => sweepCell(own.inCell(cell)));
    const bodies = messages.map(({ body }) => body);
    expect(bodies).toContainEqual({ databaseName: SECOND, id: named.payment_intent });
    expect(bodies).toContainEqual({ databaseName: DIRECTORY, id: unnamed.payment_intent });
    const batch = messages.map(({ body }) => ({ body, ack: () => undefined, retry: () => expect.unreachable() }));
    await processBatch(own, { queue: "processor-events", messages: batch } as never, () => undefined);
    expect([await placesOfMovement(named), await placesOfMovement(unnamed)]).toEqual([[SECOND], [SECOND]]);
  });
});

it("a subscription that was stored without an owner is looked up again, once a cell has it", async () => {
  const paid = await payGlobex("globex");
  const id = "sub_found";
  for (const [db, partner] of [
    [env.SECOND_CELL, "globex"],
    [env.DIRECTORY, null],
  ] as const) {
    await db
      .prepare(
        "INSERT INTO subscriptions (id, partner_id, environment, status, started_at, cancel_at_period_end, updated_at) VALUES (?, ?, 'test', 'active', 0, 0, 0)",
      )
      .bind(id, partner)
      .run();
  }
  // The processor does not know it: then it stays, and is tried again another time.
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  expect(await sweepUnattributedSubscriptions(deps.inDirectory())).toBe(1);
  expect(log).toHaveBeenCalled();
  log.mockRestore();
  expect(await placesOf("subscriptions", "id", id)).toEqual([SECOND, DIRECTORY]);
  expect(await placesOfMovement(paid)).toEqual([]);
});

describe("the cells", () => {
  it("must be bound from the first on, without a gap", () => {
    expect(() => connectCells({ CELL_1: env.CELL_1, CELL_3: env.SECOND_CELL })).toThrow("without a gap");
    expect(() => connectCells({} as never)).toThrow("CELL_1");
    expect([...connectCells({ CELL_1: env.CELL_1, CELL_2: env.SECOND_CELL }).keys()]).toEqual(["01", "02"]);
  });

  it("of which one is not bound fail nobody else: an event of its partners waits in the directory", async () => {
    const first = buildDeps(ONE_CELL);
    const event = {
      id: "evt_unbound",
      subject: "pi_unbound",
      type: "charge.succeeded",
      environment: "test",
      objectId: "ch_unbound",
      partnerId: "globex",
    } as const;
    expect(await receiveProcessorEvents(first, [event])).toBe(1);
    expect(await placesOf("refreshes", "subject", "pi_unbound")).toEqual([DIRECTORY]);
  });
});

/** A database that answers nothing, or fails at once. */
function database(answer: () => Promise<never>): D1Database {
  const statement = { bind: () => statement, all: answer, run: answer, raw: answer, first: answer };
  return { prepare: () => statement, batch: answer } as unknown as D1Database;
}
const comparisons = [sweepMissedEvents, sweepBalanceTransactions] as const;
const LOST = database(() => Promise.reject(new Error("D1_ERROR: out of reach")));

/** A call of operators' while the second cell is lost. */
async function askOps(lost: D1Database, path: string) {
  const app = buildApp(buildDeps({ ...ONE_CELL, CELL_2: lost }));
  const headers = { Authorization: "Bearer ops-local" };
  const response = await app(new Request(`${EDGE}/ops/${path}`, { headers }), { waitUntil: () => undefined } as never);
  return { status: response.status, body: (await response.json()) as Record<string, any> };
}

describe("a cell out of reach", () => {
  it("that never answers holds up no sweep of another", async () => {
    const first = deps.inCell(cellCodeOf(1)).db;
    await writePosition(first, "figures", "");
    expect(await countedAt(first)).toBeNull();
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    const silent = buildDeps({ ...ONE_CELL, CELL_2: database(() => promise) });
    const swept = sweepAll(silent, (cell) => sweepCell(silent.inCell(cell)));
    await expect.poll(() => countedAt(first)).not.toBeNull();
    // Nothing of it is left for the next test.
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    reject(new Error("D1_ERROR: out of reach"));
    await swept;
    log.mockRestore();
  });

  it("whose sweeper fails fails no other's, and the directory's neither", async () => {
    const swept: string[] = [];
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const before = (await lastCronRun(deps.directory))[0]?.at ?? 0;
    await sweepAll(deps, async (cell) => {
      if (cell === cellCodeOf(1)) throw new Error("the object is overloaded");
      swept.push(cell);
    });
    expect(swept).toEqual([SECOND]);
    expect((await lastCronRun(deps.directory))[0]?.at).toBeGreaterThan(before);
    expect(log.mock.calls.flat().join()).toContain('"database":"01"');
    log.mockRestore();
  });

  it.each<[string, D1Database]>([
    ["whose tables are gone", database(() => Promise.reject(new Error("D1_ERROR: no such table: events")))],
    ["that hangs", database(() => new Promise<never>(() => undefined))],
  ])("%s hides nothing of the others from operators, who are told", async (_what, lost) => {
    await sweepCell(deps.inCell(SECOND));
    const at = (await lastReached(deps.directory, [SECOND])).get(SECOND);
    const reached = new Date(at ?? 0).toISOString();
    virtualTime();
    for (const path of [
      "audit",
      "endpoints",
      "short-links?waiting=true",
      "figures?environment=live",
      "find?q=some-token",
      "deliveries?partner=globex",
      "orders?partner=globex",
      "payments?partner=globex",
      "payments?partner=globex&sort=amount",
      "payments?status=failed",
      "bank/orders?partner=globex",
      "bank/orders?partner=globex&sort=amount_rub",
      "endpoints?partner=globex",
      "waiting",
      "health",
      "work?kind=deliveries",
    ]) {
      const { status, body } = await askOps(lost, path);
      const says = "Cell 02 is unreachable: its data is missing here.";
      expect([path, status, body.out_of_reach]).toEqual([path, 200, [{ cell: "02", since: reached, says }]]);
    }
    realTime();
  });

  it("leaves unknown what waits there: nothing is said to be none, or to be in order", async () => {
    const { body: waiting } = await askOps(LOST, "waiting");
    const counts = Object.fromEntries(waiting.data.map(({ kind, count }: { kind: string; count: number | null }) => [kind, count]));
    // Products are in the directory, which answers.
    expect(counts).toEqual({
      "Products to moderate": expect.any(Number),
      "Payouts to approve": null,
      "Disputes to answer at the processor": null,
      "Links without a short link": null,
      "Webhooks in trouble": null,
      "Movements without a partner": null,
      "Parked payments": null,
      "Bank notifications not applied": null,
    });
    const { body: health } = await askOps(LOST, "health");
    const states = Object.fromEntries(health.checks.map(({ check, state }: { check: string; state: string }) => [check, state]));
    expect(states).toMatchObject({
      "cell 02": "failed",
      deliveries: "unknown",
      "Parked payments": "unknown",
    });
    // Products are in the directory, which answers.
    expect(["ok", "warning"]).toContain(states["Products to moderate"]);
    const ages = await waitingAges(buildDeps({ ...ONE_CELL, CELL_2: LOST }).answeringPartly());
    const story = await askOps(LOST, "story?q=acme");
    expect([story.status, story.body.summaries]).toEqual([200, []]);
    // An age of 0 would end an alert.
    expect(ages).not.toHaveProperty("deliveries");
  });

  it("hides nothing that an id of another names, and what it may have is not said to be missing", async () => {
    const link = (await call(CART, cart())).body;
    expect(await askOps(LOST, `find?q=${link.short_url_id}`)).toMatchObject({
      status: 200,
      body: { data: [{ kind: "payment_link", id: link.payment_link_id }], out_of_reach: [expect.objectContaining({ cell: "02" })] },
    });
    const story = await askOps(LOST, `story?q=${link.payment_link_id}`);
    expect([story.status, story.body.found.length]).toEqual([200, 1]);
    expect(await askOps(LOST, "story?q=nowhere")).toMatchObject({
      status: 502,
      body: { error: expect.stringContaining("unreachable cell: 02") },
    });
  });

  it("is not asked about another partner's subscription, code or event: what is unknown is unknown", async () => {
    const app = buildApp(buildDeps({ ...ONE_CELL, CELL_2: LOST }));
    for (const path of ["subscriptions/sub_unknown", "promotion-codes/promo_unknown", "deliveries/evt_01unknown"]) {
      const request = new Request(`${EDGE}/partner/${path}`, { headers: { "X-Partner-Api-Key": keys.acme } });
      const response = await app(request, { waitUntil: () => undefined } as never);
      expect([path, response.status]).toEqual([path, 404]);
    }
  });

  it("may have what an operator asks for by an id of the processor's: that is not said to be unknown", async () => {
    for (const path of ["subscriptions/sub_unknown", "promotion-codes/promo_unknown"]) {
      const { status, body } = await askOps(LOST, path);
      expect([path, status, body.error]).toEqual([path, 502, expect.stringContaining("unreachable cell: 02")]);
    }
  });

  it("keeps no operator from an event that an earlier cell of its partner has; its receiver's address is unknown then", async () => {
    const id = "evt_01earlier";
    await env.CELL_1.prepare(
      "INSERT INTO events SELECT ?1, 'earlier', 'globex', 'test', 'ep_globex_test', name, payload, created_at, 'exhausted', attempts, 0, 0, 0, NULL, NULL FROM events LIMIT 1",
    )
      .bind(id)
      .run();
    expect(await askOps(LOST, `deliveries/${id}`)).toMatchObject({
      status: 200,
      body: { event: id, request: { url: null, headers: null } },
    });
    await env.CELL_1.prepare("DELETE FROM events WHERE id = ?1").bind(id).run();
  });

  it("keeps no event from another, and the sweep that found them fails", async () => {
    const event = (partnerId: string) =>
      ({
        id: `evt_of_${partnerId}`,
        subject: `pi_of_${partnerId}`,
        type: "charge.succeeded",
        environment: "test",
        objectId: `ch_of_${partnerId}`,
        partnerId,
      }) as const;
    const lost = buildDeps({ ...ONE_CELL, CELL_2: LOST });
    await expect(receiveProcessorEvents(lost, [event("globex"), event("acme")])).rejects.toThrow("out of reach");
    expect(await placesOf("refreshes", "subject", "pi_of_acme")).toEqual(["01"]);
    expect(await placesOf("refreshes", "subject", "pi_of_globex")).toEqual([]);
  });

  it("is left out of the comparisons, which go on for the others, and catch up once it answers", async () => {
    // With further cells of its own, the Worker of the tests has stored some of the earlier ones there.
    await control("/reset", {});
    await emptyTables(reconciliations, owedComparisons, processorEvents);
    pass(2 * MINUTE);
    for (const sweep of comparisons) await sweep(deps, "test");
    const paid = await payGlobex("globex");
    await control("/events", { environment: "test", hold: true });
    const acmes = await pay(["TestUsd1"]);
    await dropHeldEvents();
    await control("/events", { environment: "test", hold: false });
    pass(5 * MINUTE);
    const lost = buildDeps({ ...ONE_CELL, CELL_2: LOST });
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const found = await Promise.all(comparisons.map((sweep) => sweep(lost, "test")));
    expect(errors.mock.calls.flat().join()).toContain('"cells":"02"');
    errors.mockRestore();
    // Of acme's payment the events name their partner. A transaction names nobody, so the lost cell may have it.
    expect(found).toEqual([2, 0]);
    await processSubject(lost.inCell(cellCodeOf(1)), acmes.payment_intent);
    expect(await placesOfMovement(acmes)).toEqual(["01"]);
    expect(await sweepOwedComparisons(lost)).toBe(0);
    expect(await sweepMissedEvents(deps, "test")).toBe(0);
    expect([await sweepOwedComparisons(deps), await sweepOwedComparisons(deps)]).toEqual([1, 0]);
    expect(await sweepMissedEvents(deps, "test")).toBe(2);
    await processSubject(deps.inCell(SECOND), paid.payment_intent);
    expect(await placesOfMovement(paid)).toEqual([SECOND]);
    expect(await sweepBalanceTransactions(deps, "test")).toBe(0);
  });

  it("keeps no payment of another cell waiting whose owner that cell shows, and each that it alone may show", async () => {
    const lost = buildDeps({ ...ONE_CELL, CELL_2: LOST });
    await env.CELL_1.prepare(
      "INSERT INTO payment_links (id, partner_id, environment, source, currency, mode, url, created_at) VALUES ('plink_within_reach', 'acme', 'test', 'cart', 'USD', 'one_time', '', 0)",
    ).run();
    const nothing = { paymentIntentId: "pi_new", subscriptionId: null, paymentLinkId: null, metadata: {} };
    const shown = { partnerId: "acme", databaseName: "01" };
    const ofLink = { ...nothing, paymentLinkId: "plink_within_reach" };
    expect((await attribute(lost, { ...ofLink, metadata: { partner_id: "acme" } })).attribution).toMatchObject(shown);
    expect((await attribute(lost, ofLink)).attribution).toMatchObject(shown);
    for (const metadata of [{}, { partner_id: "acme" }, { partner_id: "globex" }, { partner_id: "nobody" }] as const) {
      await expect(attribute(lost, { ...nothing, metadata }), JSON.stringify(metadata)).rejects.toThrow("out of reach");
    }
    await expect(attribute(lost, { ...ofLink, metadata: { partner_id: "globex" } })).rejects.toThrow("out of reach");
  });

  it("is not asked about a payment that its partner's own cell confirms", async () => {
    const insert = "INSERT INTO payment_links (id, partner_id, environment, source, currency, mode, url, created_at)";
    await env.CELL_1.prepare(`${insert} VALUES ('plink_confirmed', 'acme', 'test', 'cart', 'USD', 'one_time', '', 0)`).run();
    const subscribe = "INSERT INTO subscriptions (id, partner_id, environment, status, started_at, cancel_at_period_end, updated_at)";
    await env.CELL_1.prepare(`${subscribe} VALUES ('sub_confirmed', 'acme', 'test', 'active', 0, 0, 0)`).run();
    await env.CELL_1.prepare(`${subscribe} VALUES ('sub_of_initech', 'initech', 'test', 'active', 0, 0, 0)`).run();
    await env.CELL_1.prepare(`${subscribe} VALUES ('sub_of_nobody', NULL, 'test', 'active', 0, 0, 0)`).run();
    await env.CELL_1.prepare(
      "INSERT INTO movements (id, partner_id, environment, amount, currency, status, transaction_date, is_subscription, payment_intent_id, updated_at) VALUES ('processor:txn_known', 'acme', 'test', 1900, 'USD', 'completed', 0, 0, 'pi_known', 0)",
    ).run();
    const metadata = { partner_id: "acme" };
    const paid = { paymentIntentId: "pi_confirmed", subscriptionId: null, paymentLinkId: "plink_confirmed", metadata };
    const renewed = { ...paid, subscriptionId: "sub_confirmed", paymentLinkId: null };
    let questions = 0;
    const refuse = () => {
      questions += 1;
      return Promise.reject(new Error("D1_ERROR: out of reach"));
    };
    const watched = buildDeps({ ...ONE_CELL, CELL_2: database(refuse) });
    const isAskedAbout = async (evidence: Evidence) => {
      questions = 0;
      await attribute(watched, evidence).catch(() => undefined);
      return questions > 0;
    };
    for (const confirmed of [paid, renewed, { ...paid, subscriptionId: "sub_new" }, { ...renewed, paymentLinkId: "plink_confirmed" }]) {
      expect(await isAskedAbout(confirmed), JSON.stringify(confirmed)).toBe(false);
      expect((await attribute(watched, confirmed)).attribution).toMatchObject({ partnerId: "acme", databaseName: "01" });
    }
    const unnamed = { ...paid, paymentLinkId: null };
    for (const unsure of [
      unnamed,
      { ...unnamed, subscriptionId: "sub_new" },
      { ...unnamed, subscriptionId: "sub_new", paymentIntentId: "pi_known" },
      { ...paid, subscriptionId: "sub_of_initech" },
      { ...unnamed, subscriptionId: "sub_of_nobody" },
      { ...paid, paymentLinkId: "plink_elsewhere" },
      { ...renewed, paymentLinkId: "plink_elsewhere" },
      { ...paid, metadata: {} },
    ] satisfies Evidence[]) {
      expect(await isAskedAbout(unsure), JSON.stringify(unsure)).toBe(true);
    }
    // Its own cell, and the directory for what an operator may have said.
    expect((await countEffects(() => attribute(deps, { ...paid, paymentIntentId: "pi_counted" }))).counts).toEqual(costs({ d1: 2 }));
  });

  it("is owed the comparisons since the first that it missed", async () => {
    const [first, second] = [cellCodeOf(1), SECOND];
    await oweComparisons(deps.directory, new Set([first, second]), 2_000);
    await oweComparisons(deps.directory, new Set([second]), 1_000);
    await oweComparisons(deps.directory, new Set([second]), 3_000);
    const owed = await allOwedComparisons(deps.directory);
    expect(owed).toEqual([
      { cell: first, since: 2_000 },
      { cell: second, since: 1_000 },
    ]);
    // Owed more meanwhile, it stays owed.
    await payOwedComparisons(deps.directory, { cell: second, since: 1_001 });
    await payOwedComparisons(deps.directory, { cell: first, since: 2_000 });
    expect(await allOwedComparisons(deps.directory)).toEqual([{ cell: second, since: 1_000 }]);
    await payOwedComparisons(deps.directory, { cell: second, since: 1_000 });
    expect(await allOwedComparisons(deps.directory)).toEqual([]);
  });

  it("is shown as such beside the others, and gets no new partner", async () => {
    const app = buildApp(buildDeps({ ...ONE_CELL, CELL_2: LOST, DATABASE_REGION: "weur", CELL_REGIONS: "weur,enam" } as typeof env));
    const headers = { Authorization: "Bearer ops-local", "X-Operator": "anna", "Content-Type": "application/json" };
    const operate = async (path: string, body?: object) => {
      const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
      const response = await app(new Request(`${EDGE}/ops/${path}`, init), createExecutionContext());
      return { status: response.status, body: await response.json<any>() };
    };
    const { body } = await operate("cells");
    const unknown = { state: "out_of_reach", megabytes: null, per_cent_full: null, payments_a_day: null, days_until_full: null };
    expect(body.data).toMatchObject([
      { cell: "01", region: "weur", state: "ok", megabytes: expect.any(Number), per_cent_full: 0, payments_a_day: expect.any(Number) },
      { cell: "02", region: "enam", ...unknown },
    ]);
    expect((await operate("partners", { id: "placed-1", name: "One" })).body).toMatchObject({ cell: "01" });
    expect((await operate("partners", { id: "placed-2", name: "Two", cell: "02" })).body).toMatchObject({ cell: "02" });
    expect((await operate("partners", { id: "placed-3", name: "Three", region: "enam" })).body).toMatchObject({ cell: "02" });
    expect((await operate("partners", { id: "placed-4", name: "Four", cell: "03" })).status).toBe(404);
    expect((await operate("partners", { id: "placed-5", name: "Five", region: "oc" })).status).toBe(404);
    expect((await operate("partners", { id: "placed-6", name: "Six", region: "weur", cell: "01" })).status).toBe(409);
  });

  it("that is silent is shown as one that is out of reach", async () => {
    const { setTimeout } = globalThis;
    vi.stubGlobal("setTimeout", (task: () => void, wait: number) => setTimeout(task, wait === 5_000 ? 0 : wait));
    const cells = await readCells(buildDeps({ ...ONE_CELL, CELL_2: database(() => new Promise(() => undefined)) }));
    vi.unstubAllGlobals();
    expect(cells.map(({ cell, bytes }) => [cell, bytes === null])).toEqual([
      ["01", false],
      ["02", true],
    ]);
  });

  it("has the objects of its keys in its own region", () => {
    const placed: unknown[] = [];
    const OPERATIONS = { idFromName: (name: string) => name, get: (_id: unknown, options: unknown) => void placed.push(options) };
    const own = buildDeps({
      ...ONE_CELL,
      CELL_2: env.SECOND_CELL,
      OPERATIONS,
      DATABASE_REGION: "weur",
      CELL_REGIONS: "eeur,enam",
    } as never);
    for (const number of [1, 2, 3]) own.keyActors("01abc", cellCodeOf(number));
    expect(placed).toEqual([{ locationHint: "eeur" }, { locationHint: "enam" }, { locationHint: "weur" }]);
  });
});

describe("a cell that lacks a migration of this build", () => {
  const note = (name: string) =>
    env.SECOND_CELL.prepare("UPDATE d1_migrations SET name = ? WHERE id = (SELECT max(id) FROM d1_migrations)").bind(name).run();

  it("refuses writes, says so, answers what it is asked, and gets no new partner", async () => {
    const last = (await env.SECOND_CELL.prepare(LAST_MIGRATION).first<string>("name")) ?? "";
    await note("0000_before.sql");
    forgetMigrated();
    const behind = buildDeps({ ...ONE_CELL, CELL_2: env.SECOND_CELL });
    const { db } = behind.inCell(SECOND);
    await expect(writePosition(db, "behind", "1")).rejects.toThrow(`cell 02 is behind: its last migration is 0000_before.sql`);
    await expect(db.batch([db.select().from(walks), db.delete(walks)])).rejects.toThrow(last);
    await expect(db.$client.exec("DELETE FROM walks")).rejects.toThrow("is behind");
    expect(await readPosition(db, "behind")).toBe("");
    expect((await readCells(behind)).map(({ state }) => state)).toEqual(["ok", "behind"]);
    // The others go on.
    await writePosition(behind.inCell(cellCodeOf(1)).db, "behind", "1");

    await note(last);
    const { counts } = await countEffects(() => writePosition(db, "behind", "1"));
    expect(counts).toEqual(costs({ d1: 2 }));
    // Once is enough.
    expect((await countEffects(() => writePosition(db, "behind", "2"))).counts).toEqual(costs({ d1: 1 }));
    expect(await readPosition(db, "behind")).toBe("2");
  });

  it("may have later ones", async () => {
    const last = (await env.SECOND_CELL.prepare(LAST_MIGRATION).first<string>("name")) ?? "";
    await note("9999_later.sql");
    forgetMigrated();
    const { db } = buildDeps({ ...ONE_CELL, CELL_2: env.SECOND_CELL }).inCell(SECOND);
    await writePosition(db, "behind", "3");
    await note(last);
  });
});

describe("with two cells", () => {
  it("another partner's subscription is answered as one, and an unknown one as unknown", async () => {
    const cancel = (id: string, key: string) =>
      ask(`/webhook/cancel_subscription_at_period_end?subscription_id=${id}`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Partner-Api-Key": key },
        body: "cancel_at_period_end=true",
      });
    expect((await cancel(GLOBEX_SUBSCRIPTION, keys.acme)).status).toBe(403);
    expect((await cancel("sub_unknown", keys.acme)).status).toBe(409);
  });

  it("a slug leads to its own cell, and one of no cell costs no question", async () => {
    const { slug, url } = (await env.SECOND_CELL.prepare("SELECT slug, url FROM payment_links LIMIT 1").first<any>()) ?? {};
    expect((await ask(`/${slug}`)).headers.get("Location")).toBe(url);
    for (const unknown of [`02${"x".repeat(12)}`, `03${String(slug).slice(2)}`, "AbcdefghijkL"]) {
      expect((await ask(`/${unknown}`)).status).toBe(404);
    }
  });

  it("a notification of the bank is kept in the cell that its order names, or else in the directory", async () => {
    const tell = async (order_id: string) => {
      const body = await notification({ order_id, payment_id: 1, amount_kopecks: 100, bankPaymentId: "7" }, "CONFIRMED");
      expect((await ask("/ingest/bank", { method: "POST", body })).status).toBe(200);
      return placesOf("bank_notifications", "order_id", order_id);
    };
    expect([await tell("02unknown"), await tell("03unknown"), await tell("SHOP-7")]).toEqual([[SECOND], [DIRECTORY], [DIRECTORY]]);
    const headers = { Authorization: "Bearer ops-local" };
    const shown: any = await (await ask("/ops/bank", { headers })).json();
    expect(shown.not_applied).toMatchObject({ count: 3 });
    const [{ id }] = shown.not_applied.newest;
    expect(
      (
        await ask(`/ops/bank/notifications/${id}/dismiss`, {
          method: "POST",
          headers: { ...headers, "Content-Type": "application/json" },
          body: '{"reason":"ours"}',
        })
      ).status,
    ).toBe(200);
    expect(((await (await ask("/ops/bank", { headers })).json()) as any).not_applied.count).toBe(2);
  });

  it("what is parked, and which endpoints are not healthy, is shown of both", async () => {
    const databasesOfCells = [connectCell(env.CELL_1), connectCell(env.SECOND_CELL)];
    for (const [index, db] of databasesOfCells.entries()) {
      const partner = index === 0 ? "acme" : "globex";
      await db.run(`INSERT INTO refreshes VALUES ('pi_parked_${index}', 'test', 'parked', 14, 0, 'away', ${index}, 'internal')`);
      await db.run(
        `INSERT INTO endpoints (id, partner_id, environment, url, status, suspension_reason, created_at, updated_at) VALUES ('ep_${partner}_live', '${partner}', 'live', 'https://shop.example/hook', 'suspended', 'failing', 0, ${index})`,
      );
    }
    const headers = { Authorization: "Bearer ops-local" };
    const { parked }: any = await (await ask("/ops/ledger", { headers })).json();
    expect(parked.newest.map(({ id }: { id: string }) => id)).toEqual(["pi_parked_1", "pi_parked_0"]);
    const { data }: any = await (await ask("/ops/endpoints", { headers })).json();
    expect(data.map(({ id }: { id: string }) => id)).toEqual(["ep_globex_live", "ep_acme_live"]);
    expect((await ask("/ops/ledger/parked/pi_parked_1/retry", { method: "POST", headers })).status).toBe(200);
    expect((await ask("/ops/endpoints/ep_globex_live/resume", { method: "POST", headers })).status).toBe(200);
    for (const id of ["ep_nobody_live", "ep_globex_test", "globex"]) {
      expect((await ask(`/ops/endpoints/${id}/resume`, { method: "POST", headers })).status).toBe(404);
    }
  });
});
