import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { approvePayout, findPayout, type NotApproved, type PayoutRow, whyNotApproved } from "../../src/books/payouts.ts";
import { sweepStatements } from "../../src/books/sweep.ts";
import { newIdCode } from "../../src/core/cell-code.ts";
import { connectCell, runBatch } from "../../src/db/client.ts";
import { insertRows } from "../../src/db/insert-rows.ts";
import { events, movements, operators, payouts, statements, terms, walks } from "../../src/db/schema/index.ts";
import { keys, send } from "../support/api.ts";
import { CELL, cellDeps, cellOf } from "../support/cells.ts";
import { DAY, pass, realTime, setTime } from "../support/later.ts";
import { loggedBy } from "../support/logged.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { isFull } from "../support/scale.ts";
import { countOf, deleteRows, rowsOf, updateRows } from "../support/tables.ts";
import { emptyHistory, type History, type MovementRow, makeHistory } from "./history.ts";

/** Balance, terms, payouts and statements: what stands in them, once, for good. */

const get = async (path: string, headers: object = {}, key: string = keys.acme) =>
  (await send(path, { headers: { "X-Partner-Api-Key": key, ...headers } })).body;
const balance = async () => (await get("/partner/balance")).data as Record<string, any>[];
const listed = async () => (await get("/partner/statements")).data as Record<string, any>[];
const close = (month: string) => change("partners/acme/statements/close", { month });
const at = (text: string) => Date.parse(text);

const movement = (id: string, amount: number, some: Partial<MovementRow> = {}): MovementRow => ({
  id: `processor:txn_${id}`,
  partnerId: "acme",
  environment: "live",
  amount,
  fee: 0,
  net: amount,
  currency: "USD",
  status: "completed",
  type: "processor_payment_in",
  transactionDate: at("2026-10-10T12:00:00Z"),
  description: null,
  isSubscription: false,
  clientReferenceId: null,
  paymentIntentId: `pi_${id}`,
  paymentLinkId: null,
  chargedAmount: amount,
  chargedCurrency: "USD",
  sourceId: null,
  subscriptionId: null,
  recordedEvents: "",
  availableAt: null,
  bookedAt: some.transactionDate ?? at("2026-10-10T12:00:00Z"),
  updatedAt: 1,
  ...some,
});
const book = (...rows: MovementRow[]) => {
  const db = connectCell(cellOf("acme"));
  return runBatch(db, [insertRows(db, movements, rows)]);
};

/** Terms of forty months of a currency that nobody pays in. */
const manyTerms = () =>
  Array.from({ length: 40 }, (_, month) => ({
    partnerId: "acme",
    currency: "JPY",
    since: at("2023-01-01T00:00:00Z") + month * 30 * 86_400_000,
    basisPoints: month,
    fixed: 0,
    holder: "Maria",
    createdAt: 0,
  }));

beforeEach(async () => {
  await emptyHistory();
  for (const table of [payouts, statements, terms, walks, events]) await deleteRows(table);
  await change("partners/acme/settings", { time_zone: "UTC" }, "PUT");
  setTime(at("2026-11-20T12:00:00Z"));
});
afterEach(realTime);

