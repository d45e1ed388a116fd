import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { platformPart } from "../../src/books/month.ts";
import { movements, payouts, platformTransactions, reconciliations, statements, terms } from "../../src/db/schema/index.ts";
import { sweepBalanceTransactions } from "../../src/ledger/reconcile.ts";
import { BANK, bankCart, call, keys, send } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { DAY, MINUTE, pass, realTime, setTime } from "../support/later.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { movementOf, pay, quiet } from "../support/payments.ts";
import { control, objects } from "../support/stack.ts";
import { countOf, deleteRows, insertRow, rowsOf, updateRows } from "../support/tables.ts";
import { emptyHistory } from "./history.ts";

/** A month of all partners: what moved, to the cent, also between the processor or the bank and us, and whose month is not closed. */

const month = () => new Date().toISOString().slice(0, 7);
const read = async (of = month(), query = "?environment=test") => (await ops(`books/months/${of}${query}`)).body;
const check = async () => (await ops(`books/check?environment=test&month=${month()}`)).body;
const sumsOf = async (query = "") => (await ops(`platform-transactions?environment=test${query}`)).body.sums;
const list = async (query = "") => (await ops(`platform-transactions?environment=test${query}`)).body.data;
const compare = async () => {
  pass(2 * MINUTE);
  return sweepBalanceTransactions(cellDeps(), "test");
};

/** What the sandbox's own transactions sum to after fees, by currency, in minor units: the other side of the proof. */
async function sandboxSums(): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { currency, net, livemode } of await objects("balance_transaction"))
    if (!livemode) sums[String(currency).toUpperCase()] = (sums[String(currency).toUpperCase()] ?? 0) + Number(net);
  return sums;
}

beforeEach(async () => {
  await control("/reset", {});
  await emptyHistory();
  for (const table of [platformTransactions, reconciliations, payouts, statements, terms]) await deleteRows(table);
});
afterEach(realTime);

/** Payments, refunds, a dispute and what the processor settles with us, in two currencies. */
async function moveMoney() {
  const [first, second] = [await pay(["TestUsd1"]), await pay(["TestUsd1"])];
  const euro = await pay(["TestEur1"]);
  await control("/refund", { payment_intent: first.payment_intent, amount: 300 });
  await control("/dispute", { payment_intent: second.payment_intent });
  const platform = { environment: "test", currency: "usd" };
  await control("/platform", { ...platform, type: "payout", amount: -1_000, description: "PAYOUT" });
  await control("/platform", { ...platform, type: "stripe_fee", amount: -77, description: "Fraud screening" });
  await control("/platform", { ...platform, type: "reserve_transaction", amount: -50, fee: 1 });
  await control("/platform", { ...platform, currency: "eur", type: "payout", amount: -20 });
  await quiet();
  return { first, second, euro };
}

