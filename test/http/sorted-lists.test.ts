import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { events, paymentLinks, promotionCodes } from "../../src/db/schema/index.ts";
import { keys, send } from "../support/api.ts";
import { ops } from "../support/ops.ts";
import { deleteRows, insertRow } from "../support/tables.ts";

/** Lists that are counted and sorted as a whole, and have no sums: links, promotion codes, deliveries. */

const HOUR = 3_600_000;
const NOW = Date.now();

async function insertLink(id: string, { at, lines = [], ...more }: { at: number; lines?: [number, number][]; [field: string]: unknown }) {
  const items = JSON.stringify(lines.map(([amount, quantity], index) => ["prod_1", `price_${index}`, amount, quantity]));
  const terms = { source: "product", currency: "EUR", mode: "one_time", url: "https://checkout.example", ...more };
  await insertRow(paymentLinks, { id, partner_id: "acme", environment: "live", items, created_at: at, ...terms });
}

async function insertCode(id: string, at: number, percent: number, more: object = {}) {
  const terms = { coupon_id: id, code: id, product_ids: "[]", percent_off: percent, duration: "once", source: "api" };
  await insertRow(promotionCodes, { id, partner_id: "acme", environment: "live", created_at: at, ...terms, ...more });
}

async function insertEvent(id: string, at: number, attempts: number, state = "succeeded") {
  const terms = { name: "Processor.payment.succeeded", cause: id, payload: "{}", endpoint_id: "ep_acme_live", next_attempt_at: 0 };
  await insertRow(events, { id, partner_id: "acme", environment: "live", created_at: at, attempts, state, ...terms });
}

beforeAll(async () => {
  for (const table of [paymentLinks, promotionCodes, events]) await deleteRows(table, { partner_id: "acme", environment: "live" });
  await insertLink("plink_cart", {
    at: 1,
    lines: [
      [500, 2],
      [100, 3],
    ],
  });
  await insertLink("plink_yen", { at: 3, lines: [[900, 1]], currency: "JPY" });
  await insertLink("plink_cheap", { at: 2, lines: [[700, 1]], disabled_at: 5, disabled_by: "partner" });
  await insertLink("plink_unlisted", { at: 4 });
  await insertCode("promo_often", 1, 10);
  await insertCode("promo_over", 2, 30, { expires_at: NOW - HOUR });
  await insertCode("promo_soon", 3, 20, { expires_at: NOW + HOUR });
  await insertCode("promo_stopped", 4, 5, { expires_at: NOW - HOUR, deactivated_at: 5 });
  await insertEvent("evt_first", 1, 3, "exhausted");
  await insertEvent("evt_second", 2, 1);
  await insertEvent("evt_third", 3, 2, "exhausted");
});

// The events are not recorded by their definitions.
afterAll(() => deleteRows(events, { partner_id: "acme", environment: "live" }));

const LISTS = {
  links: "payment_link_id",
  "promotion-codes": "promotion_code_id",
  deliveries: "event",
} as const;

const read = async (list: keyof typeof LISTS, query: string) => {
  const { body } = await send(`/partner/${list}?environment=live${query}`, { headers: { "X-Partner-Api-Key": keys.acme } });
  const ids = body.data.map((row: Record<string, string>) => row[LISTS[list]]?.replace(/^[a-z]+_/, ""));
  return { ids, count: body.count as number, next: body.next as string | null };
};

describe.each<[keyof typeof LISTS, string, string[]]>([
  ["links", "-created_at", ["unlisted", "yen", "cheap", "cart"]],
  ["links", "created_at", ["cart", "cheap", "yen", "unlisted"]],
  ["links", "-amount", ["yen", "cart", "cheap", "unlisted"]],
  ["links", "amount", ["unlisted", "cheap", "cart", "yen"]],
  ["promotion-codes", "-created_at", ["stopped", "soon", "over", "often"]],
  ["promotion-codes", "-percent_off", ["over", "soon", "often", "stopped"]],
  ["promotion-codes", "-expires_at", ["soon", "stopped", "over", "often"]],
  ["deliveries", "-created_at", ["third", "second", "first"]],
  ["deliveries", "created_at", ["first", "second", "third"]],
])("%s by %s", (list, sort, wanted) => {
  it("has the whole selection in this order, page by page, and its count on each", async () => {
    expect(await read(list, `&sort=${sort}`)).toMatchObject({ ids: wanted, count: wanted.length, next: null });
    const first = await read(list, `&sort=${sort}&limit=2`);
    const second = await read(list, `&sort=${sort}&limit=2&cursor=${first.next}`);
    expect([first.ids, second.ids, first.count, second.count]).toEqual([wanted.slice(0, 2), wanted.slice(2), wanted.length, wanted.length]);
  });
});

