import { env } from "cloudflare:workers";
import { getTableColumns } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { movements as movementRows, orders } from "../../src/db/schema/index.ts";
import { keys, send } from "../support/api.ts";
import { change, ops } from "../support/ops.ts";
import { pay, quiet } from "../support/payments.ts";
import { isFull } from "../support/scale.ts";
import { rowsOf, updateRows } from "../support/tables.ts";
import { emptyHistory, type History, makeHistory } from "./history.ts";

/** A report says what the movements say, whatever happened, in every zone and however it is divided. */

const get = async (path: string, key: string = keys.acme) => (await send(path, { headers: { "X-Partner-Api-Key": key } })).body;
const setZone = async (time_zone: string) =>
  expect((await change("partners/acme/settings", { time_zone }, "PUT")).body).toMatchObject({ time_zone });
const report = (query: string) => get(`/partner/reports/sales?${query}`);

/** The calendar day of a time, by the runtime and not by the product. */
const dayOf = (at: number, zone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(at);

const DECIMALS: Record<string, number> = { JPY: 1 };
const minor = (major: number, currency: string) => Math.round(major * (DECIMALS[currency] ?? 100));

interface Expected {
  orders: number;
  gross: number;
  pending: number;
  refunds: number;
  disputes: number;
  fees: number;
}

function expected({ movements, bank, free }: History, isIn: (at: number) => boolean): Map<string, Expected> {
  const found = new Map<string, Expected>();
  const of = (currency: string, environment: string) => {
    const key = `${currency} ${environment}`;
    const known = found.get(key) ?? { orders: 0, gross: 0, pending: 0, refunds: 0, disputes: 0, fees: 0 };
    found.set(key, known);
    return known;
  };
  for (const { environment, type, status, amount, fee, currency, transactionDate } of movements.filter((row) =>
    isIn(row.transactionDate),
  )) {
    const sums = of(currency, environment);
    if (type === "processor_payment_in" && status === "completed") sums.orders += 1;
    const field = type?.includes("refund") === true ? "refunds" : type?.includes("dispute") === true ? "disputes" : "gross";
    sums[field] += amount;
    if (type === "processor_payment_in" && status === "pending") sums.pending += amount;
    sums.fees += fee ?? 0;
    expect(transactionDate).toBeGreaterThan(0);
  }
  for (const { environment, type, amount } of bank.filter((row) => isIn(row.transactionDate))) {
    const sums = of("RUB", environment);
    if (type === "bank_payment_in") sums.orders += 1;
    sums[type === "bank_payment_in" ? "gross" : "refunds"] += amount;
  }
  for (const { at, environment } of free) if (isIn(at)) of("USD", environment).orders += 1;
  return found;
}

const summed = (rows: readonly Record<string, any>[]) => {
  const found = new Map<string, Expected>();
  for (const row of rows) {
    const { currency } = row;
    const key = `${currency} ${row.environment}`;
    const sums = found.get(key) ?? { orders: 0, gross: 0, pending: 0, refunds: 0, disputes: 0, fees: 0 };
    sums.orders += row.orders;
    for (const field of ["gross", "pending", "refunds", "disputes", "fees"] as const) sums[field] += minor(row[field], currency);
    expect(minor(row.net, currency)).toBe(
      minor(row.gross, currency) + minor(row.refunds, currency) + minor(row.disputes, currency) - minor(row.fees, currency),
    );
    found.set(key, sums);
  }
  return found;
};

beforeEach(emptyHistory);

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 11, 31) };

const ZONES = [
  ["Europe/Berlin", 12],
  ["Australia/Lord_Howe", 15],
  ["UTC", 11],
  ["America/Sao_Paulo", 13],
  ["Asia/Kolkata", 14],
] as const;

describe.each(isFull ? ZONES : ZONES.slice(0, 2))("with the days of %s, a report of a random year", (zone, seed) => {
  it("equals the movements, in all and divided by anything", async () => {
    const history = await makeHistory({ ...YEAR, count: 120, seed });
    await setZone(zone);
    const [from, to] = ["2025-03-30", "2025-10-26"];
    const isIn = (at: number) => dayOf(at, zone) >= from && dayOf(at, zone) <= to;
    const truth = expected(history, isIn);
    const { totals, time_zone } = await report(`from=${from}&to=${to}`);
    expect(time_zone).toBe(zone);
    expect(summed(totals)).toEqual(truth);
    for (const by of ["day", "week", "month", "link", "method", "promotion_code", "environment", "currency", "day,link", "month,method"]) {
      const { rows } = await report(`from=${from}&to=${to}&by=${by}`);
      expect([by, summed(rows)]).toEqual([by, truth]);
    }
    // Divided by product an order counts for each of its products, and the amounts are shared without a rest.
    for (const by of ["product", "month,product"]) {
      const { rows } = await report(`from=${from}&to=${to}&by=${by}`);
      const withoutOrders = (sums: Map<string, Expected>) => new Map([...sums].map(([currency, sum]) => [currency, { ...sum, orders: 0 }]));
      expect([by, withoutOrders(summed(rows))]).toEqual([by, withoutOrders(truth)]);
    }
  });

  it("has each movement on its own day, also where a day has 23 or 25 hours", async () => {
    const history = await makeHistory({ ...YEAR, count: 80, seed: seed + 100 });
    await setZone(zone);
    const { rows } = await report("from=2025-01-01&to=2025-12-31&by=day");
    const days = new Set(rows.map(({ day }: { day: string }) => day));
    for (const day of days) {
      const truth = expected(history, (at) => dayOf(at, zone) === day);
      expect([day, summed(rows.filter((row: { day: string }) => row.day === day))]).toEqual([day, truth]);
    }
  });
});

