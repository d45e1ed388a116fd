import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkMovements } from "../../src/books/check.ts";
import { buildDeps } from "../../src/build-deps.ts";
import { cellCodeOf, type DatabaseName, DIRECTORY } from "../../src/core/cell-code.ts";
import { monthsAfter, startOfMonth } from "../../src/core/time-zone.ts";
import { connectCell } from "../../src/db/client.ts";
import { bankMovements, movements, orders } from "../../src/db/schema/index.ts";
import { BANK, bankCart, call } from "../support/api.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { type Paid, pay, quiet } from "../support/payments.ts";
import { control } from "../support/stack.ts";
import { countOf, deleteRows, insertRow, rowOf, updateRows } from "../support/tables.ts";

/** The books are proved against what the processor and the bank say, and orders are made again from movements. */

const month = new Date(Date.now()).toISOString().slice(0, 7);
const check = async (query = "") => (await ops(`books/check?environment=test&month=${month}${query}`)).body;
const idOf = ({ balance_transaction }: Paid) => `processor:${balance_transaction}`;

let paid: Paid[] = [];
let order = "";
beforeAll(async () => {
  paid = [
    await pay(["TestUsd1"]),
    await pay(["TestUsd1"], { email: "rebuilt@example.com", client_reference_id: "rebuilt" }),
    await pay(["TestEur1"]),
  ];
  order = (await call(BANK, bankCart({ environment: "test" }))).body.order_id;
  await control("/bank/pay", { order_id: order });
  await control("/refund", { payment_intent: paid[0]?.payment_intent, amount: 300 });
  await quiet();
});

const at = (index: number): Paid => paid[index] ?? expect.fail("not paid");

describe("a check of the books", () => {
  it("of a healthy month finds nothing", async () => {
    expect(await check()).toMatchObject({ differences: [], checked: 5, ended_at: null });
    expect(await check("&partner=acme")).toMatchObject({ differences: [] });
    expect(await check("&partner=globex")).toMatchObject({ differences: [] });
  });

  it("finds a movement whose fee was changed by hand, and its cure mends it", async () => {
    const id = idOf(at(1));
    await updateRows(movements, { fee: 1, net: 1899 }, { id });
    const { differences } = await check();
    expect(differences).toMatchObject([
      {
        kind: "differs",
        id,
        ours: expect.stringContaining("19.00 USD − 0.01 USD on "),
        theirs: expect.stringContaining("19.00 USD − 0.85 USD on "),
      },
    ]);
    expect(await check("&partner=acme")).toMatchObject({ differences });
    expect(differences[0].cure).toBe(`ledger refresh test ${at(1).balance_transaction}`);
    await change("ledger/refresh", { environment: "test", id: at(1).balance_transaction });
    expect(await check()).toMatchObject({ differences: [] });
    expect(await rowOf(orders, { id: at(1).payment_intent })).toMatchObject({ fee: 85, net: 1815 });
  });

  it("finds one whose amount was changed, and its cure mends it", async () => {
    await updateRows(movements, { amount: 1_000_000 }, { id: idOf(at(1)) });
    expect(await check()).toMatchObject({ differences: [{ kind: "differs" }] });
    await change("ledger/refresh", { environment: "test", id: at(1).balance_transaction });
    expect(await check()).toMatchObject({ differences: [] });
  });

  it("finds a movement that was deleted, and its cure brings it back", async () => {
    const id = idOf(at(2));
    await deleteRows(movements, { id });
    const { differences } = await check();
    expect(differences).toMatchObject([{ kind: "missing", id, ours: null, cure: `ledger refresh test ${at(2).balance_transaction}` }]);
    await change("ledger/refresh", { environment: "test", id: at(2).balance_transaction });
    expect(await check()).toMatchObject({ differences: [] });
  });

  it("finds one that was doubled under another id", async () => {
    const row = await rowOf(movements, { id: idOf(at(2)) });
    await insertRow(movements, { ...row, id: "processor:txn_copy" });
    expect(await check()).toMatchObject({ differences: [{ kind: "unknown", id: "processor:txn_copy", theirs: null }] });
    await deleteRows(movements, { id: "processor:txn_copy" });
    expect(await check()).toMatchObject({ differences: [] });
  });

  it("finds a ruble payment that the bank has in another status, and its cure mends it", async () => {
    await control("/bank/refund", { order_id: order, silent: true });
    const { differences } = await check();
    expect(differences).toEqual([
      { kind: "status", id: order, ours: "CONFIRMED", theirs: "REFUNDED", cure: `bank-orders refresh ${order}` },
    ]);
    await change(`bank/orders/${order}/refresh`);
    expect(await check()).toMatchObject({ differences: [] });
  });

  it("finds a part that the bank gave back and never told, and its cure mends it, once", async () => {
    const id = (await call(BANK, bankCart({ environment: "test" }))).body.order_id as string;
    await control("/bank/pay", { order_id: id });
    const enter = (amount: number, reference: string) => change(`bank/orders/${id}/refunds`, { amount, reference });
    expect(await enter(5, "1001")).toMatchObject({ status: 409, body: { error: expect.stringContaining("CONFIRMED") } });
    await control("/bank/refund", { order_id: id, amount: 50_000, silent: true });
    expect((await check()).differences).toMatchObject([{ kind: "status", id, theirs: "PARTIAL_REFUNDED" }]);
    expect((await change(`bank/orders/${id}/refresh`)).body).toMatchObject({ success: false, problem: "refund_unknown" });
    const cure = `bank-orders enter-refund ${id} <rubles> <reference>`;
    expect((await check()).differences).toEqual([{ kind: "missing", id, ours: null, theirs: "PARTIAL_REFUNDED", cure }]);
    const before = await rowOf(bankMovements, { order_id: id });
    expect(await enter(Number(before?.amount) / 100, "1001")).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("are left") },
    });
    expect(await enter(500.001, "1001")).toMatchObject({ status: 400, body: { error: expect.stringContaining("more decimals") } });
    expect((await enter(500, "1001")).status).toBe(201);
    expect(await enter(400, "1001")).toMatchObject({ status: 409, body: { error: expect.stringContaining("entered before") } });
    expect((await check()).differences).toEqual([]);
    expect(await rowOf(orders, { id })).toMatchObject({ status: "partly_refunded", refunded: 50_000 });
    expect((await auditOf(id)).find(({ action }) => action === "bank_refund.enter")).toMatchObject({
      actor: "Maria",
      after: { amount_kopecks: 50_000, reference: "1001" },
    });
    const told = (await ops(`story?q=${id}`)).text;
    for (const said of ["An operator entered a part that was given back", "Bank.payment.refunded"]) expect(told).toContain(said);
    await change(`bank/orders/${id}/refresh`);
    expect((await change(`bank/orders/${id}/refresh`)).body).toMatchObject({ success: true, problem: null });
  });

  it("does not take a bank that does not answer for one that knows no payment", async () => {
    await control("/faults", { target: "bank", call: "bank.GetState", times: 9, kind: "http_500" });
    expect((await ops(`books/check?environment=test&month=${month}`)).status).toBeGreaterThanOrEqual(500);
    await control("/faults", undefined, "DELETE");
  });

  it("counts a row once that a move has copied to another cell, or left there", async () => {
    await applyD1Migrations(env.SECOND_CELL, env.CELL_MIGRATIONS);
    const row = (await rowOf(movements, { id: idOf(at(1)) })) ?? {};
    const columns = Object.keys(row);
    const copy = `INSERT INTO movements (${columns.join()}) VALUES (${columns.map(() => "?").join()})`;
    await env.SECOND_CELL.prepare(copy)
      .bind(...Object.values(row))
      .run();
    const deps = buildDeps(env);
    const other = cellCodeOf(30);
    const both = {
      ...deps,
      databaseNames: [...deps.databaseNames, other],
      inDatabase: (name: DatabaseName) => (name === other ? { db: connectCell(env.SECOND_CELL) } : deps.inDatabase(name)),
    };
    const period = { from: startOfMonth(month, "UTC"), to: startOfMonth(monthsAfter(month, 1), "UTC") };
    const { differences, sums } = await checkMovements(both, "test", period, undefined);
    expect([differences, sums.every(({ ours, theirs }) => ours === theirs)]).toEqual([[], true]);
    // The directory's rows are of partners that were not known when they came: there a second one is a fault.
    const inDirectory = {
      ...both,
      inDatabase: (name: DatabaseName) => (name === DIRECTORY ? { db: connectCell(env.SECOND_CELL) } : deps.inDatabase(name)),
    };
    const found = await checkMovements({ ...inDirectory, databaseNames: deps.databaseNames }, "test", period, undefined);
    expect(found.differences).toMatchObject([{ kind: "doubled", id: idOf(at(1)) }]);
    await env.SECOND_CELL.exec("DELETE FROM movements -- by the test");
  });

  it("is refused for what is no month", async () => expect((await ops("books/check?month=2026-13")).status).toBe(400));
});