describe("the balance", () => {
  it("is what movements sum to after fees, settled or not by the processor's date", async () => {
    await book(
      movement("a", 10_000, { fee: 320, net: 9_680, availableAt: at("2026-11-20T11:59:59Z") }),
      movement("b", 5_000, { fee: 175, net: 4_825, availableAt: at("2026-11-20T12:00:01Z") }),
      movement("c", -2_500, { type: "processor_refund", status: "refunded", net: -2_500 }),
      movement("t", 700, { environment: "test" }),
    );
    expect(await balance()).toEqual([
      {
        environment: "live",
        currency: "USD",
        balance: 120.05,
        settled: 71.8,
        pending: 48.25,
        upcoming: [{ date: "2026-11-20", amount: 48.25 }],
        summary: {
          en: "Your live balance is $120.05. Available is $71.80, pending $48.25: that becomes available on 20 Nov 2026.",
          ru: expect.any(String),
        },
      },
      {
        environment: "test",
        currency: "USD",
        balance: 7,
        settled: 7,
        pending: 0,
        upcoming: [],
        summary: { en: "Your test balance is $7.00, all of it available.", ru: expect.any(String) },
      },
    ]);
  });

  it("says on which day of the partner's zone what is pending becomes available", async () => {
    await change("partners/acme/settings", { time_zone: "Pacific/Auckland" }, "PUT");
    await book(
      movement("late", 1_000, { availableAt: at("2026-11-23T10:59:00Z") }),
      movement("same", 500, { availableAt: at("2026-11-23T00:00:00Z") }),
      movement("next", 700, { availableAt: at("2026-11-23T11:00:00Z") }),
      movement("first", 20, { availableAt: at("2026-11-20T12:00:00.001Z") }),
    );
    expect(await balance()).toMatchObject([
      {
        balance: 22.2,
        settled: 0,
        pending: 22.2,
        upcoming: [
          { date: "2026-11-21", amount: 0.2 },
          { date: "2026-11-23", amount: 15 },
          { date: "2026-11-24", amount: 7 },
        ],
      },
    ]);
  });
});

describe("terms", () => {
  it("keep their part of each payment of their time, and give it back where the payment fails", async () => {
    await book(movement("before", 10_000));
    expect((await change("partners/acme/terms", { currency: "usd", percent: 2.5, fixed: 0.1 })).body).toMatchObject({
      currency: "USD",
      percent: 2.5,
      fixed: 0.1,
    });
    await book(
      movement("whole", 10_000, { transactionDate: at("2026-11-20T13:00:00Z") }),
      movement("odd", 1_021, { transactionDate: at("2026-11-20T13:00:00Z") }),
      movement("failed", 4_000, { status: "failed", transactionDate: at("2026-11-20T13:00:00Z") }),
      movement("fail", -4_000, { status: "failed", type: "processor_payment_failure", transactionDate: at("2026-11-20T14:00:00Z") }),
      movement("refund", -500, { type: "processor_refund", status: "refunded", transactionDate: at("2026-11-20T14:00:00Z") }),
      movement("euro", 900, { currency: "EUR", transactionDate: at("2026-11-20T13:00:00Z") }),
      movement("test", 900, { environment: "test", transactionDate: at("2026-11-20T13:00:00Z") }),
    );
    // 2.60 of the 100.00, and 0.36 of the 10.21: 25.525 cents are 26.
    const sum = 100 + 100 - 2.6 + 10.21 - 0.36 - 5;
    expect(await balance()).toMatchObject([
      { environment: "live", currency: "EUR", balance: 9 },
      { environment: "live", currency: "USD", balance: Number(sum.toFixed(2)) },
      { environment: "test", balance: 9 },
    ]);
    const [month] = (await listed()).filter(({ currency, month: of }) => currency === "USD" && of === "2026-11");
    expect(month).toMatchObject({ terms: -2.96 });
  });

  it("give a payment that failed exactly back what they kept of it", async () => {
    await book(movement("slow", 10_000, { currency: "EUR", status: "failed" }));
    await change("partners/acme/terms", { currency: "EUR", percent: 5 });
    const failed = { currency: "EUR", paymentIntentId: "pi_slow", status: "failed", type: "processor_payment_failure" } as const;
    await book(movement("fail", -10_000, { ...failed, transactionDate: at("2026-11-20T14:00:00Z") }));
    expect(await balance()).toMatchObject([{ currency: "EUR", balance: 0 }]);
    // In the other order: kept, and given back by terms that keep nothing any more.
    await book(movement("late", 10_000, { currency: "EUR", status: "failed", transactionDate: at("2026-11-20T13:00:00Z") }));
    setTime(at("2026-11-22T12:00:00Z"));
    await change("partners/acme/terms", { currency: "EUR", percent: 0 });
    await book(movement("fall", -10_000, { ...failed, paymentIntentId: "pi_late", transactionDate: at("2026-11-23T14:00:00Z") }));
    expect(await balance()).toMatchObject([{ currency: "EUR", balance: 0 }]);
  });

  it("leave alone what was paid earlier on their first day, and may be many", async () => {
    await book(movement("morning", 10_000, { transactionDate: at("2026-11-20T11:59:59Z") }));
    const db = connectCell(cellOf("acme"));
    await runBatch(db, [insertRows(db, terms, manyTerms())]);
    await change("partners/acme/terms", { currency: "USD", percent: 5 });
    await book(movement("evening", 10_000, { transactionDate: at("2026-11-20T12:00:00Z") }));
    expect(await balance()).toMatchObject([{ currency: "USD", balance: 195 }]);
    expect(await listed()).toContainEqual(expect.objectContaining({ month: "2026-11", currency: "USD", terms: -5 }));
  });

  it.each([
    [{ currency: "USD", fixed: 0.005 }, "fixed: has more decimals than USD"],
    [{ currency: "JPY", fixed: 0.5 }, "fixed: has more decimals than JPY"],
    [{ currency: "USD", fixed: 1_000_000_000.01 }, "fixed"],
    [{ currency: "USD", fixed: -0.01 }, "fixed"],
    [{ currency: "USD", percent: 100.01 }, "percent"],
    [{ currency: "USD", percent: 0.001 }, "percent"],
  ])("are refused: %o", async (set, why) => {
    const refused = await change("partners/acme/terms", { percent: 1, ...set });
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining(why)]);
    expect((await get("/partner/terms")).data).toEqual([]);
  });

  it("may keep as much as a payout may be", async () => {
    expect((await change("partners/acme/terms", { currency: "USD", percent: 100, fixed: 1_000_000_000 })).status).toBe(201);
    await book(movement("after", 100, { transactionDate: at("2026-11-20T13:00:00Z") }));
    expect(await balance()).toMatchObject([{ currency: "USD", balance: -1_000_000_000 }]);
  });

  it("are never changed, and never for the past", async () => {
    await change("partners/acme/terms", { currency: "USD", percent: 1 });
    expect((await change("partners/acme/terms", { currency: "USD", percent: 2 })).body.error).toContain("Choose a later day");
    expect((await change("partners/acme/terms", { currency: "USD", percent: 2, since: "2026-11-19" })).body.error).toContain(
      "must not be in the past",
    );
    expect((await change("partners/acme/terms", { currency: "USD", percent: 2, since: "2026-11-21" })).status).toBe(201);
    expect((await get("/partner/terms")).data).toEqual([
      { currency: "USD", since: "2026-11-21T00:00:00.000Z", percent: 2, fixed: 0 },
      { currency: "USD", since: "2026-11-20T12:00:00.000Z", percent: 1, fixed: 0 },
    ]);
    expect((await auditOf("acme/USD")).slice(0, 2).map(({ actor, after }) => [actor, after.basisPoints])).toEqual([
      ["Maria", 200],
      ["Maria", 100],
    ]);
  });
});

