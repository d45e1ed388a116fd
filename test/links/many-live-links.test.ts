import { env, exports } from "cloudflare:workers";
import { afterEach, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { connectAgent } from "../support/agent.ts";
import { call, keys, LIVE_LINKS } from "../support/api.ts";
import { aroundEffects, countEffects, resetEffects } from "../support/observe.ts";
import { EDGE } from "../support/stack.ts";

/** Operation 7 for a partner with more links than one page of the database. */

const LINKS = 2_345;
const PRODUCTS = 1_500;

beforeAll(async () => {
  await env.CELL_1.exec("DELETE FROM payment_links WHERE partner_id = 'acme'");
  const numbers = (count: number) => `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
  await env.DIRECTORY.prepare(
    `INSERT INTO card_products (id, processor_product_id, partner_id, environment, name, currency, unit_amount, type, moderation, created_at, updated_at)
     ${numbers(PRODUCTS)} SELECT 'many_' || i, 'prod_many' || i, 'acme', 'live', 'many ' || i, 'USD', 1900, 'one_time', 'approved', 0, 0 FROM n`,
  ).run();
  // Several links have one time each: the order goes on by their ids.
  await env.CELL_1.prepare(
    `INSERT INTO payment_links (id, partner_id, environment, source, currency, mode, url, items, slug, created_at)
     ${numbers(LINKS)} SELECT 'plink_' || printf('%05d', i), 'acme', 'live', 'product', 'USD', 'one_time', 'https://checkout.example/' || i,
     '[["prod_many' || (i % ${PRODUCTS}) || '","price_1",1900,1]]', '01Many' || i, ${systemClock.now()} + i / 10 FROM n`,
  ).run();
});

afterEach(resetEffects);

const slugs = Array.from({ length: LINKS }, (_, index) => `01Many${LINKS - 1 - index}`);
const slugsIn = (products: readonly { payment_link_short: string }[]) => products.map((link) => link.payment_link_short.split("/").at(-1));

// interface 7.1
it("gives all of them once each, newest first, with their number", async () => {
  const { result, counts } = await countEffects(() => call(LIVE_LINKS, {}));
  const { products, count } = result.body as { products: { payment_link_short: string }[]; count: number };
  expect(slugsIn(products)).toEqual(slugs);
  expect(count).toBe(LINKS);
  // The key beside the first page's links and some products, then that page's products; then links and products of two pages.
  expect(counts.d1).toBe(8);
});

it("gives an agent the same", async () => {
  const agent = await connectAgent("2026-07-28");
  const { structuredContent } = await agent.callTool({ name: LIVE_LINKS, arguments: {} });
  expect(structuredContent).toEqual((await call(LIVE_LINKS, {})).body);
  await agent.close();
});

it("is cut where the database fails on the way, and is then no JSON", async () => {
  let trips = 0;
  aroundEffects((effect, perform) => {
    if (effect === "d1") trips += 1;
    return trips > 5 ? Promise.reject(new Error("D1_ERROR: on purpose")) : perform();
  });
  const headers = { "Content-Type": "application/json", "X-Partner-Api-Key": keys.acme };
  const init = { method: "POST", headers, body: "{}" };
  const response = await exports.default.fetch(new Request(`${EDGE}/${LIVE_LINKS}`, init));
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow("Failed query");
});
