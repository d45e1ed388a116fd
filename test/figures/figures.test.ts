import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  bankMovements,
  bankPayments,
  dailyDeliveries,
  dailyPayments,
  endpoints,
  events,
  movements,
  walks,
} from "../../src/db/schema/index.ts";
import { afterPage, nextRound, sweepFigures } from "../../src/figures/count.ts";
import { readFigures } from "../../src/figures/read.ts";
import { BANK, bankCart, call, REGISTER } from "../support/api.ts";
import { cellDeps, furtherCellDeps } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { DAY, HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { ops } from "../support/ops.ts";
import { delivered, pay, quiet } from "../support/payments.ts";
import { control, SANDBOX, settled } from "../support/stack.ts";
import { deleteRows, emptyTables, rowsOf, updateRows } from "../support/tables.ts";

const today = () => new Date(Date.now()).toISOString().slice(0, 10);
const shown = async (query = "environment=test") => (await ops(`figures?${query}`)).body;
const lastOf = async (query?: string) => (await shown(query)).days.at(-1);
/** In all cells. Returns what was counted in that of acme. */
const count = async () => {
  for (const deps of furtherCellDeps()) await sweepFigures(deps);
  return sweepFigures(cellDeps());
};
const stored = () => rowsOf(dailyPayments, {}, { columns: ["day", "partner_id", "payments"] });

/** The days are those of UTC, and a test that moves the clock by an hour must not come into the next one. */
const untilNoon = () => (DAY + DAY / 2 - (Date.now() % DAY)) % DAY;

beforeEach(async () => {
  pass(untilNoon());
  await emptyTables(walks, dailyPayments, dailyDeliveries, movements, events, bankPayments, bankMovements);
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/figures`, client_token: "figures" });
  // What failed in the hours of the test before, on a busy machine, holds up nothing.
  await updateRows(endpoints, { cooldown_until: 0 });
});
afterEach(realTime);

it("a sum of all goes with the last partner that adds to it, as after a move", async () => {
  await pay(["TestUsd1"]);
  await quiet();
  await count();
  expect((await rowsOf(dailyPayments, { partner_id: "" })).length).toBeGreaterThan(0);
  await emptyTables(movements, events);
  await deleteRows(dailyPayments, { partner_id: "acme" });
  await deleteRows(dailyDeliveries, { partner_id: "acme" });
  pass(HOUR);
  await count();
  expect(await rowsOf(dailyPayments, {})).toEqual([]);
  expect(await rowsOf(dailyDeliveries, {})).toEqual([]);
});

it("the counts of a day go with their rows, which a refund pulls to the partner's newest cell, and only then", async () => {
  await pay(["TestUsd1"]);
  const bank = (await call(BANK, bankCart())).body;
  await control("/bank/pay", { order_id: bank.order_id });
  await quiet();
  await count();
  const kept = async () => {
    const rows = await rowsOf(dailyPayments, { partner_id: "acme" });
    return [rows.map(({ source }): string => source).toSorted(), (await rowsOf(dailyDeliveries, { partner_id: "acme" })).length];
  };
  const again = async () => {
    pass(HOUR);
    await count();
    return kept();
  };
  expect(await again()).toEqual([["bank", "processor"], 1]);
  await emptyTables(movements);
  expect(await again()).toEqual([["bank"], 1]);
  await emptyTables(bankMovements);
  expect(await again()).toEqual([[], 1]);
  await emptyTables(events);
  expect(await again()).toEqual([[], 0]);
  expect((await lastOf()).payments).toBe(0);
});

describe("the figures of a day", () => {
  it("are what was paid, given back and delivered, of a partner and of all", async () => {
    expect(await lastOf()).toMatchObject({ day: today(), payments: 0, amounts: [] });
    const paid = await pay(["TestUsd1"]);
    await pay(["TestUsd1", "TestUsd2"]);
    await control("/refund", { payment_intent: paid.payment_intent, amount: 400 });
    await quiet();
    const bank = (await call(BANK, bankCart())).body;
    await control("/bank/pay", { order_id: bank.order_id });
    await settled();
    await count();
    const wanted = { payments: 3, failures: 0, refunds: 1, disputes: 0, events: 4, given_up: 0 };
    for (const query of ["environment=test", "environment=test&partner=acme"]) {
      const day = await lastOf(query);
      expect(day).toMatchObject(wanted);
      expect(day.delivered + day.waiting).toBe(4);
      expect(day.amounts).toEqual([
        { source: "bank", currency: "RUB", paid: 3000, refunded: 0, disputed: 0 },
        { source: "processor", currency: "USD", paid: 57, refunded: 4, disputed: 0 },
      ]);
    }
    expect(await lastOf("environment=live")).toMatchObject({ payments: 0, events: 0, amounts: [] });
    expect(await lastOf("environment=test&partner=globex")).toMatchObject({ payments: 0, events: 0, amounts: [] });
  });

  it("count a failed slow payment and a dispute as what they are", async () => {
    const disputed = await pay(["TestUsd1"]);
    await control("/dispute", { payment_intent: disputed.payment_intent });
    await quiet();
    await count();
    expect(await lastOf()).toMatchObject({ payments: 1, failures: 0, disputes: 1 });
    await updateRows(movements, { status: "failed" }, { type: "processor_payment_in" });
    pass(HOUR);
    await count();
    expect(await lastOf()).toMatchObject({ payments: 0, failures: 1, disputes: 1, amounts: [{ paid: 0, disputed: 19 }] });
  });

  it("are of the day of the payment in UTC, and stay for thirty days", async () => {
    await pay(["TestUsd1"]);
    await quiet();
    const midnight = Math.floor(Date.now() / DAY) * DAY;
    const daysOf = async () =>
      (await shown()).days.flatMap(({ day, payments }: { day: string; payments: number }) => (payments === 0 ? [] : [day]));
    for (const [at, wanted] of [
      [midnight, [midnight]],
      [midnight - 1, [midnight - DAY]],
      [midnight - 29 * DAY, [midnight - 29 * DAY]],
      [midnight - 29 * DAY - 1, []],
    ] as const) {
      await emptyTables(walks, dailyPayments);
      await updateRows(movements, { transaction_date: at });
      await count();
      expect(await daysOf()).toEqual(wanted.map((day) => new Date(day).toISOString().slice(0, 10)));
    }
    expect((await shown()).days).toHaveLength(30);
  });

  it("say since when the oldest event waits", async () => {
    await control("/inbox/figures", { status: 500 });
    await pay(["TestUsd1"]);
    await quiet();
    await updateRows(events, { state: "pending" });
    const [event] = await rowsOf(events);
    await count();
    expect(await shown()).toMatchObject({ oldest_waiting: new Date(event?.created_at).toISOString() });
    await updateRows(events, { state: "exhausted" });
    pass(HOUR);
    await count();
    expect(await shown()).toMatchObject({ oldest_waiting: null, counted_at: expect.any(String) });
    expect(await lastOf()).toMatchObject({ events: 1, delivered: 0, given_up: 1, waiting: 0 });
    await updateRows(events, { state: "no_endpoint" });
    pass(2 * HOUR);
    await count();
    expect(await lastOf()).toMatchObject({ events: 0, given_up: 0 });
    await control("/inbox/figures", { status: 200 });
  });
});

describe("the rounds of counting", () => {
  const now = Date.parse("2026-11-22T10:00:00Z");
  const day = (text: string) => Date.parse(text);
  const over = { began: now, day: day("2026-11-23"), after: "", counted: now + MINUTE };
  it.each([
    ["never counted: all days", null, now, { began: now, day: day("2026-10-24"), after: "", counted: null }],
    [
      "under way: goes on",
      { ...over, day: day("2026-11-22"), after: "acme" },
      now + DAY,
      { ...over, day: day("2026-11-22"), after: "acme" },
    ],
    ["just short of an hour ago: rests", over, now + HOUR - 1, null],
    ["an hour ago: the last days", over, now + HOUR, { began: now + HOUR, day: day("2026-11-18"), after: "", counted: over.counted }],
    [
      "yesterday: all days",
      over,
      day("2026-11-23"),
      { began: day("2026-11-23"), day: day("2026-10-25"), after: "", counted: over.counted },
    ],
  ])("%s", (_what, last, at, wanted) => expect(nextRound(last, at)).toEqual(wanted));

  it.each([
    ["a page, with more partners: the next page", "acme", { ...over, day: day("2026-11-21"), after: "acme", counted: 7 }],
    ["the last page: the next day", null, { ...over, day: day("2026-11-22"), after: "", counted: 7 }],
  ])("after %s", (_what, after, wanted) =>
    expect(afterPage({ began: now, day: day("2026-11-21"), after: "x", counted: 7 }, after, now + HOUR)).toEqual(wanted),
  );

  it("after the last page of the day on which it began: it is over, and everything is counted", () => {
    const last = { began: now, day: day("2026-11-22"), after: "x", counted: 7 };
    expect(afterPage(last, null, now + HOUR)).toEqual({ ...last, day: day("2026-11-23"), after: "", counted: now + HOUR });
  });

  it("are made by the cron, every hour", async () => {
    await pay(["TestUsd1"]);
    await quiet();
    await cron();
    expect(await stored()).toEqual([
      { day: expect.any(Number), partner_id: "", payments: 1 },
      { day: expect.any(Number), partner_id: "acme", payments: 1 },
    ]);
    await deleteRows(dailyPayments);
    pass(59 * MINUTE);
    expect(await count()).toBe(0);
    pass(MINUTE);
    // Five days, each in its own transaction.
    expect(await count()).toBe(5);
    expect(await stored()).toHaveLength(2);
  });

  it("go on where the minute's time ended, and add up once all partners are counted", async () => {
    await pay(["TestUsd1"]);
    await quiet();
    const began = Date.now();
    const position = JSON.stringify({ began, day: began - (began % DAY), after: "acme", counted: null });
    await cellDeps().db.insert(walks).values({ name: "figures", position });
    await count();
    expect(await stored()).toEqual([]);
    await emptyTables(walks);
    await count();
    expect(await stored()).toHaveLength(2);
  });

  it("let go of what is not kept any longer", async () => {
    const old = { partnerId: "acme", environment: "live", source: "bank", currency: "RUB", payments: 1, paid: 1 } as const;
    const zero = { failures: 0, refunds: 0, refunded: 0, disputes: 0, disputed: 0 };
    const { db } = cellDeps();
    for (const days of [399, 401]) await db.insert(dailyPayments).values({ ...old, ...zero, day: Date.now() - days * DAY });
    await count();
    expect(await rowsOf(dailyPayments, { partner_id: "acme" })).toHaveLength(1);
  });

  it("write nothing that is as before", async () => {
    await delivered(await pay(["TestUsd1"]));
    await quiet();
    await settled();
    await count();
    const refuse = (table: string) => `CREATE TRIGGER no_${table} BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'written'); END`;
    const { $client } = cellDeps().db;
    await $client.batch(["daily_payments", "daily_deliveries"].map((table) => $client.prepare(refuse(table))));
    pass(HOUR);
    expect(await count()).toBe(5);
    await $client.batch(["daily_payments", "daily_deliveries"].map((table) => $client.prepare(`DROP TRIGGER no_${table}`)));
  });
});

it("of an unknown partner or environment are refused", async () => {
  expect((await ops("figures?partner=nobody")).status).toBe(404);
  expect((await ops("figures?environment=both")).status).toBe(400);
});

it("the days are whole, also while the clock goes on", async () => {
  let time = Date.UTC(2026, 10, 26, 6, 35);
  const clock = { now: () => (time += 1) };
  const { days } = await readFigures({ ...cellDeps(), clock }, null, "test");
  expect([days.length, days.at(-1)?.day]).toEqual([30, Date.UTC(2026, 10, 26)]);
});