describe("a month", () => {
  it("is to the cent what the processor's own transactions sum to, in each currency", async () => {
    await moveMoney();
    expect(await compare()).toBe(0);
    const { processor } = await read();
    const theirs = await sandboxSums();
    expect(processor.map(({ currency }: any) => currency)).toEqual(["EUR", "USD"]);
    for (const { currency, change: ours } of processor) expect([currency, Math.round(ours * 100)]).toEqual([currency, theirs[currency]]);
    expect((await read()).summary.en).toContain("payments by card $38.00, refunds -$3.00, disputes -$19.00");
    expect(processor[1]).toMatchObject({
      payments: 38,
      refunds: -3,
      disputes: -19,
      fees: expect.any(Number),
      without_partner: 0,
      platform_fees: -0.78,
      paid_out: -10,
      other_platform: -0.5,
    });
    expect((await check()).sums).toEqual(
      ["movements", "platform"].flatMap((part) =>
        ["EUR", "USD"].map((currency) => expect.objectContaining({ part, currency, difference: 0 })),
      ),
    );
  });

  it("names the damaged row and by how much the sums differ, and is right again after the cure", async () => {
    const { first, euro } = await moveMoney();
    await compare();
    const id = `processor:${first.balance_transaction}`;
    await updateRows(movements, { amount: 1_901, net: 1_816 }, { id });
    await deleteRows(movements, { id: `processor:${euro.balance_transaction}` });
    const [fee] = await rowsOf(platformTransactions, { type: "stripe_fee" });
    await deleteRows(platformTransactions, { type: "stripe_fee" });
    const { differences, sums } = await check();
    expect(differences).toMatchObject([
      { kind: "differs", id, cure: `ledger refresh test ${first.balance_transaction}` },
      { kind: "missing", id: `processor:${euro.balance_transaction}` },
      { kind: "missing", id: fee?.id, cure: expect.stringContaining("ledger compare-again ") },
    ]);
    const differenceOf = (part: string, currency: string) =>
      sums.find((one: any) => one.part === part && one.currency === currency)?.difference;
    const euros = (await objects("balance_transaction")).find((one) => one.id === euro.balance_transaction);
    expect(differenceOf("movements", "USD")).toBe(0.01);
    expect(differenceOf("movements", "EUR")).toBe(-Number(euros?.net) / 100);
    expect(differenceOf("platform", "USD")).toBe(0.77);
    for (const one of [first, euro]) await change("ledger/refresh", { environment: "test", id: one.balance_transaction });
    await change("ledger/compare-again", { since: differences[2].cure.split(" ").at(-1) });
    await compare();
    expect(await check()).toMatchObject({ differences: [] });
    expect((await check()).sums.every((one: any) => one.difference === 0)).toBe(true);
  });

  it("has what a movement without a partner leaves, and counts nothing of the other environment or month", async () => {
    const { first } = await moveMoney();
    await compare();
    const row = await movementOf(first);
    await updateRows(movements, { partner_id: null }, { id: `processor:${first.balance_transaction}` });
    const [, usd] = (await read()).processor;
    expect(usd).toMatchObject({ payments: 19, without_partner: (Number(row?.amount) - Number(row?.fee)) / 100 });
    expect((await read(month(), "")).processor).toEqual([]);
    expect((await read("2020-01")).processor).toEqual([]);
  });
});

describe("what is between the processor and us", () => {
  it("is listed, newest first, page by page, and no partner sees it", async () => {
    await moveMoney();
    await compare();
    const times = (await list()).map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await sumsOf()).toEqual([
      { type: "payout", currency: "EUR", count: 1, amount: -0.2, fee: 0 },
      { type: "payout", currency: "USD", count: 1, amount: -10, fee: 0 },
      { type: "reserve_transaction", currency: "USD", count: 1, amount: -0.5, fee: 0.01 },
      { type: "stripe_fee", currency: "USD", count: 1, amount: -0.77, fee: 0 },
    ]);
    expect((await sumsOf("&type=payout&limit=1")).map(({ currency }: { currency: string }) => currency)).toEqual(["EUR", "USD"]);
    expect(await sumsOf("&until=2020-01-01")).toEqual([]);
    const [newest] = await list();
    for (const path of [
      "/partner/payments?environment=test&limit=100",
      `/partner/find?q=${newest.id}`,
      "/partner/balance",
      `/partner/story?q=${newest.id}`,
    ])
      expect((await send(path, { headers: { "X-Partner-Api-Key": keys.acme } })).text).not.toContain(`"${newest.id}"`);
    expect((await list()).map(({ type, amount, fee, currency }: any) => [type, amount, fee, currency])).toEqual(
      expect.arrayContaining([
        ["payout", -10, 0, "USD"],
        ["payout", -0.2, 0, "EUR"],
        ["stripe_fee", -0.77, 0, "USD"],
        ["reserve_transaction", -0.5, 0.01, "USD"],
      ]),
    );
    expect(await list("&type=payout")).toHaveLength(2);
    const page = (await ops("platform-transactions?environment=test&limit=3")).body;
    const rest = (await ops(`platform-transactions?environment=test&limit=3&cursor=${page.next}`)).body;
    expect(new Set([...page.data, ...rest.data].map(({ id }) => id)).size).toBe(4);
    expect(rest.next).toBeNull();
    expect(await list("&until=2020-01-01")).toEqual([]);
  });

  it("is stored once, however often it is compared", async () => {
    await moveMoney();
    await compare();
    await change("ledger/compare-again", { since: new Date(Date.now() - DAY).toISOString() });
    await compare();
    expect(await countOf(platformTransactions)).toBe(4);
  });

  it("stands in one column of the month each", () => {
    const partOf = (type: string) => platformPart({ source: "processor", type });
    for (const type of ["stripe_fee", "stripe_fx_fee", "tax_fee", "application_fee", "application_fee_refund"])
      expect(partOf(type)).toBe("platformFees");
    for (const type of ["payout", "payout_cancel", "payout_failure"]) expect(partOf(type)).toBe("paidOut");
    for (const type of [
      "reserve_transaction",
      "topup",
      "transfer",
      "fees_other",
      "payout_minimum_balance_hold",
      "payout_minimum_balance_release",
    ])
      expect(partOf(type)).toBe("otherPlatform");
    expect(platformPart({ source: "bank", type: "bank_fee" })).toBe("platformFees");
  });
});

