import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dailyRecords, idempotencyRecords } from "../../src/db/schema/index.ts";
import { isCounted } from "../../src/idempotency/daily-records.ts";
import { CART, call, callV1, cart, LINK, link, REGISTER, ROTATE } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { counting, drawAsUsual } from "../support/drawn.ts";
import { DAY, HOUR, pass, realTime } from "../support/later.ts";
import { change } from "../support/ops.ts";
import { SANDBOX } from "../support/stack.ts";
import { countOf, emptyTables, rowsOf, updateRows } from "../support/tables.ts";

const count = async () => (await rowsOf(dailyRecords, {}, { columns: ["partner_id", "budget", "count"] })) as object[];

const create = async (client_token: string) => call(CART, cart({ client_token }));
const used = (records: number) => updateRows(dailyRecords, { count: records });

beforeEach(() => {
  // The clock stands still: no day ends between two records.
  pass(0);
  return emptyTables(dailyRecords);
});
afterEach(() => {
  drawAsUsual();
  realTime();
});

describe("the records of a day", () => {
  it("are counted by one in 64, once each, by partner", async () => {
    counting(false);
    await create("other");
    expect(await count()).toEqual([]);
    counting(true);
    await create("counted");
    await create("counted");
    expect(await count()).toEqual([{ partner_id: "acme", budget: "product_create test", count: 64 }]);
    await create("next");
    expect(await count()).toEqual([{ partner_id: "acme", budget: "product_create test", count: 128 }]);
  });

  // interface G.4
  it("are at most 100,000; then nothing new is done until midnight, and what was done is answered", async () => {
    counting(true);
    const before = crypto.randomUUID();
    const made = (await create(before)).body;
    expect(made).toMatchObject({ success: true });
    await used(99_999);
    expect((await create(crypto.randomUUID())).body).toMatchObject({ success: true });
    await used(100_000);
    const records = await countOf(idempotencyRecords);
    for (const [error_code, refused] of [
      ["RATE_LIMITED", await create(crypto.randomUUID())],
      ["rate_limited", await callV1(LINK, link())],
    ] as const) {
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual({
        success: false,
        error_code,
        error_message: expect.stringContaining("100000 new requests today"),
      });
      const seconds = Number(refused.headers.get("Retry-After"));
      expect(seconds).toBe(Math.ceil((DAY - (Date.now() % DAY)) / 1_000));
    }
    expect(await countOf(idempotencyRecords)).toBe(records);
    expect((await create(before)).body).toMatchObject({ success: true, short_url: made.short_url });
    pass(DAY - (Date.now() % DAY));
    expect((await create(crypto.randomUUID())).body).toMatchObject({ success: true });
  });

  it("are counted at random: no caller can choose a token that is not", () => {
    const counted = Array.from({ length: 6_400 }, () => isCounted()).filter((one) => one).length;
    // A hundred on average, and ten either way as a rule.
    expect([counted > 40, counted < 180]).toEqual([true, true]);
  });

  it("of one permission use up nothing of another's: a secret can be changed, and an operator makes a product's first link", async () => {
    counting(true);
    await call(CART, cart());
    await used(100_000);
    expect((await create(crypto.randomUUID())).status).toBe(429);
    const url = { test_url: `${SANDBOX}/inbox/daily`, client_token: crypto.randomUUID() };
    expect((await call(REGISTER, url)).body).toMatchObject({ success: true });
    expect((await call(ROTATE, { environment: "test", client_token: crypto.randomUUID() })).body).toMatchObject({
      success: true,
      rotated: true,
    });
    expect((await change("products/card/card_acmeTestUsd2/approve", { first_link: true })).status).toBe(200);
  });

  it("are forgotten when the day is over", async () => {
    counting(true);
    await create(crypto.randomUUID());
    pass(HOUR);
    pass(DAY);
    await cron();
    expect(await count()).toEqual([]);
  });
});
