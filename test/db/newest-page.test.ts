import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectCell } from "../../src/db/client.ts";
import type { PageKey } from "../../src/db/page-key.ts";
import { paymentLinks } from "../../src/db/schema/index.ts";
import { linkSelections } from "../../src/links/list-links.ts";
import { cellDeps } from "../support/cells.ts";
import { HOUR } from "../support/later.ts";
import { emptyTables } from "../support/tables.ts";

/** Pages of lists: of several partners, which look back in windows of time, and of one. */

const { db } = cellDeps();
const other = connectCell(env.SECOND_CELL);
const NOW = 100_000 * HOUR;
const ALL = { each: <Answer>(ask: (own: { db: typeof db }) => Promise<Answer>) => Promise.all([ask({ db }), ask({ db: other })]) };

beforeAll(() => applyD1Migrations(env.SECOND_CELL, env.CELL_MIGRATIONS));
beforeEach(async () => {
  await emptyTables(paymentLinks);
  await other.delete(paymentLinks);
});

describe("one partner's search", () => {
  it("looks at 20,000 rows for a page, and goes on behind them", async () => {
    const numbers = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)";
    await env.CELL_1.prepare(
      `${numbers} INSERT INTO payment_links (id, partner_id, environment, source, currency, mode, url, created_at)
      SELECT printf('plink_%05d', n), 'acme', 'test', 'cart', 'EUR', 'one_time', '', 1000 + n FROM numbers`,
    ).run();
    await store({ id: "plink_wanted", at: 1000, isDisabled: true });
    const list = { partnerId: "acme", environment: "test", limit: 10 } as const;
    const ask = (before: PageKey | undefined) =>
      linkSelections.newest(ALL, { ...list, before }, { state: { wanted: "disabled", now: NOW } });
    const first = await ask(undefined);
    expect(first).toEqual({ rows: [], next: { at: 1001, id: "plink_00001" } });
    expect(await ask(first.next ?? undefined)).toMatchObject({ rows: [{ id: "plink_wanted" }], next: null });
  });
});

interface Stored {
  readonly id: string;
  readonly at: number;
  readonly partner?: string;
  readonly isDisabled?: boolean;
  readonly in?: typeof db;
}

async function store(...links: readonly Stored[]): Promise<void> {
  const of = { environment: "test", source: "cart", currency: "EUR", mode: "one_time", url: "https://checkout.example/x" } as const;
  for (const { id, at, partner = "acme", isDisabled = false, in: into = db } of links) {
    await into.insert(paymentLinks).values({
      ...of,
      id,
      partnerId: partner,
      createdAt: at,
      disabledAt: isDisabled ? at : null,
      disabledBy: isDisabled ? "partner" : null,
    });
  }
}

interface Asked {
  readonly limit: number;
  readonly before?: PageKey | undefined;
  readonly isDisabled?: boolean;
  readonly ids?: readonly string[];
  readonly period?: { readonly from: number; readonly to: number };
}

async function page({ limit, before, isDisabled, ids = ["acme", "globex"], period }: Asked) {
  const list = { partnerId: { ids, now: NOW }, environment: "test", limit, before, ...(period && { period }) } as const;
  const { rows, next } = await linkSelections.newest(ALL, list, isDisabled === true ? { state: { wanted: "disabled", now: NOW } } : {});
  return { ids: rows.map(({ id }) => id), next };
}

/** The ids of all pages, page by page. */
async function pages(asked: Asked): Promise<string[][]> {
  const all: string[][] = [];
  let before: PageKey | undefined;
  do {
    const { ids, next } = await page({ ...asked, before });
    all.push(ids);
    before = next ?? undefined;
  } while (before !== undefined && all.length < 50);
  return all;
}

describe("a list of several partners", () => {
  it("has every row once, newest first, however far apart they are", async () => {
    const ages = [0, 1, 2, 8, 9, 64, 65, 512, 513, 4096, 4097, 50_000];
    const links = ages.map((age, index) => ({
      id: `plink_${String(index).padStart(2, "0")}`,
      at: NOW - age * HOUR,
      partner: index % 2 === 0 ? "acme" : "globex",
      in: index % 3 === 0 ? other : db,
    }));
    await store(...links);
    for (const limit of [1, 2, 3, 5, 12, 100]) expect((await pages({ limit })).flat()).toEqual(links.map(({ id }) => id));
  });

  it("fills a page before it ends it: what is older comes by a wider window", async () => {
    await store({ id: "plink_new", at: NOW }, { id: "plink_old", at: NOW - 40_000 * HOUR });
    expect(await page({ limit: 2 })).toEqual({ ids: ["plink_new", "plink_old"], next: null });
  });

  it("has rows of one time once each, across pages and cells", async () => {
    const links = ["a", "b", "c", "d"].map((name, index) => ({ id: `plink_${name}`, at: NOW - HOUR, in: index < 2 ? db : other }));
    await store(...links);
    expect((await pages({ limit: 1 })).flat()).toEqual(["plink_d", "plink_c", "plink_b", "plink_a"]);
  });

  it("has what a clock that runs ahead has stored, and no row of a partner that was not asked for", async () => {
    await store({ id: "plink_ahead", at: NOW + HOUR }, { id: "plink_mine", at: NOW }, { id: "plink_other", at: NOW, partner: "initech" });
    expect(await page({ limit: 5 })).toEqual({ ids: ["plink_ahead", "plink_mine"], next: null });
    expect((await page({ limit: 5, ids: ["globex"] })).ids).toEqual([]);
  });

  it("has the rows of a period alone: its start belongs to it, its end does not", async () => {
    await store(...[1, 2, 3, 4].map((age) => ({ id: `plink_${age}`, at: NOW - age * HOUR })));
    const period = { from: NOW - 3 * HOUR, to: NOW - HOUR };
    expect((await pages({ limit: 1, period })).flat()).toEqual(["plink_2", "plink_3"]);
    expect(await page({ limit: 9, period })).toEqual({ ids: ["plink_2", "plink_3"], next: null });
  });

  it("ends a search of many rows early, and goes on with the next page", async () => {
    const columns = "id, partner_id, environment, source, currency, mode, url, created_at";
    await env.CELL_1.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       INSERT INTO payment_links (${columns}) SELECT 'plink_' || i, 'acme', 'test', 'cart', 'EUR', 'one_time', 'x', ${NOW} - i FROM n`,
    ).run();
    await store({ id: "plink_wanted", at: NOW - 5 * HOUR, isDisabled: true });
    expect(await page({ limit: 5, isDisabled: true })).toEqual({ ids: [], next: { at: NOW - HOUR, id: "" } });
    expect(await pages({ limit: 5, isDisabled: true })).toEqual([[], ["plink_wanted"]]);
  });
});