describe("rubles", () => {
  it("have payments, refunds and the bank's fees by terminal", async () => {
    const { order_id } = (await call(BANK, bankCart({ environment: "test" }))).body;
    await control("/bank/pay", { order_id });
    await control("/bank/refund", { order_id, amount: 10_000 });
    await quiet();
    const date = new Date().toISOString().slice(0, 10);
    const terminal = (await read()).bank[0].terminal;
    const entered = await change("bank-fees", { terminal, amount: 12.34, date, document: "ACT-1", environment: "test" });
    expect(entered).toMatchObject({
      status: 201,
      body: { type: "bank_fee", amount: -12.34, entered_by: "Maria", description: "ACT-1" },
    });
    const [first] = (await read()).bank;
    expect(first).toMatchObject({ terminal, currency: "RUB", refunds: -100, fees: -12.34, change: first.payments - 100 - 12.34 });
    expect(first.payments).toBeGreaterThan(100);
    expect(await auditOf(entered.body.id)).toMatchObject([{ action: "bank_fee.enter" }]);
    await change("bank-fees", { terminal, amount: -2.34, date, document: "ACT-1 correction", environment: "test" });
    expect((await read()).bank[0].fees).toBe(-10);
  });

  it.each([
    [{ document: "ACT-1" }, 409, /entered before/],
    [{ document: "ACT-2", terminal: "nowhere" }, 400, /^terminal: must be one of /],
    [{ document: "ACT-2", amount: 0 }, 400, /^amount: must not be 0/],
    [{ document: "ACT-2", amount: 1.005 }, 400, /^amount: has more decimals/],
    [{ document: "ACT-2", date: "2999-01-01" }, 400, /^date: must not be in the future/],
    [{ document: "ACT-2", date: "2006-10-31" }, 400, /^date: must not be more than 400 days ago/],
    [{ document: "" }, 400, /^document/],
  ])("refuse a fee with %j, and enter nothing", async (wrong, status, says) => {
    const [terminal = ""] = Object.keys(cellDeps().settings.bank.terminals.test);
    const fee = { terminal, amount: 12.34, date: "2026-10-31", document: "ACT-1", environment: "test" };
    await change("bank-fees", fee);
    const answer = await change("bank-fees", { ...fee, ...wrong });
    expect([answer.status, answer.body.error ?? answer.body.message]).toEqual([status, expect.stringMatching(says)]);
    expect(await countOf(platformTransactions)).toBe(1);
  });
});

