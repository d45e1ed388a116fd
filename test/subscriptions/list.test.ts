import { beforeEach, describe, expect, it } from "vitest";
import { subscriptions } from "../../src/db/schema/index.ts";
import { storedPrices } from "../../src/subscriptions/items.ts";
import { keys, send } from "../support/api.ts";
import { ops } from "../support/ops.ts";
import { deleteRows, insertRow } from "../support/tables.ts";

/** The list of subscriptions: its count, what they bring a month, and its orders. */

const headers = { "X-Partner-Api-Key": keys.acme };
const list = async (query = "") => (await send(`/partner/subscriptions?environment=live${query}`, { headers })).body;
const report = async () => (await send("/partner/reports/subscriptions?environment=live", { headers })).body;
const idsOf = (body: { data: { subscription_id: string }[] }) => body.data.map(({ subscription_id }) => subscription_id.slice(4));

interface Terms {
  readonly amount: number;
  readonly interval?: string;
  readonly count?: number;
  readonly currency?: string;
}

async function subscribed(name: string, { amount, interval = "month", count = 1, currency = "EUR" }: Terms, more: object = {}) {
  const items = storedPrices([{ priceId: `price_${name}`, productId: "prod_1", quantity: 1, unitAmount: amount }]);
  await insertRow(subscriptions, {
    id: `sub_${name}`,
    partner_id: "acme",
    environment: "live",
    status: "active",
    started_at: 1,
    cancel_at_period_end: 0,
    items,
    currency,
    amount,
    interval,
    interval_count: count,
    updated_at: 0,
    ...more,
  });
}

beforeEach(() => deleteRows(subscriptions, { partner_id: "acme" }));

describe("the sums of a selection", () => {
  it("say what the subscriptions bring a month: yearly ones by twelve, quarterly ones by three", async () => {
    await subscribed("monthly", { amount: 10_00 });
    await subscribed("yearly", { amount: 120_00, interval: "year" });
    await subscribed("quarterly", { amount: 30_00, count: 3 });
    await subscribed("weekly", { amount: 12_00, interval: "week", currency: "USD" });
    const { count, sums } = await list();
    expect(count).toBe(4);
    expect(sums).toEqual([
      { environment: "live", currency: "EUR", subscriptions: 3, monthly: 30 },
      { environment: "live", currency: "USD", subscriptions: 1, monthly: 52 },
    ]);
  });

  it("are to the cent those of the report, which rounds after it has added", async () => {
    for (const name of ["a", "b", "c"]) await subscribed(name, { amount: 100_06, interval: "year" });
    await subscribed("odd", { amount: 9_99, interval: "day", count: 7 });
    const [{ monthly }] = (await list()).sums;
    expect((await report()).totals).toEqual([{ environment: "live", currency: "EUR", active: 4, monthly }]);
    await deleteRows(subscriptions, { id: "sub_odd" });
    // Three times 8.34 would be 25.02.
    expect((await list()).sums).toEqual([{ environment: "live", currency: "EUR", subscriptions: 3, monthly: 25.02 }]);
    await deleteRows(subscriptions, { id: "sub_c" });
    expect((await list()).sums[0].monthly).toBe(16.68);
  });

  it("count a trial and one that has ended, and no money of them; one that ends brings money until then", async () => {
    await subscribed("trial", { amount: 10_00 }, { status: "trialing" });
    await subscribed("over", { amount: 10_00 }, { status: "canceled", cancel_at_period_end: 1, ended_at: 2 });
    await subscribed("leaving", { amount: 10_00 }, { status: "trialing", cancel_at_period_end: 1 });
    await subscribed("unpaid", { amount: 10_00 }, { status: "unpaid", cancel_at: 9 });
    await subscribed("ending", { amount: 11_00 }, { cancel_at_period_end: 1 });
    await subscribed("late", { amount: 12_00 }, { status: "past_due" });
    expect((await list()).sums).toEqual([{ environment: "live", currency: "EUR", subscriptions: 6, monthly: 23 }]);
    expect((await list("&state=ending")).sums).toEqual([{ environment: "live", currency: "EUR", subscriptions: 3, monthly: 11 }]);
    expect((await report()).totals).toEqual([{ environment: "live", currency: "EUR", active: 4, monthly: 23 }]);
  });

  it("never add test money to live money, nor does the report", async () => {
    await subscribed("live", { amount: 10_00 });
    await subscribed("test", { amount: 3_00 }, { environment: "test" });
    const both = await Promise.all(["subscriptions", "reports/subscriptions"].map((path) => send(`/partner/${path}`, { headers })));
    const [listed, reported] = both.map(({ body }) => body);
    const each = [
      { environment: "live", currency: "EUR", monthly: 10 },
      { environment: "test", currency: "EUR", monthly: 3 },
    ];
    expect(listed.sums).toMatchObject(each);
    expect(reported.totals).toMatchObject(each);
    expect(reported.rows).toMatchObject(each);
  });

  it("are those of the report where a price is not known, which brings nothing in both", async () => {
    const priced = { priceId: "price_a", productId: "prod_1", quantity: 1, unitAmount: 10_00 };
    const tiered = { ...priced, priceId: "price_b", unitAmount: null };
    await subscribed("known", { amount: 10_00 });
    await subscribed("tiered", { amount: 0 }, { amount: null, items: storedPrices([tiered]) });
    await subscribed("mixed", { amount: 0 }, { amount: null, items: storedPrices([priced, { ...tiered, productId: "prod_2" }]) });
    expect((await list()).sums).toEqual([{ environment: "live", currency: "EUR", subscriptions: 3, monthly: 10 }]);
    expect((await report()).totals).toEqual([{ environment: "live", currency: "EUR", active: 3, monthly: 10 }]);
  });

  it("leave out what has no known price, which is counted", async () => {
    await subscribed("unknown", { amount: 0 }, { currency: null, amount: null, interval: null, interval_count: null, items: "[]" });
    const body = await list();
    expect([body.count, body.sums, body.data[0].amount]).toEqual([1, [], null]);
  });
});