describe("a payout", () => {
  const payout = { currency: "USD", amount: 60.5, date: "2026-11-12", bank_reference: "BANK-1" };
  const enter = (some: object = {}) => change("partners/acme/payouts", { ...payout, ...some });
  const approve = (id: string, operator: string) =>
    ops(`payouts/${id}/approve`, { method: "POST", body: {}, headers: { "X-Operator": operator } });

  it("counts once a second operator has approved it, and the partner is told once", async () => {
    await book(movement("a", 10_000));
    const { id, state } = (await enter()).body;
    expect(state).toBe("waiting");
    expect(await balance()).toMatchObject([{ balance: 100 }]);
    expect((await approve(id, "Maria")).body.error).toContain("another operator approves it");
    expect((await approve(id, "Ivan")).body).toMatchObject({ state: "recorded", approved_by: expect.stringContaining("Ivan") });
    expect((await approve(id, "Ivan")).status).toBe(409);
    expect(await balance()).toMatchObject([{ balance: 39.5, settled: 39.5 }]);
    expect((await get("/partner/payouts")).data).toMatchObject([
      { id, amount: 60.5, date: "2026-11-12", bank_reference: "BANK-1", state: "recorded" },
    ]);
    expect(await countOf(events, { name: "Partner.payout.recorded" })).toBe(1);
    expect(new Set((await auditOf(id)).map(({ action }): string => action))).toEqual(new Set(["payout.enter", "payout.approve"]));
  });

  it("is counted and summed with the others of a selection, and sorted by its amount; what waits is not paid out", async () => {
    for (const [amount, bank_reference] of [
      [10.1, "SUM-1"],
      [700.05, "SUM-2"],
      [50, "SUM-3"],
    ] as const)
      await enter({ amount, bank_reference, date: "2026-11-20" });
    const days = "since=2026-11-20&until=2026-11-20";
    const { data, count, sums } = await get(`/partner/payouts?${days}&sort=-amount&limit=2`);
    expect(data.map(({ amount }: { amount: number }) => amount)).toEqual([700.05, 50]);
    expect([count, sums]).toEqual([3, [{ environment: "live", currency: "USD", payouts: 3, amount: 760.15, paid_out: 0 }]]);
    const [{ id }] = data;
    await approve(id, "Ivan");
    expect((await get(`/partner/payouts?${days}`)).sums).toMatchObject([{ amount: 760.15, paid_out: 700.05 }]);
    expect(await get(`/partner/payouts?${days}&state=recorded`)).toMatchObject({ count: 1, sums: [{ amount: 700.05 }] });
    expect((await ops(`payouts?${days}`)).body).toMatchObject({ count: 3, sums: [{ amount: 760.15 }] });
    expect((await ops(`payouts?${days}&sort=amount`)).body.error).toBe("sort: needs `partner`");
    // What was taken back was not paid out.
    await change(`payouts/${id}/reverse`, { reason: "The bank returned it." });
    expect(await get(`/partner/payouts?${days}&state=reversed`)).toMatchObject({ count: 1, sums: [{ amount: 700.05, paid_out: 0 }] });
    expect((await get(`/partner/payouts?${days}`)).sums).toMatchObject([{ payouts: 3, amount: 760.15, paid_out: 0 }]);
  });

  it.each<[string, string, number, NotApproved | null]>([
    ["ann@shop.example", "bob@shop.example", 2, null],
    ["ann@shop.example", "ann@shop.example", 2, "same"],
    ["ann@shop.example", "Bob", 2, "unverified"],
    ["Ann", "bob@shop.example", 2, "entered_unverified"],
    ["Ann", "Bob", 2, "unverified"],
    ["ann@shop.example", "ann@shop.example", 1, null],
    ["Ann", "Bob", 1, null],
    ["Ann", "Bob", 0, null],
    ["Ann", "Ann", 0, "same"],
  ])("entered by %s and approved by %s, where %i persons could sign in: %s", (enteredBy, approver, admins, wanted) => {
    expect(whyNotApproved({ state: "waiting", enteredBy } as PayoutRow, approver, admins)).toBe(wanted);
  });

  it("takes two persons who sign in, where there are two: other names of the shared token are none", async () => {
    const { id } = (await enter()).body;
    for (const email of ["ann@shop.example", "bob@shop.example"]) await change(`operators/${email}`, { roles: ["admin"] }, "PUT");
    expect((await approve(id, "Ivan")).body.error).toContain("sign in with Cloudflare Access");
    const row = (await findPayout(cellDeps().db, id)) ?? expect.fail("no payout");
    const bob = { name: "bob@shop.example", requestId: "r" };
    const idCode = newIdCode(CELL);
    expect(await approvePayout(cellDeps(), row, { idCode, admins: 2 }, bob)).toBe("entered_unverified");
    await updateRows(payouts, { entered_by: "ann@shop.example" }, { id });
    const verified = (await findPayout(cellDeps().db, id)) ?? expect.fail("no payout");
    expect(await approvePayout(cellDeps(), verified, { idCode, admins: 2 }, bob)).toBe("approved");
    // Whose role was just taken counts for a week: an admin alone could otherwise take it, approve, and give it back.
    const other = (await enter({ bank_reference: "BANK-3" })).body;
    await change("operators/bob@shop.example", { roles: [] }, "PUT");
    expect((await approve(other.id, "Ivan")).body.error).toContain("sign in with Cloudflare Access");
    pass(7 * DAY);
    expect((await approve(other.id, "Ivan")).status).toBe(200);
    await deleteRows(operators);
  });

  it("that nobody who signed in has approved is marked in the audit log", async () => {
    const { id } = (await enter()).body;
    await approve(id, "Ivan");
    expect((await auditOf(id)).find(({ action }) => action === "payout.approve")?.after).toEqual({
      state: "recorded",
      approved_with_token: true,
    });
  });

  it("that the one admin approves says so, also where it was entered with the shared token under another name", async () => {
    await change("operators/ann@shop.example", { roles: ["admin"] }, "PUT");
    const { id } = (await enter()).body;
    const row = (await findPayout(cellDeps().db, id)) ?? expect.fail("no payout");
    const ann = { name: "ann@shop.example", requestId: "r" };
    expect(await approvePayout(cellDeps(), row, { idCode: newIdCode(CELL), admins: 1 }, ann)).toBe("approved");
    const approvalOf = async (of: string) => (await auditOf(of)).find(({ action }) => action === "payout.approve")?.after;
    expect(await approvalOf(id)).toEqual({ state: "recorded", approved_alone: true });
    const other = (await enter({ bank_reference: "BANK-4" })).body;
    await updateRows(payouts, { entered_by: "bob@shop.example" }, { id: other.id });
    const byBob = (await findPayout(cellDeps().db, other.id)) ?? expect.fail("no payout");
    expect(await approvePayout(cellDeps(), byBob, { idCode: newIdCode(CELL), admins: 1 }, ann)).toBe("approved");
    expect(await approvalOf(other.id)).toEqual({ state: "recorded" });
    await deleteRows(operators);
  });

  it("that was wrong is taken back by an opposite entry; the closed statement that has it stays", async () => {
    await book(movement("a", 10_000));
    const { id } = (await enter({ date: "2026-10-20" })).body;
    await approve(id, "Ivan");
    pass(DAY);
    await close("2026-10");
    const before = (await listed()).find(({ state }) => state === "closed");
    // It was approved after October had ended, but before October was closed.
    expect(before).toMatchObject({ month: "2026-10", payments: 100, payouts: -60.5, closing: 39.5 });
    expect((await change(`payouts/${id}/reverse`, { reason: "returned" })).body).toMatchObject({ state: "reversed", reason: "returned" });
    expect((await change(`payouts/${id}/reverse`, { reason: "returned" })).status).toBe(409);
    expect(await balance()).toMatchObject([{ balance: 100 }]);
    const after = await listed();
    expect(after.find(({ id: one }) => one === before?.id)).toEqual(before);
    expect(after.find(({ month }) => month === "2026-11")).toMatchObject({ opening: 39.5, payouts: 60.5, closing: 100 });
    expect((await enter({ date: "2026-10-20" })).status).toBe(201);
  });

  it.each([
    [{ bank_reference: "BANK-2", amount: 1.005 }, "more decimals"],
    [{ date: "2026-11-21" }, "future"],
    [{ date: "2025-10-15" }, "400 days ago"],
    [{ amount: -1 }, "positive"],
    [{ currency: "dollars" }, "three letters"],
  ])("is refused as %o", async (some, why) => expect((await enter(some)).body.error).toContain(why));

  it("with a bank reference that was entered before is refused", async () => {
    await enter();
    expect((await enter()).body.error).toContain("was entered before");
    expect(await countOf(payouts, {})).toBe(1);
  });
});