describe("the statements of all partners", () => {
  const book = async (partnerId: string, id: string, some: object = {}) => {
    await insertRow(movements, {
      id: `processor:txn_${id}`,
      partner_id: partnerId,
      environment: "live",
      amount: 1_000,
      fee: 30,
      net: 970,
      currency: "USD",
      status: "completed",
      type: "processor_payment_in",
      transaction_date: Date.parse("2026-10-10T12:00:00Z"),
      is_subscription: 0,
      payment_intent_id: `pi_${id}`,
      charged_amount: 1_000,
      charged_currency: "USD",
      recorded_events: "",
      booked_at: Date.parse("2026-10-10T12:00:00Z"),
      updated_at: 1,
      ...some,
    });
  };

  it("are listed with their sums once they are closed, and named with the cure until then", async () => {
    setTime(Date.parse("2026-11-20T12:00:00Z"));
    await book("acme", "a");
    await book("globex", "g", { amount: 2_000 });
    await book("globex", "e", { currency: "EUR" });
    // Of November: October has nothing of it to close, and November is not over.
    await book("initech", "later", { transaction_date: Date.parse("2026-11-02T00:00:00Z") });
    expect((await read("2026-10", "")).not_closed).toEqual([
      { partner_id: "acme", currency: "USD", cure: "statements close acme 2026-10" },
      { partner_id: "globex", currency: "EUR", cure: "statements close globex 2026-10" },
      { partner_id: "globex", currency: "USD", cure: "statements close globex 2026-10" },
    ]);
    expect(await read("2026-11", "")).toMatchObject({ is_over: false, not_closed: [] });
    await change("partners/globex/statements/close", { month: "2026-10" });
    await change("partners/acme/statements/close", { month: "2026-10" });
    const closed = await read("2026-10", "");
    expect(closed).toMatchObject({ is_over: true, not_closed: [] });
    // The next month has to be closed too, once it is over, although nothing moved in it.
    setTime(Date.parse("2026-12-01T00:20:00Z"));
    expect((await read("2026-11", "")).not_closed.map(({ partner_id, currency }: any) => [partner_id, currency])).toEqual([
      ["acme", "USD"],
      ["globex", "EUR"],
      ["globex", "USD"],
      ["initech", "USD"],
    ]);
    expect(closed.statements.map(({ partner_id, currency, closing }: any) => [partner_id, currency, closing])).toEqual([
      ["acme", "USD", 9.7],
      ["globex", "EUR", 9.7],
      ["globex", "USD", 19.7],
    ]);
    expect(closed.totals).toMatchObject([
      { currency: "EUR", payments: 10, fees: 0.3, closing: 9.7 },
      { currency: "USD", opening: 0, payments: 30, fees: 0.6, closing: 29.4 },
    ]);
    expect(closed.processor).toMatchObject([
      { currency: "EUR", payments: 10, fees: -0.3, change: 9.7, count: 1 },
      { currency: "USD", payments: 30, fees: -0.6, change: 29.4, count: 2 },
    ]);
  });

  it("are a file for a controller: a line for each sum", async () => {
    setTime(Date.parse("2026-11-20T12:00:00Z"));
    await book("acme", "a");
    await book("globex", "g");
    await change("partners/acme/statements/close", { month: "2026-10" });
    const file = async (query: string) => {
      const answer = await send(`/ops/books/months/2026-10?${query}`, {
        headers: { Authorization: "Bearer ops-local", "X-Operator": "Maria" },
      });
      expect(answer.headers.get("content-type")).toMatch(/^text\/csv/);
      return answer.text.replace("\uFEFF", "").split("\r\n");
    };
    const lines = await file("format=csv");
    expect(lines[0]).toBe('"month","book","name","currency","position","amount","statement","state"');
    expect(lines).toContain('"2026-10","processor","","USD","change",19.4,,');
    expect(lines).toContain('"2026-10","partner","acme","USD","closing",9.7,1,"closed"');
    expect(lines).toContain('"2026-10","partner","globex","USD","closing",,,"not closed"');
    expect(await file("format=csv&locale=de-DE")).toContain('"2026-10";"partner";"acme";"USD";"closing";9,7;1;"closed"');
  });

  it("is refused for what is no month", async () => {
    for (const wrong of ["2026-13", "2026-1", "october"]) expect((await ops(`books/months/${wrong}`)).status).toBe(400);
  });
});