describe("orders that are made again", () => {
  const rebuild = async () => (await change("partners/acme/orders/rebuild")).body;
  beforeEach(async () => {
    await rebuild();
  });

  it("differ in nothing from those of a healthy ledger", async () => {
    expect(await rebuild()).toMatchObject({ mended: 0, orders: [], next: null });
  });

  it("are all there again, with their customers, when every row was lost", async () => {
    const before = await rowOf(orders, { id: at(1).payment_intent });
    const ruble = await rowOf(orders, { id: order });
    const count = await countOf(orders, {});
    await deleteRows(orders);
    await deleteRows(bankMovements);
    const { mended, orders: made } = await rebuild();
    expect([mended, await countOf(orders, {})]).toEqual([count, count]);
    expect(made[0].fields).toEqual(["missing"]);
    const { updated_at: _, ...known } = before ?? {};
    expect(await rowOf(orders, { id: at(1).payment_intent })).toMatchObject(known);
    // The bank's money is that of its payments; the buyer's address was in the order alone.
    expect(await rowOf(orders, { id: order })).toMatchObject({
      status: ruble?.status,
      charged: ruble?.charged,
      items: ruble?.items,
      email: null,
    });
  });

  it("say which fields were wrong, and are right afterwards", async () => {
    await updateRows(orders, { status: "refunded", refunded: 1900, refunded_at: 1 }, { id: at(1).payment_intent });
    expect((await rebuild()).orders).toEqual([{ id: at(1).payment_intent, fields: ["status", "refundedAt", "refunded"] }]);
    expect(await rebuild()).toMatchObject({ mended: 0 });
    expect((await auditOf("acme")).find(({ action }) => action === "orders.rebuild")).toMatchObject({
      actor: "Maria",
      after: { orders: 1 },
    });
  });
});
