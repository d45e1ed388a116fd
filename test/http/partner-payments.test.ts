import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { connectCell, runBatch } from "../../src/db/client.ts";
import { insertRows } from "../../src/db/insert-rows.ts";
import { movements, paymentLinks } from "../../src/db/schema/index.ts";
import { keys, send } from "../support/api.ts";
import { cellOf } from "../support/cells.ts";
import { SANDBOX } from "../support/stack.ts";

/** Partners search their own money movements. */

const get = (query: string, key: string = keys.acme) =>
  send(`/partner/payments?environment=test&${query}`, { headers: { "X-Partner-Api-Key": key } });
const idsOf = async (query: string, key?: string) =>
  (await get(query, key)).body.data.map(({ id }: { id: string }) => id.replace("processor:", ""));

const day = (number: number) => Date.UTC(2026, 9, number);

type Row = typeof movements.$inferInsert;
const movement = (id: string, at: number, some: Partial<Row> = {}): Row => ({
  id: `processor:${id}`,
  partnerId: "acme",
  environment: "test",
  amount: 1900,
  fee: 85,
  net: 1815,
  currency: "USD",
  status: "completed",
  type: "processor_payment_in",
  transactionDate: at,
  isSubscription: false,
  clientReferenceId: null,
  paymentIntentId: `pi_${id}`,
  paymentLinkId: null,
  subscriptionId: null,
  updatedAt: at,
  ...some,
});

beforeAll(async () => {
  const rows = [
    movement("one", day(1), { clientReferenceId: "order-1", paymentLinkId: "plink_1" }),
    movement("two", day(2), { amount: 2900, paymentLinkId: "plink_1" }),
    movement("refund", day(3), {
      amount: -2900,
      status: "refunded",
      type: "processor_refund",
      paymentIntentId: "pi_two",
      paymentLinkId: "plink_1",
    }),
    movement("yen", day(4), { amount: 1900, currency: "JPY", subscriptionId: "sub_1", isSubscription: true }),
    movement("other", day(4), { type: null, paymentIntentId: null }),
    movement("live", day(4), { environment: "live", clientReferenceId: "order-1" }),
    movement("stray", day(1) - 1, { currency: "EUR", paymentLinkId: "plink_foreign" }),
    movement("foreign", day(4), { partnerId: "globex", clientReferenceId: "order-1", paymentLinkId: "plink_1", paymentIntentId: "pi_two" }),
  ];
  const cell = connectCell(cellOf("acme"));
  const link = {
    environment: "test",
    source: "cart",
    currency: "USD",
    mode: "one_time",
    url: `${SANDBOX}/checkout/x`,
    createdAt: 1,
  } as const;
  const links = [
    { ...link, id: "plink_1", partnerId: "acme" },
    { ...link, id: "plink_foreign", partnerId: "globex" },
  ];
  await runBatch(cell, [insertRows(cell, movements, rows), insertRows(cell, paymentLinks, links)]);
});

