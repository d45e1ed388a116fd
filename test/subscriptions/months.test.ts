import { beforeEach, describe, expect, it } from "vitest";
import { subscriptions } from "../../src/db/schema/index.ts";
import { joinMonths } from "../../src/subscriptions/summary.ts";
import { keys, send } from "../support/api.ts";
import { change } from "../support/ops.ts";
import { pay, quiet } from "../support/payments.ts";
import { control } from "../support/stack.ts";
import { deleteRows, insertRow, rowOf } from "../support/tables.ts";

/** How many subscriptions began, ended and stayed in each month of the partner's zone. */

const NOW = new Date();
/** The first of the month so many months ago, UTC. */
const month = (ago: number, day = 1, hour = 0) => Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - ago, day, hour);
const nameOf = (ago: number) => new Date(month(ago)).toISOString().slice(0, 7);
let count = 0;

async function subscribed(started: number, ended: number | null, more: object = {}): Promise<void> {
  count += 1;
  await insertRow(subscriptions, {
    id: `sub_month_${count}`,
    partner_id: "acme",
    environment: "live",
    status: ended === null ? "active" : "canceled",
    started_at: started,
    ended_at: ended,
    cancel_at_period_end: 0,
    updated_at: 0,
    ...more,
  });
}

const report = async (query = "environment=live") =>
  (await send(`/partner/reports/subscriptions?${query}`, { headers: { "X-Partner-Api-Key": keys.acme } })).body;
const monthOf = async (ago: number, query?: string) => {
  const { months } = await report(query);
  const { month: _, ...counts } = months.find((one: { month: string }) => one.month === nameOf(ago));
  return counts;
};

beforeEach(async () => {
  await deleteRows(subscriptions, { partner_id: "acme" });
  await change("partners/acme/settings", { time_zone: "UTC" }, "PUT");
});

describe("the report of subscriptions", () => {
  it("has thirteen months, the oldest first, each also where nothing happened", async () => {
    const { months, time_zone } = await report();
    expect(time_zone).toBe("UTC");
    expect(months.map((one: { month: string }) => one.month)).toEqual(Array.from({ length: 13 }, (_, index) => nameOf(12 - index)));
    expect(months.every((one: object) => JSON.stringify(one).includes('"started":0,"ended":0,"kept":0'))).toBe(true);
  });

  it("counts the month of a start and of an end, and keeps what ran from its beginning to its end", async () => {
    await subscribed(month(3, 10), null);
    await subscribed(month(3, 10), month(1, 5));
    await subscribed(month(2), month(2, 20));
    expect(await monthOf(4)).toEqual({ started: 0, ended: 0, kept: 0 });
    expect(await monthOf(3)).toEqual({ started: 2, ended: 0, kept: 0 });
    expect(await monthOf(2)).toEqual({ started: 1, ended: 1, kept: 2 });
    expect(await monthOf(1)).toEqual({ started: 0, ended: 1, kept: 1 });
    expect(await monthOf(0)).toEqual({ started: 0, ended: 0, kept: 1 });
  });

  it.each([
    ["the first moment of a month belongs to it", month(2), { started: 1, ended: 0, kept: 0 }],
    ["the moment before does not", month(2) - 1, { started: 0, ended: 0, kept: 1 }],
  ])("%s", async (_, started, counts) => {
    await subscribed(started, null);
    expect(await monthOf(2)).toEqual(counts);
  });

  it("an end at the first moment of the next month has kept this one", async () => {
    await subscribed(month(4), month(2));
    expect(await monthOf(3)).toEqual({ started: 0, ended: 0, kept: 1 });
    expect(await monthOf(2)).toEqual({ started: 0, ended: 1, kept: 0 });
  });

  it("has the months of the partner's zone", async () => {
    await subscribed(month(2) - 3_600_000, null);
    expect(await monthOf(2)).toMatchObject({ started: 0 });
    await change("partners/acme/settings", { time_zone: "Europe/Berlin" }, "PUT");
    expect(await monthOf(2)).toMatchObject({ started: 1 });
  });

  it("leaves out what never began, the other environment and other partners", async () => {
    await subscribed(month(1), null, { status: "incomplete" });
    await subscribed(month(1), month(1, 2), { status: "incomplete_expired" });
    await subscribed(month(1), null, { environment: "test" });
    await subscribed(month(1), null, { partner_id: "globex" });
    expect(await monthOf(1)).toEqual({ started: 0, ended: 0, kept: 0 });
    expect(await monthOf(1, "")).toMatchObject({ started: 1 });
  });

  it("knows the start and the end from the processor", async () => {
    const { subscription = "" } = await pay(["TestMonthly"]);
    await quiet();
    const begun = await rowOf(subscriptions, { id: subscription });
    expect([Math.abs(Number(begun?.started_at) - Date.now()) < 60_000, begun?.ended_at]).toEqual([true, null]);
    await control("/end-subscription", { subscription });
    await quiet();
    expect(Number(await rowOf(subscriptions, { id: subscription }).then((row) => row?.ended_at))).toBeGreaterThan(0);
    expect(await monthOf(0, "environment=test")).toEqual({ started: 1, ended: 1, kept: 0 });
  });
});

it("counts of several cells are joined by month", () => {
  const one = { started: 1, ended: 2, kept: 3 };
  expect(
    joinMonths([
      [{ month: "2026-02", ...one }],
      [
        { month: "2026-01", ...one },
        { month: "2026-02", ...one },
      ],
      [],
    ]),
  ).toEqual([
    { month: "2026-01", started: 1, ended: 2, kept: 3 },
    { month: "2026-02", started: 2, ended: 4, kept: 6 },
  ]);
});