describe("the orders of the list", () => {
  beforeEach(async () => {
    await subscribed("small", { amount: 5_00 }, { started_at: 3, current_period_end: 30 });
    await subscribed("large", { amount: 50_00 }, { started_at: 1, current_period_end: 20 });
    await subscribed("yen", { amount: 900, currency: "JPY" }, { started_at: 2, current_period_end: 10 });
  });

  it.each([
    ["-started_at", ["small", "yen", "large"]],
    ["started_at", ["large", "yen", "small"]],
    ["-amount", ["yen", "large", "small"]],
    ["amount", ["small", "large", "yen"]],
    ["next_at", ["yen", "large", "small"]],
  ])("%s", async (sort, wanted) => {
    expect(idsOf(await list(`&sort=${sort}`))).toEqual(wanted);
    const first = await list(`&sort=${sort}&limit=2`);
    expect([...idsOf(first), ...idsOf(await list(`&sort=${sort}&limit=2&cursor=${first.next}`))]).toEqual(wanted);
  });

  it("next_at is by the next charge, or the end, as each is shown, whatever its state", async () => {
    await deleteRows(subscriptions, { partner_id: "acme" });
    let count = 0;
    for (const status of ["active", "trialing", "past_due", "unpaid", "canceled", "incomplete"])
      for (const cancel_at of [null, 15, 25])
        for (const [cancel_at_period_end, collection_paused, current_period_end] of [
          [0, 0, 20],
          [1, 0, 20],
          [0, 1, 20],
          [0, 0, null],
        ]) {
          count += 1;
          const more = { status, cancel_at, cancel_at_period_end, collection_paused, current_period_end };
          await subscribed(`${count}`, { amount: 1 }, { ...more, id: `sub_${String(count).padStart(3, "0")}` });
        }
    const shown = async (sort: string) => {
      const { data } = await list(`&sort=${sort}&limit=100`);
      return data.map((row: { next_charge_at: string | null; ends_at: string | null }) =>
        Date.parse(row.next_charge_at ?? row.ends_at ?? "1970-01-01"),
      );
    };
    const [up, down] = [await shown("next_at"), await shown("-next_at")];
    expect([up.length, new Set(up)]).toEqual([72, new Set([15, 20, 25, 0])]);
    // What has none stands at the end in both directions.
    const last = (time: number) => time || Number.POSITIVE_INFINITY;
    expect(up).toEqual(up.toSorted((one: number, other: number) => last(one) - last(other)));
    expect(down).toEqual(down.toSorted((one: number, other: number) => other - one));
  });

  it("of all partners is the one by the start alone", async () => {
    expect((await ops("subscriptions?environment=live&sort=amount")).body.error).toBe("sort: needs `partner`");
    expect(idsOf((await ops("subscriptions?environment=live&sort=amount&partner=acme")).body)).toEqual(["small", "large", "yen"]);
    expect((await ops("subscriptions?environment=live")).body.count).toBeGreaterThanOrEqual(3);
  });
});