describe("a report", () => {
  it.each([
    ["a month with the month before, whose days are others", "2025-10-01", "2025-10-31", "2025-09-01", "2025-09-30"],
    [
      "the beginning of a month with as much of the one before, and with none of its other days",
      "2025-10-01",
      "2025-10-12",
      "2025-09-01",
      "2025-09-12",
    ],
    ["some days with as many right before", "2025-10-06", "2025-10-12", "2025-09-29", "2025-10-05"],
  ])("compares %s", async (_what, from, to, first, last) => {
    const history = await makeHistory({ from: Date.UTC(2025, 8, 1), to: Date.UTC(2025, 10, 1), count: 60, seed: 5 });
    await setZone("UTC");
    const { previous, totals } = await report(`from=${from}&to=${to}`);
    expect(previous).toMatchObject({ from: first, to: last });
    const between = (begin: string, end: string) => (at: number) => dayOf(at, "UTC") >= begin && dayOf(at, "UTC") <= end;
    expect(summed(previous.totals)).toEqual(expected(history, between(first, last)));
    expect(summed(totals)).toEqual(expected(history, between(from, to)));
  });

  it("names a product as it was when it was last sold", async () => {
    const { movements } = await makeHistory({ ...YEAR, count: 60, seed: 21 });
    await setZone("UTC");
    const last = (await rowsOf(orders)).filter(({ items }) => items !== null);
    const soldAt = (id: string) => Math.max(...movements.filter((row) => row.paymentIntentId === id).map((row) => row.transactionDate));
    const newest = last
      .filter(({ id }) => soldAt(id) > 0)
      .toSorted((one, other) => soldAt(one.id) - soldAt(other.id))
      .at(-1);
    for (const { id, items } of last)
      await updateRows(orders, { items: items.replaceAll("A thing", id === newest?.id ? "Apple" : "Zebra") }, { id });
    const products: string[] = JSON.parse(newest?.items ?? "[]").map(([product]: [string]) => product);
    const { rows } = await report("from=2025-01-01&to=2025-12-31&by=product");
    expect(products.length).toBeGreaterThan(0);
    for (const { product, product_name: name, currency, environment } of rows)
      if (currency === newest?.currency && environment === newest?.environment && product !== null)
        expect([product, name]).toEqual([product, products.includes(product) ? "Apple" : "Zebra"]);
  });

  it("by link names what each sells, and by anything else no link", async () => {
    await setZone("UTC");
    await pay(["TestUsd1"]);
    await quiet();
    const { rows } = await report("environment=test&by=link,currency");
    expect(rows).toEqual([expect.objectContaining({ link: expect.stringMatching(/^plink_/), link_name: "acmeTestUsd1", orders: 1 })]);
    const own = (await ops("reports/sales?partner=acme&environment=test&by=day,link")).body.rows;
    expect(own).toEqual([expect.objectContaining({ link: rows[0].link, link_name: "acmeTestUsd1" })]);
    // Links of all partners are not named.
    expect((await ops("reports/sales?environment=test&by=link")).body.rows).toEqual([expect.objectContaining({ link_name: null })]);
    expect((await report("environment=test&by=day")).rows[0]).not.toHaveProperty("link_name");
  });

  it("by method has the name that people call it", async () => {
    await setZone("UTC");
    await pay(["TestUsd1"]);
    await quiet();
    const { rows } = await report("environment=test&by=method");
    expect(rows).toContainEqual(expect.objectContaining({ method: "card", method_name: "Card" }));
  });

  it("is of this month up to today, where nothing is said", async () => {
    await setZone("UTC");
    const today = new Date(Date.now()).toISOString().slice(0, 10);
    expect(await report("")).toMatchObject({ from: `${today.slice(0, 7)}-01`, to: today, rows: [], totals: [] });
  });

  it.each([
    ["from=2025-02-30", "must be a date"],
    ["from=2025-03-01&to=2025-02-01", "must not be after"],
    ["from=2020-01-01&to=2025-02-01", "1096 days at most"],
    ["by=day,week,month", "one or two of"],
    ["by=colour", "one or two of"],
    ["by=day,day", "one or two of"],
  ])("is refused for %s", async (query, why) => expect((await report(query)).error_message).toContain(why));

  it("is refused where it would have more rows than a report has", async () => {
    await setZone("UTC");
    await pay(["TestUsd1"]);
    await quiet();
    const names = Object.values(getTableColumns(movementRows)).map(({ name }) => name);
    const values = names.map((name) => ({ id: "'many_' || v", payment_link_id: "'plink_many_' || v" })[name] ?? name);
    const add = (from: number, to: number) =>
      env.CELL_1.prepare(
        `WITH RECURSIVE n (v) AS (SELECT ${from} UNION ALL SELECT v + 1 FROM n WHERE v < ${to})
          INSERT INTO movements (${names.join()}) SELECT ${values.join()} FROM n CROSS JOIN (SELECT * FROM movements WHERE environment = 'test' LIMIT 1)`,
      ).run();
    await add(1, limits.reports.rows - 1);
    expect((await report("environment=test&by=link")).rows).toHaveLength(limits.reports.rows);
    await add(limits.reports.rows, limits.reports.rows);
    expect((await report("environment=test&by=link")).error_message).toContain("by: there are more than 10,000 rows");
    expect((await report("environment=test&by=day")).rows).toHaveLength(1);
  });

  it("shows no partner another's sales", async () => {
    await makeHistory({ ...YEAR, count: 10, seed: 3 });
    expect((await get("/partner/reports/sales?from=2025-01-01&to=2025-12-31", keys.globex)).totals).toEqual([]);
  });
});