describe("a statement", () => {
  it("that cannot be closed keeps no other partner waiting, and is in the log", async () => {
    const db = connectCell(cellOf("acme"));
    await book(movement("a", 10_000), movement("g", 5_000, { partnerId: "globex" }));
    await runBatch(db, [
      insertRows(
        db,
        terms,
        manyTerms().map((one) => ({ ...one, currency: "no code" })),
      ),
    ]);
    setTime(at("2026-11-05T00:00:00Z"));
    const lines = await loggedBy(async () => expect(await sweepStatements(cellDeps())).toBe(1));
    expect(await countOf(statements, { partner_id: "globex" })).toBe(1);
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: "error", message: "statements not closed", partner: "acme" }),
    );
    await deleteRows(terms);
    setTime(at("2026-11-06T00:00:00Z"));
    expect(await sweepStatements(cellDeps())).toBe(1);
  });

  it("is closed by the cron on the fifth day, once, and never changes: what comes late stands in the next, marked", async () => {
    await book(movement("a", 10_000, { fee: 320, net: 9_680 }), movement("n", 3_000, { transactionDate: at("2026-11-02T00:00:00Z") }));
    setTime(at("2026-11-04T23:59:00Z"));
    expect(await sweepStatements(cellDeps())).toBe(0);
    await deleteRows(walks);
    setTime(at("2026-11-05T00:00:00Z"));
    expect(await sweepStatements(cellDeps())).toBe(1);
    expect(await sweepStatements(cellDeps())).toBe(0);
    const [closed] = (await listed()).filter(({ state }) => state === "closed");
    expect(closed).toMatchObject({
      number: 1,
      month: "2026-10",
      opening: 0,
      payments: 100,
      fees: 3.2,
      closing: 96.8,
      closed_at: "2026-11-05T00:00:00.000Z",
    });
    setTime(at("2026-11-06T10:00:00Z"));
    await book(movement("late", 700, { bookedAt: at("2026-11-06T09:00:00Z") }));
    const after = await listed();
    expect(after.find(({ id }) => id === closed?.id)).toEqual(closed);
    const open = after.find(({ month }) => month === "2026-11");
    expect(open).toMatchObject({ state: "open", number: null, opening: 96.8, payments: 37, closing: 133.8 });
    const { lines } = await get(`/partner/statements/${open?.id}`);
    expect(lines.map(({ id, late, date }: Record<string, any>) => [id, late, date.slice(0, 10)])).toEqual([
      ["processor:txn_late", true, "2026-10-10"],
      ["processor:txn_n", false, "2026-11-02"],
    ]);
    const { lines: first } = await get(`/partner/statements/${closed?.id}`);
    expect(first.map(({ id }: Record<string, any>) => id)).toEqual(["processor:txn_a"]);
  });

  it("leaves out what was booked in the last ten minutes: a write may be under way", async () => {
    await book(
      movement("old", 100, { bookedAt: at("2026-11-20T11:50:00Z") }),
      movement("new", 1_000, { bookedAt: at("2026-11-20T11:50:00.001Z") }),
    );
    await close("2026-10");
    const all = await listed();
    expect(all.find(({ month }) => month === "2026-10")).toMatchObject({ payments: 1 });
    expect(all.find(({ month }) => month === "2026-11")).toMatchObject({ opening: 1, payments: 10 });
  });

  it("is of the partner's own month", async () => {
    await change("partners/acme/settings", { time_zone: "Asia/Tokyo" }, "PUT");
    await book(
      movement("t", 100, { transactionDate: at("2026-09-30T15:00:00Z") }),
      movement("u", 1_000, { transactionDate: at("2026-09-30T14:59:59Z") }),
    );
    expect((await listed()).map(({ month, payments, time_zone }) => [month, payments, time_zone])).toEqual([
      ["2026-11", 0, "Asia/Tokyo"],
      ["2026-10", 1, "Asia/Tokyo"],
      ["2026-09", 10, "Asia/Tokyo"],
    ]);
  });

  it("is numbered without gaps over currencies, and a month that is not over is not closed", async () => {
    await book(
      movement("a", 100),
      movement("b", 200, { currency: "EUR" }),
      movement("c", 300, { transactionDate: at("2026-08-10T00:00:00Z") }),
    );
    expect((await close("2026-11")).body).toMatchObject({ closed: 4 });
    expect((await close("2026-11")).body).toMatchObject({ closed: 0 });
    const rows = await rowsOf(statements, {}, { columns: ["number", "month", "currency"], orderBy: "number" });
    expect(rows.map(({ number, month, currency }) => [number, month, currency])).toEqual([
      [1, "2026-10", "EUR"],
      [2, "2026-08", "USD"],
      [3, "2026-09", "USD"],
      [4, "2026-10", "USD"],
    ]);
  });

  it("closed twice at once is closed once", async () => {
    await book(movement("a", 100), movement("b", 200, { currency: "EUR" }));
    const answers = await Promise.all([close("2026-10"), close("2026-10"), close("2026-10")]);
    expect(answers.reduce((sum, { body }) => sum + body.closed, 0)).toBe(2);
    expect(await countOf(statements, {})).toBe(2);
  });

  it("as CSV has all its lines, in the form of the locale", async () => {
    await book(movement("a", 10_050, { fee: 320, net: 9_730 }));
    await close("2026-10");
    const [closed] = (await listed()).filter(({ state }) => state === "closed");
    const answer = await send(`/partner/statements/${closed?.id}?locale=de-DE`, {
      headers: { "X-Partner-Api-Key": keys.acme, Accept: "text/csv" },
    });
    expect(answer.headers.get("Content-Type")).toContain("text/csv");
    expect(answer.text).toBe(
      '"id";"date";"type";"order_id";"amount";"fee";"terms";"total";"late";"currency"\r\n"processor:txn_a";2026-10-10 12:00:00;"payment";"pi_a";100,5;3,2;0;97,3;no;"USD"\r\n',
    );
  });

  it("is no other partner's", async () => {
    await book(movement("a", 100));
    await close("2026-10");
    const [closed] = await listed();
    for (const id of [closed?.id, "open_USD_2026-11"])
      expect((await get(`/partner/statements/${id}`, {}, keys.globex)).success).toBe(false);
    expect((await get("/partner/statements", {}, keys.globex)).data).toEqual([]);
    expect((await get("/partner/balance", {}, keys.globex)).data).toEqual([]);
  });
});