describe("a search of payments", () => {
  it("lists the movements of one environment of one's own, newest first, as operation 5 shows them", async () => {
    const { status, body } = await get("");
    expect([status, body.next]).toEqual([200, null]);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(
      ["yen", "other", "refund", "two", "one", "stray"].map((id) => `processor:${id}`),
    );
    expect(body.data[2]).toMatchObject({ amount: -29, currency: "USD", status: "refunded", type: "processor_refund" });
    expect(await idsOf("", keys.globex)).toEqual(["foreign"]);
  });

  it.each([
    ["reference=order-1", ["one"]],
    ["payment=pi_two", ["refund", "two"]],
    ["link=plink_1", ["refund", "two", "one"]],
    ["link=plink_1&reference=order-1", ["one"]],
    ["payment=pi_two&link=plink_none", []],
    // Another partner's link, though a movement of ours names it, is no way to it.
    ["link=plink_foreign", []],
    ["payment=pi_two&reference=order-1", []],
    ["subscription=sub_1", ["yen"]],
    ["status=refunded", ["refund"]],
    ["type=processor_payment_in", ["yen", "two", "one", "stray"]],
    ["kind=payment", ["yen", "other", "two", "one", "stray"]],
    ["kind=refund", ["refund"]],
    ["currency=jpy", ["yen"]],
    ["currency=USD&amount_from=29", ["refund", "two"]],
    ["currency=USD&amount_from=19&amount_to=28.99", ["other", "one"]],
    ["currency=JPY&amount_from=1900", ["yen"]],
    ["currency=JPY&amount_from=1901", []],
    ["since=2026-10-02&until=2026-10-03T00:00:00Z", ["two"]],
    ["until=2026-10-02", ["two", "one", "stray"]],
    ["until=2026-10-01", ["one", "stray"]],
    ["until=2026-10-02T00:00:00Z", ["one", "stray"]],
  ])("%s", async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  it("goes on at the cursor, also with a filter", async () => {
    for (const filter of ["", "&link=plink_1", "&currency=USD"]) {
      const whole = await idsOf(filter.slice(1));
      const paged: string[] = [];
      for (let cursor = ""; ; ) {
        const { body } = await get(`limit=1${filter}${cursor === "" ? "" : `&cursor=${cursor}`}`);
        paged.push(...body.data.map(({ id }: { id: string }) => id.replace("processor:", "")));
        if (body.next === null) break;
        cursor = body.next;
      }
      expect([filter, paged]).toEqual([filter, whole]);
    }
  });

  it.each([
    ["amount_from=1", "amount_from: needs `currency`, such as USD"],
    ["amount_to=1", "amount_to: needs `currency`, such as USD"],
    ["currency=US", "currency: must be a currency of three letters, such as USD"],
    ["amount_from=x&currency=USD", "amount_from: must be a number"],
    ["amount_from=-1&currency=USD", "amount_from: must not be negative"],
  ])("refuses %s", async (query, message) => {
    expect((await get(query)).body).toMatchObject({ error_code: "INVALID_INPUT", error_message: message });
  });
});

describe("the kind of a movement", () => {
  const row = (type: Row["type"], amount: number) => movement(`of-globex-${type}`, day(9), { partnerId: "globex", type, amount });

  it("is that of what it reverses, and a payment where it is not known", async () => {
    const rows = [
      row("processor_payment_in", 900),
      row("processor_payment_failure", -100),
      row("processor_refund", -300),
      row("processor_refund_failure", 100),
      row("processor_dispute_freeze", -400),
      row("processor_dispute_return", 150),
      row(null, 7),
    ];
    const cell = connectCell(cellOf("globex"));
    await runBatch(cell, [insertRows(cell, movements, rows)]);
    const sumOf = async (kind: string) => (await get(`since=2026-10-09&until=2026-10-09&kind=${kind}`, keys.globex)).body.sums[0];
    const fees = { environment: "test", currency: "USD", fee: expect.any(Number), net: expect.any(Number) };
    expect(await Promise.all(["payment", "refund", "dispute"].map(sumOf))).toEqual([
      { ...fees, movements: 3, amount: 8.07 },
      { ...fees, movements: 2, amount: -2 },
      { ...fees, movements: 2, amount: -2.5 },
    ]);
    const report = await send("/partner/reports/sales?from=2026-10-09&to=2026-10-09&environment=test", {
      headers: { "X-Partner-Api-Key": keys.globex },
    });
    expect(report.body.totals).toMatchObject([{ gross: 8.07, refunds: -2, disputes: -2.5 }]);
    for (const { id } of rows) await cell.delete(movements).where(eq(movements.id, id));
  });
});

describe("a selection of movements", () => {
  it("is counted and summed by settlement currency, whatever the page, and the sums are signed", async () => {
    const { body } = await get("limit=1&currency=USD");
    expect(body.data).toHaveLength(1);
    expect([body.count, body.sums]).toEqual([4, [{ environment: "test", currency: "USD", movements: 4, amount: 38, fee: 3.4, net: 34.6 }]]);
    const all = (await get("")).body;
    expect([all.count, all.sums.map(({ currency }: { currency: string }) => currency)]).toEqual([6, ["EUR", "JPY", "USD"]]);
    expect(all.sums[1]).toEqual({ environment: "test", currency: "JPY", movements: 1, amount: 1900, fee: 85, net: 1815 });
    expect((await get("reference=none")).body).toMatchObject({ count: 0, sums: [] });
  });

  it("is summed by environment, too: test money is never added to live money", async () => {
    const cell = connectCell(cellOf("acme"));
    const own = { currency: "NOK", environment: "live" } as const;
    await runBatch(cell, [
      insertRows(cell, movements, [movement("krone-live", day(2), own), movement("krone-test", day(2), { currency: "NOK" })]),
    ]);
    const { body } = await send("/partner/payments?currency=NOK", { headers: { "X-Partner-Api-Key": keys.acme } });
    await cell.delete(movements).where(eq(movements.currency, "NOK"));
    expect(body.sums).toMatchObject([
      { environment: "live", movements: 1 },
      { environment: "test", movements: 1 },
    ]);
  });

  it("has no net where a fee is not known", async () => {
    const cell = connectCell(cellOf("acme"));
    await runBatch(cell, [insertRows(cell, movements, [movement("without-fee", day(2), { currency: "GBP", fee: null, net: null })])]);
    const { sums } = (await get("currency=GBP")).body;
    await cell.delete(movements).where(eq(movements.currency, "GBP"));
    expect(sums).toEqual([{ environment: "test", currency: "GBP", movements: 1, amount: 19, fee: null, net: null }]);
  });

  it.each([
    ["amount", ["refund", "stray", "other", "one", "yen", "two"]],
    ["-transaction_date", ["yen", "other", "refund", "two", "one", "stray"]],
    ["transaction_date", ["stray", "one", "two", "refund", "other", "yen"]],
  ])("sorted by %s is whole over its pages", async (sort, wanted) => {
    const ids: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await get(`limit=2&sort=${sort}${cursor}`);
      expect(body.count).toBe(6);
      ids.push(...body.data.map(({ id }: { id: string }) => id.replace("processor:", "")));
      if (body.next === null) break;
      cursor = `&cursor=${encodeURIComponent(body.next)}`;
    }
    expect(ids.toSorted()).toEqual(wanted.toSorted());
    const at = (id: string) => wanted.indexOf(id);
    // Equal amounts may stand in any order.
    if (sort === "amount") expect([at(ids[0] ?? ""), ids.at(-1)]).toEqual([0, "yen"]);
    else expect(ids).toEqual(wanted);
  });

  it("refuses a cursor of another order, and an order that it has not", async () => {
    const { next } = (await get("limit=1&sort=amount")).body;
    expect((await get(`sort=-amount&cursor=${encodeURIComponent(next)}`)).body.error_message).toContain("another `sort`");
    expect((await get(`cursor=${encodeURIComponent(next)}`)).status).toBe(400);
    expect((await get("sort=net")).status).toBe(400);
  });

  it("has what follows a payment within one second after it", async () => {
    const cell = connectCell(cellOf("acme"));
    const of = { clientReferenceId: "one-second", currency: "CHF" };
    const rows = [
      movement("a-failure", day(9), { ...of, type: "processor_refund_failure" }),
      movement("b-refund", day(9), { ...of, type: "processor_refund" }),
      movement("c-payment", day(9), of),
    ];
    await runBatch(cell, [insertRows(cell, movements, rows)]);
    const { data } = (await get("reference=one-second&sort=transaction_date")).body;
    await cell.delete(movements).where(eq(movements.currency, "CHF"));
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      "processor_payment_in",
      "processor_refund",
      "processor_refund_failure",
    ]);
  });

  it("has what came through a link that this service did not make, as the order's page leads there", async () => {
    const cell = connectCell(cellOf("acme"));
    const own = { currency: "SEK", paymentLinkId: "plink_madeByHand" };
    await runBatch(cell, [insertRows(cell, movements, [movement("by-hand", day(2), own)])]);
    const { body } = await get("link=plink_madeByHand");
    const foreign = (await get("link=plink_madeByHand", keys.globex)).body;
    await cell.delete(movements).where(eq(movements.currency, "SEK"));
    expect([body.count, body.data.map(({ id }: { id: string }) => id)]).toEqual([1, ["processor:by-hand"]]);
    expect([foreign.count, foreign.data]).toEqual([0, []]);
  });

  it("has nothing of another partner's, also by a link that is not one's own", async () => {
    expect((await get("", keys.globex)).body).toMatchObject({
      count: 1,
      sums: [{ environment: "test", currency: "USD", movements: 1, amount: 19 }],
    });
    // Evidence that contradicts itself: the movement is acme's, the link is another partner's.
    expect((await get("link=plink_foreign")).body).toEqual(expect.objectContaining({ data: [], count: 0, sums: [] }));
  });

  it("of all partners is summed, and sorted only for one", async () => {
    const ops = { headers: { Authorization: "Bearer ops-local" } };
    expect((await send("/ops/payments?environment=test&currency=USD", ops)).body.count).toBe(5);
    expect((await send("/ops/payments?environment=test&sort=amount", ops)).body.error).toContain("needs `partner`");
    expect((await send("/ops/payments?environment=test&sort=amount&partner=globex", ops)).body.data).toHaveLength(1);
  });
});
