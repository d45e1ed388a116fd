import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { keys, send } from "../support/api.ts";

/** Lists whose selections are too large to count, or to look through. */

const [COUNTED, LOOKED_AT] = [10_000, 100_000];

/** Movements of globex, numbered from one: those with an even number have failed. */
const insert = (from: number, to: number) =>
  env.CELL_1.prepare(
    `INSERT INTO movements (id, partner_id, environment, amount, fee, net, currency, status, type, transaction_date, is_subscription, updated_at)
     WITH RECURSIVE number(value) AS (SELECT ? UNION ALL SELECT value + 1 FROM number WHERE value < ?)
     SELECT 'processor:many_' || value, 'globex', 'test', 100, 1, 99, 'USD', CASE value % 2 WHEN 0 THEN 'failed' ELSE 'completed' END,
       'processor_payment_in', 1700000000000 + value, 0, 0 FROM number`,
  )
    .bind(from, to)
    .run();

const list = async (query: string) =>
  (await send(`/partner/payments?environment=test&limit=1&${query}`, { headers: { "X-Partner-Api-Key": keys.globex } })).body;

beforeAll(async () => {
  await insert(1, COUNTED);
});

describe("a selection", () => {
  it("is counted and summed up to its bound, and one row more is too many", async () => {
    expect(await list("")).toMatchObject({ count: COUNTED, sums: [{ movements: COUNTED, amount: COUNTED, net: 9_900 }] });
    await insert(COUNTED + 1, COUNTED + 1);
    expect(await list("")).toMatchObject({ count: "more than 10000", sums: null, data: [{}] });
    expect(await list("status=failed")).toMatchObject({ count: COUNTED / 2 });
  });

  it("is not known where a filter without an index would look at too many rows, even if it found few", async () => {
    await insert(COUNTED + 2, LOOKED_AT - 1);
    expect(await list("currency=EUR")).toMatchObject({ count: 0, sums: [] });
    await insert(LOOKED_AT, LOOKED_AT);
    expect(await list("currency=EUR")).toMatchObject({ count: "more than 10000", sums: null });
  });
});
