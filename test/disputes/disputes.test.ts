import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { cellCodeOf } from "../../src/core/cell-code.ts";
import { disputes } from "../../src/db/schema/index.ts";
import { sweepDueEvidence } from "../../src/disputes/sweep.ts";
import { lookUp } from "../../src/ledger/look-up.ts";
import { recordRefreshes } from "../../src/ledger/record-refreshes.ts";
import { call, keys, REGISTER, send } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { bodiesOf } from "../support/deliveries.ts";
import { DAY, pass } from "../support/later.ts";
import { ops } from "../support/ops.ts";
import { pay, quiet } from "../support/payments.ts";
import { control, SANDBOX, world } from "../support/stack.ts";
import { fieldOf, insertRow, rowOf, updateRows } from "../support/tables.ts";

/** Disputes and inquiries: what partners see of them, and the notices before a deadline for evidence. */

const deps = cellDeps();
beforeAll(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/disputed` }));
afterEach(() => vi.useRealTimers());

async function open(how: object = {}, reference = "disputed-1") {
  const paid = await pay(["TestUsd1"], { client_reference_id: reference });
  const { dispute } = await control<{ dispute: string }>("/dispute", { payment_intent: paid.payment_intent, ...how });
  await quiet();
  return { paid, dispute };
}

const ask = async (path: string, key: string = keys.acme) => (await send(path, { headers: { "X-Partner-Api-Key": key } })).body;
const listed = async (query = "", key: string = keys.acme) => (await ask(`/partner/disputes?environment=test${query}`, key)).data as any[];
const find = async (id: string, query = "") => (await listed(query)).find((one) => one.id === id);

describe("a dispute", () => {
  it("is listed with its reason, its amount and the deadline for evidence, and stands at its order", async () => {
    const { paid, dispute } = await open({ reason: "product_not_received", due_in_days: 20 });
    const row = await find(dispute);
    expect(row).toEqual({
      id: dispute,
      state: "needs_response",
      is_inquiry: false,
      reason: "product_not_received",
      amount: 19,
      currency: "USD",
      evidence_due_by: expect.stringMatching(/^\d{4}-/),
      environment: "test",
      created_at: expect.stringMatching(/^\d{4}-/),
      payment_intent_id: paid.payment_intent,
      client_reference_id: "disputed-1",
    });
    expect(Math.round((Date.parse(row.evidence_due_by) - Date.parse(row.created_at)) / DAY)).toBe(20);
    expect((await ask(`/partner/orders/${paid.payment_intent}`)).disputes).toEqual([row]);
    expect((await listed("", keys.globex)).map(({ id }) => id)).not.toContain(dispute);
  });

  it("stands in its events", async () => {
    const { dispute } = await open({ reason: "duplicate" });
    const freeze = `processor:${(world.state.objects[dispute] as any).balance_transactions[0].id}`;
    const [opened] = await bodiesOf(`dispute.opened:${freeze}`);
    expect(opened).toMatchObject({ dispute: { id: dispute, state: "needs_response", reason: "duplicate", amount: 19, currency: "USD" } });
    await control("/dispute/close", { dispute, won: false });
    await quiet();
    const [lost] = await bodiesOf(`dispute.lost:${freeze}`);
    expect(lost).toMatchObject({ dispute: { id: dispute, state: "lost" } });
    expect(await find(dispute)).toMatchObject({ state: "lost" });
  });

  it.each(["needs_response", "under_review", "won", "lost", "closed"])("is found by its state: %s", async (state) => {
    const statuses = {
      needs_response: "needs_response",
      under_review: "warning_under_review",
      won: "won",
      lost: "lost",
      closed: "prevented",
    };
    const id = await made({ status: statuses[state as keyof typeof statuses] });
    expect(await find(id, `&state=${state}`)).toMatchObject({ state });
    const others = Object.keys(statuses).filter((one) => one !== state);
    for (const other of others) expect(await find(id, `&state=${other}`)).toBeUndefined();
  });

  it("is counted and summed with the others of its selection, and sorted by its amount", async () => {
    const state = "lost";
    const before = await ask(`/partner/disputes?environment=test&state=${state}`);
    const dollars = (sums: { currency: string }[]) => sums.find(({ currency }) => currency === "USD") ?? { disputes: 0, amount: 0 };
    for (const amount of [700_01, 1, 650_00]) await made({ status: "lost", amount, currency: "USD", environment: "test" });
    await made({ status: "won", amount: 999_00, currency: "USD", environment: "test" });
    const { count, sums } = await ask(`/partner/disputes?environment=test&state=${state}&limit=1`);
    const was = dollars(before.sums) as { disputes: number; amount: number };
    expect([count, dollars(sums)]).toEqual([
      before.count + 3,
      { environment: "test", currency: "USD", disputes: was.disputes + 3, amount: Math.round((was.amount + 1350.02) * 100) / 100 },
    ]);
    const amounts = (await listed(`&state=${state}&sort=-amount`)).map(({ amount }) => amount);
    expect(amounts.slice(0, 2)).toEqual([700.01, 650]);
    expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
    expect((await listed(`&state=${state}&sort=amount`))[0].amount).toBe(0.01);
    // Page by page, and neither another partner's nor those of the other environment.
    const firstPage = await ask(`/partner/disputes?environment=test&state=${state}&sort=-amount&limit=1`);
    const second = await ask(`/partner/disputes?environment=test&state=${state}&sort=-amount&limit=1&cursor=${firstPage.next}`);
    expect([firstPage.data[0].amount, second.data[0].amount]).toEqual([700.01, 650]);
    await made({ status: "lost", amount: 5, currency: "USD", environment: "test", partner_id: "globex" });
    await made({ status: "lost", amount: 7, currency: "USD", environment: "live" });
    expect(await ask(`/partner/disputes?environment=test&state=${state}`)).toMatchObject({ count, sums });
    expect(await ask(`/partner/disputes?state=${state}`)).toMatchObject({ count: count + 1 });
  });

  it("are sorted by the end of their evidence, those that take none last in both directions", async () => {
    const due = [Date.UTC(2030, 0, 3), Date.UTC(2030, 0, 1), null, Date.UTC(2030, 0, 2)];
    for (const evidence_due_by of due)
      await made({ status: "lost", amount: 1, currency: "USD", environment: "live", partner_id: "globex", evidence_due_by });
    const days = async (sort: string) => {
      const { data } = await ask(`/partner/disputes?environment=live&sort=${sort}`, keys.globex);
      return data.map(({ evidence_due_by: at }: { evidence_due_by: string | null }) => at?.slice(8, 10) ?? null);
    };
    expect(await days("evidence_due_by")).toEqual(["01", "02", "03", null]);
    expect(await days("-evidence_due_by")).toEqual(["03", "02", "01", null]);
  });

  it("that is an inquiry is listed, though it moves no money, until it is closed", async () => {
    const { paid, dispute } = await open({ inquiry: true });
    expect(await find(dispute)).toMatchObject({ state: "needs_response", is_inquiry: true });
    expect(await ask(`/partner/orders/${paid.payment_intent}`)).toMatchObject({ status: "paid", disputes: [{ id: dispute }] });
    await control("/dispute/close", { dispute, won: false });
    await quiet();
    expect(await find(dispute)).toMatchObject({ state: "closed" });
  });

  it("for which no evidence can be given has no deadline", async () => {
    const { dispute } = await open();
    (world.state.objects[dispute] as any).evidence_details.due_by = 0;
    await recordRefreshes(deps, [await lookUp(deps, "test", { kind: "dispute", id: dispute }, Date.now() + 1)]);
    expect(await find(dispute)).toMatchObject({ evidence_due_by: null });
  });

  it("shows the later of two looks, whichever is stored last, and keeps its notice for the same deadline", async () => {
    const { dispute } = await open();
    const { updated_at, evidence_due_by } = (await rowOf(disputes, { id: dispute })) ?? {};
    await updateRows(disputes, { status: "under_review", updated_at: Number(updated_at) + 1_000_000, noticed_days: 10 }, { id: dispute });
    await control("/dispute/close", { dispute, won: false });
    await quiet();
    expect(await rowOf(disputes, { id: dispute })).toMatchObject({ status: "under_review", noticed_days: 10, evidence_due_by });
  });
});

/** A dispute's row, with evidence due after so many days. */
async function made(fields: object = {}, days = 9): Promise<string> {
  const id = `du_${crypto.randomUUID()}`;
  await insertRow(disputes, {
    id,
    partner_id: "acme",
    environment: "test",
    payment_intent_id: "pi_1",
    client_reference_id: "order-7",
    amount: 1900,
    currency: "USD",
    reason: "fraudulent",
    status: "needs_response",
    evidence_due_by: Date.now() + days * DAY,
    noticed_days: null,
    created_at: Date.now(),
    updated_at: Date.now(),
    ...fields,
  });
  return id;
}

describe("the notice of a deadline", () => {
  const noticed = (id: string) => fieldOf(disputes, "noticed_days", { id });
  const deadlineOf = async (id: string) => (await rowOf(disputes, { id }))?.["evidence_due_by"];
  const bodies = async (id: string, stage: number) => bodiesOf(`dispute.evidence_due:${id}:${await deadlineOf(id)}:${stage}`);

  it.each([
    [10 + 1 / 1440, null],
    [10, 10],
    [2 + 1 / 1440, 10],
    [2, 2],
    [1 / 1440, 2],
    [0, null],
    [-1, null],
  ])("%d days before it is that of %s", async (days, stage) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const id = await made({}, days);
    await sweepDueEvidence(deps);
    expect(await noticed(id)).toBe(stage);
  });

  it("is one for ten days and one for two, each once, with what is left and a sentence", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const id = await made({}, 9.5);
    for (let again = 0; again < 2; again += 1) await sweepDueEvidence(deps);
    expect(await bodies(id, 10)).toMatchObject([
      {
        event: "Processor.dispute.evidence_due",
        environment: "test",
        dispute: { id, amount: 19, state: "needs_response" },
        payment_intent_id: "pi_1",
        client_reference_id: "order-7",
        days_left: 9,
        says: `A customer disputes 19.00 USD of order order-7 (fraudulent). Evidence is due in 9 days, by ${new Date(Number(await deadlineOf(id))).toISOString()}: send it to support.`,
      },
    ]);
    expect(await bodies(id, 2)).toEqual([]);
    pass(8 * DAY);
    for (let again = 0; again < 2; again += 1) await sweepDueEvidence(deps);
    expect(await bodies(id, 2)).toMatchObject([{ days_left: 1, says: expect.stringContaining("due in one day, by") }]);
    expect(await bodies(id, 10)).toHaveLength(1);
  });

  it("stands in the story of its order, and leads to it", async () => {
    const { paid, dispute } = await open({ due_in_days: 9 });
    await sweepDueEvidence(deps);
    const named = (story: any) => story.entries.filter(({ says }: { says: string }) => says.includes("Processor.dispute.evidence_due"));
    const story = async (q: string) => (await ops(`story?q=${q}`)).body;
    const [entry] = named(await story(paid.payment_intent));
    expect(entry).toMatchObject({ kind: "event" });
    expect((await ask(`/partner/orders/${paid.payment_intent}`)).timeline.map(({ id }: { id: string }) => id)).toContain(entry.id);
    expect((await story(entry.id)).summaries).toMatchObject([{ about: paid.payment_intent }]);
    expect(await noticed(dispute)).toBe(10);
  });

  it("of less than a day says so, and names the payment or the dispute without an order number", async () => {
    const ofPayment = await made({ client_reference_id: null }, 0.5);
    const alone = await made({ client_reference_id: null, payment_intent_id: null }, 0.5);
    await sweepDueEvidence(deps);
    expect((await bodies(ofPayment, 2))[0]?.says).toContain("of pi_1 (fraudulent). Evidence is due in less than a day");
    expect((await bodies(alone, 2))[0]?.says).toContain(`of ${alone} (`);
  });

  it.each(["under_review", "warning_under_review", "won", "lost", "warning_closed"])("is none for a dispute that is %s", async (status) => {
    const id = await made({ status });
    await sweepDueEvidence(deps);
    expect(await noticed(id)).toBeNull();
  });

  it("comes again for another deadline", async () => {
    const { dispute } = await open({ due_in_days: 9 });
    await sweepDueEvidence(deps);
    expect(await noticed(dispute)).toBe(10);
    const object = world.state.objects[dispute] as any;
    object.evidence_details.due_by += 3600;
    await recordRefreshes(deps, [await lookUp(deps, "test", { kind: "dispute", id: dispute }, Date.now() + 1)]);
    expect(await noticed(dispute)).toBeNull();
  });

  it("is left to the cell where its partner is, and comes for each of several pages", async () => {
    const ids = await Promise.all(Array.from({ length: 130 }, () => made({}, 9)));
    expect(await sweepDueEvidence({ ...deps, databaseName: cellCodeOf(2) })).toBe(0);
    expect(await noticed(ids[0] ?? "")).toBeNull();
    expect(await sweepDueEvidence(deps)).toBeGreaterThanOrEqual(130);
    expect(await Promise.all(ids.map((id) => noticed(id)))).toEqual(ids.map(() => 10));
  });

  it("is not lost for a partner that is unknown at the moment, and keeps no other waiting", async () => {
    const unknown = await made({ partner_id: "nobody-yet" });
    const other = await made();
    await sweepDueEvidence(deps);
    expect([await noticed(unknown), await noticed(other)]).toEqual([null, 10]);
  });
});