describe("a selection by state", () => {
  it.each<[keyof typeof LISTS, string, string[]]>([
    ["links", "open", ["unlisted", "yen", "cart"]],
    ["links", "disabled", ["cheap"]],
    ["promotion-codes", "active", ["soon", "often"]],
    ["promotion-codes", "expired", ["over"]],
    ["promotion-codes", "disabled", ["stopped"]],
    ["deliveries", "exhausted", ["third", "first"]],
    ["deliveries", "succeeded", ["second"]],
  ])("%s: %s", async (list, state, wanted) => {
    expect(await read(list, `&state=${state}`)).toMatchObject({ ids: wanted, count: wanted.length });
    expect((await read(list, `&state=${state}&sort=created_at`)).ids).toEqual(wanted.toReversed());
  });
});

it("an operator sorts the rows of one partner, and none of all", async () => {
  for (const [path, field] of [
    ["payment-links", "amount"],
    ["promotion-codes", "percent_off"],
    ["deliveries", "created_at"],
  ] as const) {
    expect((await ops(`${path}?environment=live&sort=${field}`)).body.error).toBe("sort: needs `partner`");
    expect((await ops(`${path}?environment=live&sort=${field}&partner=acme`)).body.data.length).toBeGreaterThan(2);
    expect((await ops(`${path}?environment=live`)).body.count).toBeGreaterThan(2);
  }
});

describe("products", () => {
  const listed = async (query: string) =>
    (await send(`/partner/products?${query}`, { headers: { "X-Partner-Api-Key": keys.acme } })).body as {
      data: { product_id: string; kind: string; name: string; amount: number; created_at: string }[];
      next: string | null;
      count: number;
      error_message: string;
    };
  const whole = async (query: string) => {
    const rows: Awaited<ReturnType<typeof listed>>["data"] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await listed(`limit=50&${query}${cursor === "" ? "" : `&cursor=${cursor}`}`);
      rows.push(...page.data);
      cursor = page.next;
    }
    return rows;
  };

  it.each(["name", "amount", "created_at"] as const)(
    "of both kinds are sorted by %s, up and down, each once over the pages",
    async (sort) => {
      const rising = await whole(`sort=${sort}`);
      const { count } = await listed("limit=1");
      expect([rising.length, new Set(rising.map((row) => row.product_id)).size]).toEqual([count, count]);
      const values = rising.map((row) => (sort === "name" ? row.name.toLowerCase() : row[sort]));
      expect(values).toEqual(values.toSorted((one, other) => (one === other ? 0 : one < other ? -1 : 1)));
      expect(new Set(values.slice(0, -1)).size).toBeGreaterThan(sort === "created_at" ? 0 : 5);
      expect((await whole(`sort=-${sort}`)).map((row) => row.product_id)).toEqual(rising.map((row) => row.product_id).toReversed());
    },
  );

  it("are those of the asked environment and state, and a cursor is of one order", async () => {
    const found = await whole("sort=amount&environment=test&moderation=approved");
    expect(found.map(({ product_id }) => product_id).toSorted()).toEqual(
      (await whole("environment=test&moderation=approved")).map(({ product_id }) => product_id).toSorted(),
    );
    const { next } = await listed("limit=1&sort=amount");
    for (const other of ["name", "-amount"])
      expect((await listed(`limit=1&sort=${other}&cursor=${next}`)).error_message).toContain("another `sort`");
    expect((await listed(`limit=1&cursor=${next}`)).error_message).toContain("cursor");
    expect((await listed("sort=price")).error_message).toContain("sort");
  });
});
