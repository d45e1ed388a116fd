import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CallBudget } from "../../src/core/call-budget.ts";
import { cellCodeOf } from "../../src/core/cell-code.ts";
import { idempotencyRecords, partners } from "../../src/db/schema/index.ts";
import { processSubject, receiveProcessorEvents } from "../../src/ledger/processor-events.ts";
import { beginMove } from "../../src/moves/admin.ts";
import { createTriggers, dropTriggers, outgoingFence } from "../../src/moves/fence.ts";
import { continueMove } from "../../src/moves/move.ts";
import { findLocation } from "../../src/partners/read-location.ts";
import { KeyRunners } from "../../src/runners/key-runners.ts";
import { sweepAll, sweepCell } from "../../src/runners/sweeps.ts";
import { ANNA } from "../support/actor.ts";
import { CART, LIST } from "../support/api.ts";
import { notification, openPayment } from "../support/bank.ts";
import { allInFirstCell } from "../support/cells.ts";
import { HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { dropHeldEvents } from "../support/objects.ts";
import { addRow } from "../support/partner-rows.ts";
import { pay, quiet } from "../support/payments.ts";
import { control, EDGE, objects as listOf } from "../support/stack.ts";
import { updateRows } from "../support/tables.ts";
import { ask, deps, first, objects, ops, post, second } from "../support/two-cell-worker.ts";

/** What a partner and its customers notice of a move from the first of two cells to the second, and back. */

const [FIRST, SECOND] = [cellCodeOf(1), cellCodeOf(2)];

beforeAll(async () => {
  await applyD1Migrations(env.SECOND_CELL, env.CELL_MIGRATIONS);
  await allInFirstCell();
});
afterEach(realTime);
afterAll(async () => {
  await updateRows(partners, { cell: FIRST }, { id: "acme" });
});

const goOn = () => continueMove(deps.inCell(SECOND), "acme", new CallBudget(deps.clock, HOUR));

/** Goes on step by step until the move is in a phase. */
async function until(phase: string): Promise<void> {
  for (let now: string | undefined = ""; now !== phase; ) {
    now = (await continueMove(deps.inCell(SECOND), "acme", new CallBudget(deps.clock, HOUR), { most: 1 }))?.phase;
  }
}

/** So much later its old rows are deleted. */
async function clean(): Promise<void> {
  pass(10 * MINUTE);
  await goOn();
}

const linksMade = async () => (await listOf("payment_link")).length;
const idsIn = async (db: D1Database, table: string) =>
  (await db.prepare(`SELECT id FROM ${table} WHERE partner_id = 'acme' ORDER BY id`).all<{ id: unknown }>()).results.map(({ id }) => id);

it("a key makes one link, before, while and after its partner moves; nothing is lost or shown twice", async () => {
  const token = crypto.randomUUID();
  const key = crypto.randomUUID();
  const made = await second({ client_token: token });
  const madeFirst = await first(key);
  expect([made.success, madeFirst.success]).toEqual([true, true]);
  const before = await idsIn(env.CELL_1, "payment_links");
  const count = await linksMade();

  expect(await beginMove(deps, { partnerId: "acme", to: SECOND, splits: false }, ANNA)).toBeNull();
  await until("closing");
  await until("closed");
  const waiting = crypto.randomUUID();
  expect(await second({ client_token: waiting })).toMatchObject({ success: false, error_code: "OPERATION_IN_PROGRESS" });
  const patient = first(`${key}-patient`);
  // Nothing new was made at the processor, and customers are led on.
  expect(await linksMade()).toBe(count);
  const slug = new URL(made.short_url).pathname.slice(1);
  await env.SHORT_LINKS.delete(slug);
  expect((await ask(`${EDGE}/${slug}`)).status).toBe(302);

  expect(await goOn()).toMatchObject({ phase: "switched" });
  expect(await patient).toMatchObject({ success: true });
  expect(await second({ client_token: waiting })).toMatchObject({ success: true });
  expect(await linksMade()).toBe(count + 2);

  // A repeat, with and without what isolates and objects remember.
  for (const forget of [false, true]) {
    if (forget) objects.clear();
    expect(await second({ client_token: token })).toMatchObject({ payment_link_id: made.payment_link_id, short_url: made.short_url });
    expect(await first(key)).toMatchObject({ short_url: madeFirst.short_url, is_replay: true });
    expect(await second({ client_token: token, items: [] })).toMatchObject({ success: false });
  }
  expect(await linksMade()).toBe(count + 2);
  await clean();
  expect(await idsIn(env.CELL_1, "payment_links")).toEqual([]);
  expect(await idsIn(env.SECOND_CELL, "payment_links")).toEqual(expect.arrayContaining(before));
});

it("what was paid before is seen and refunded after, its events are the same, and the bank's notification finds its order", async () => {
  await updateRows(partners, { cell: FIRST }, { id: "acme" });
  for (const table of ["arrivals", "departures"]) await env.SECOND_CELL.prepare(`DELETE FROM ${table}`).run();
  await env.CELL_1.prepare("DELETE FROM departures").run();
  const paid = await pay(["TestUsd1"]);
  const order = await openPayment();
  await quiet();
  const list = (with_: object = {}) => post(`/${LIST}`, { environment: "test", ...with_ });
  const seen = await list();
  expect(seen.transactions.length).toBeGreaterThan(0);
  const events = await idsIn(env.CELL_1, "events");
  expect(events.length).toBeGreaterThan(0);

  const moved = await ops("partners/acme/move", { to: SECOND });
  expect(moved).toMatchObject({ status: 200, body: { partner: "acme", from: FIRST, to: SECOND, phase: "switched", problem: null } });
  expect(await list()).toEqual(seen);
  expect(await idsIn(env.SECOND_CELL, "events")).toEqual(events);

  // The same event of the processor again: known movements, known events.
  const again = {
    id: "evt_again",
    subject: paid.payment_intent,
    type: "charge.succeeded",
    environment: "test",
    objectId: paid.charge,
    partnerId: "acme",
  };
  await receiveProcessorEvents(deps, [again as never]);
  await processSubject(deps.inCell(SECOND), paid.payment_intent);
  expect(await list()).toEqual(seen);
  expect(await idsIn(env.SECOND_CELL, "events")).toEqual(events);

  await control("/events", { environment: "test", hold: true });
  const back = await control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent });
  await dropHeldEvents();
  await control("/events", { environment: "test", hold: false });
  await receiveProcessorEvents(deps, [{ ...again, id: "evt_refund", type: "refund.created", objectId: back.refund } as never]);
  // An isolate remembers for a minute where a partner is. So the event may have been stored in the earlier cell, where it is
  // processed once the isolate has asked again. Earlier tests remembered in a later time.
  pass(20 * MINUTE);
  for (const cell of [FIRST, SECOND]) await processSubject(deps.inCell(cell), paid.payment_intent);
  expect((await list()).transactions.length).toBe(seen.transactions.length + 1);

  const body = await notification(order, "CONFIRMED");
  expect((await ask(`${EDGE}/ingest/bank`, { method: "POST", headers: { "Content-Type": "application/json" }, body })).status).toBe(200);
  expect(await env.SECOND_CELL.prepare("SELECT status FROM bank_payments WHERE order_id = ?").bind(order.order_id).first("status")).toBe(
    "CONFIRMED",
  );
  const added = (await idsIn(env.SECOND_CELL, "events")).filter((id) => !events.includes(id));
  // A refund and a bank payment: both begin with the code of the first cell, as all of the partner's ids.
  expect(added.map((id) => String(id).slice(0, 6))).toEqual(["evt_01", "evt_01"]);
});

