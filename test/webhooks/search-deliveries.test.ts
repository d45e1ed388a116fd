import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cellCodeOf } from "../../src/core/cell-code.ts";
import { connectCell } from "../../src/db/client.ts";
import { PartnerData } from "../../src/db/partner-data.ts";
import { type DeliveryFilter, deliverySelections } from "../../src/webhooks/admin/search-deliveries.ts";

/** A search over a partner that was split by time: its rows are in two cells. */

const [FIRST, SECOND] = [cellCodeOf(1), cellCodeOf(2)];
const databases = { [FIRST]: env.CELL_1, [SECOND]: env.SECOND_CELL };
const data = new PartnerData({ cell: SECOND, earlier: [{ cell: FIRST, until: 0 }] }, (cell) => ({
  db: connectCell(databases[cell as keyof typeof databases] ?? env.CELL_1),
}));
type Search = DeliveryFilter & { readonly from: number; readonly to: number };
const ALL: Search = { from: 0, to: Number.MAX_SAFE_INTEGER, state: undefined, name: undefined };

beforeAll(async () => {
  await applyD1Migrations(env.SECOND_CELL, env.CELL_MIGRATIONS);
  await fill(env.CELL_1, 0, 2_500, "old");
  await fill(env.SECOND_CELL, 2_500, 3_000, "new");
  // One is being copied, and is in both. One is rare, and older than all others.
  await insert(env.SECOND_CELL, "evt_old_2499", 2_499, "often");
  await insert(env.CELL_1, "evt_rare", -1, "rare");
});

// The rows are not events of ours.
afterAll(() => Promise.all(Object.values(databases).map((db) => db.exec("DELETE FROM events WHERE partner_id = 'split' -- by the test"))));

const statement = (db: D1Database, id: string, at: number, name: string, state: string) =>
  db
    .prepare(
      "INSERT INTO events (id, partner_id, environment, name, cause, payload, endpoint_id, state, next_attempt_at, created_at) VALUES (?1, 'split', 'test', ?2, ?1, '{}', 'ep_split_test', ?4, 0, ?3) -- by the test",
    )
    .bind(id, name, at, state);
const insert = (db: D1Database, id: string, at: number, name: string) => statement(db, id, at, name, "succeeded").run();

async function fill(db: D1Database, from: number, to: number, called: string) {
  for (let begin = from; begin < to; begin += 500)
    await db.batch(
      Array.from({ length: 500 }, (_, index) => {
        const at = begin + index;
        return statement(db, `evt_${called}_${at}`, at, "often", at % 10 === 0 ? "exhausted" : "succeeded");
      }),
    );
}

type Key = { readonly at: number; readonly id: string } | undefined;

const search = ({ from, to, ...filter }: Search, limit: number, before: Key) =>
  deliverySelections.newest(data, { partnerId: "split", environment: "test", period: { from, to }, limit, before }, filter);

async function everyPage(wanted: Search, limit: number) {
  const ids: string[] = [];
  let pages = 0;
  for (let page = await search(wanted, limit, undefined); ; page = await search(wanted, limit, page.next ?? undefined)) {
    pages += 1;
    ids.push(...page.rows.map(({ deliveryId }) => deliveryId));
    if (page.next === null) return { ids, pages };
  }
}

it("finds every event once, the newest first, in pages that are full", async () => {
  const { ids, pages } = await everyPage({ ...ALL, from: 2_400, to: 2_600 }, 30);
  const wanted = Array.from({ length: 200 }, (_, index) => 2_599 - index).map((at) => `evt_${at < 2_500 ? "old" : "new"}_${at}`);
  expect(ids).toEqual(wanted);
  expect(pages).toBe(7);
});

it("finds those of a state that has an index, however rare they are", async () => {
  const { ids, pages } = await everyPage({ ...ALL, state: "exhausted", from: 0 }, 100);
  expect(ids).toEqual(Array.from({ length: 300 }, (_, index) => 2_990 - 10 * index).map((at) => `evt_${at < 2_500 ? "old" : "new"}_${at}`));
  expect(pages).toBeLessThanOrEqual(4);
});

it("finds what is behind all else, in one page", async () => {
  const { ids, pages } = await everyPage({ ...ALL, from: -10, name: "rare" }, 10);
  expect([ids, pages]).toEqual([["evt_rare"], 1]);
});

it("finds those of a kind and a state that has an index", async () => {
  expect((await everyPage({ ...ALL, state: "exhausted", name: "rare", from: -10 }, 10)).ids).toEqual([]);
  expect((await everyPage({ ...ALL, state: "exhausted", name: "often", from: 2_980 }, 10)).ids).toEqual(["evt_new_2990", "evt_new_2980"]);
});