describe.each(isFull ? [21, 22, 23, 24] : [21, 22])("over a random year (%i), closed month by month while more comes late", (seed) => {
  const minor = (major: number, currency: string) => Math.round(major * (currency === "JPY" ? 1 : 100));
  const sumOf = (history: History) => {
    const sums = new Map<string, number>();
    for (const { environment, currency, amount, fee } of history.movements)
      if (environment === "live") sums.set(currency, (sums.get(currency) ?? 0) + amount - (fee ?? 0));
    for (const { environment, amount } of history.bank) if (environment === "live") sums.set("RUB", (sums.get("RUB") ?? 0) + amount);
    return sums;
  };

  it("closed and open statements together are the movements, each month opens as the last one closed, and the balance is the end", async () => {
    setTime(at("2026-11-20T12:00:00Z"));
    const history = await makeHistory({ from: at("2026-01-01"), to: at("2026-10-20"), count: 60, seed });
    const drawn = [...history.movements, ...history.bank];
    // Some are stored up to two months after their day.
    for (const [index, row] of history.movements.entries())
      if (index % 5 === 0) await updateRows(movements, { booked_at: row.transactionDate + (index % 7) * 9 * DAY }, { id: row.id });
    for (const month of ["02", "03", "05", "06", "08", "09", "11"]) {
      setTime(at(`2026-${month}-07T00:00:00Z`));
      await deleteRows(walks);
      await sweepStatements(cellDeps());
    }
    setTime(at("2027-02-20T12:00:00Z"));
    expect(drawn.length).toBeGreaterThan(0);
    const all = (await listed()).toReversed();
    const balances = new Map(
      (await balance()).filter(({ environment }) => environment === "live").map((row) => [row.currency, minor(row.balance, row.currency)]),
    );
    const truth = sumOf(history);
    expect(balances).toEqual(truth);
    for (const [currency, sum] of truth) {
      const own = all.filter((row) => row.currency === currency);
      let closing = 0;
      for (const row of own) {
        const m = (field: string) => minor(row[field], currency);
        expect(m("opening")).toBe(closing);
        closing = m("opening") + m("payments") + m("refunds") + m("disputes") - m("fees") + m("terms") + m("payouts");
        expect(m("closing")).toBe(closing);
      }
      expect([currency, closing]).toEqual([currency, sum]);
      const lines = (await Promise.all(own.map(({ id }) => get(`/partner/statements/${id}`)))).flatMap(
        (one) => one.lines as Record<string, any>[],
      );
      expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
      expect(lines.reduce((total, { total: one }) => total + minor(one, currency), 0)).toBe(sum);
    }
  });
});