describe("operators", () => {
  it.each([
    ["an unknown partner", "partners/nobody/move", { to: "02" }, 404],
    ["an unknown cell", "partners/acme/move", { to: "03" }, 404],
    ["what is no cell", "partners/acme/move", { to: "two" }, 400],
    ["where it is already", "partners/globex/move", { to: "01" }, 409],
    ["no move to give up", "partners/globex/stay", {}, 409],
  ])("are told of %s", async (_what, path, body, status) => {
    const answer = await ops(path, body);
    expect([answer.status, answer.body.success]).toEqual([status, false]);
  });

  it("see the moves that go on, give one up, and are told to try again while an old cell is closed", async () => {
    pass(HOUR);
    await sweepAll(deps, (cell) => sweepCell(deps.inCell(cell)));
    expect(await beginMove(deps, { partnerId: "globex", to: SECOND, splits: false }, ANNA)).toBeNull();
    expect((await ops("moves")).body.data).toMatchObject([{ partner: "globex", phase: "copying" }]);
    expect(await ops("partners/globex/move", { to: FIRST })).toMatchObject({ status: 409 });
    expect(await ops("partners/globex/stay", {})).toMatchObject({ status: 200 });
    await sweepAll(deps, (cell) => sweepCell(deps.inCell(cell)));
    expect((await ops("moves")).body.data).toEqual([]);
    await addRow(env.CELL_1, "endpoints", "globex", Math.random, { id: "ep_globex_live", environment: "live", status: "active" });
    await env.CELL_1.prepare("INSERT INTO departures VALUES ('globex', '02', 'closed', 0, 0)").run();
    await createTriggers(deps.inCell(FIRST).db, outgoingFence);
    const refused = { status: 409, body: { error: expect.stringContaining("being moved") } };
    expect(await ops("endpoints/ep_globex_live/suspend", {})).toMatchObject(refused);
    await env.CELL_1.prepare("DELETE FROM departures").run();
    await dropTriggers(deps.inCell(FIRST).db, outgoingFence);
    for (const table of ["endpoint_secrets", "endpoints"]) await env.CELL_1.prepare(`DELETE FROM ${table}`).run();
  });
});

it("a repeat that reaches a cell without its partner's data gets its result, though its product is sold no more", async () => {
  const client_token = crypto.randomUUID();
  const made = await second({ client_token });
  expect(made.success).toBe(true);
  const home = await findLocation(deps.directory.$client, "acme");
  const other = home?.cell === FIRST ? SECOND : FIRST;
  const key = `token:${client_token}`;
  const { db } = deps.inCell(home?.cell ?? FIRST);
  const record = await db.select().from(idempotencyRecords).where(eq(idempotencyRecords.key, key)).get();
  const recordId = record?.id ?? "";
  const refusal = { kind: "internal" } as const;
  const request = {
    recordId,
    cell: other,
    partnerId: "acme",
    operation: CART,
    key,
    requestId: "repeat",
    holder: "holder of key_1",
    manual: false,
  } as const;
  const send = (fingerprint: string, which: string) =>
    new KeyRunners(deps).handle({ ...request, recordId: which, fingerprints: [fingerprint], start: { refusal } });
  expect(await send(record?.fingerprint ?? "", recordId)).toMatchObject({ ok: true, replayed: true });
  // A key that no cell knows is refused.
  expect(
    await send(
      "new",
      recordId.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
    ),
  ).toMatchObject({ ok: false, error: refusal });
});
