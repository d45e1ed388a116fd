import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cellCodeOf } from "../../src/core/cell-code.ts";
import { dailyRecords, idempotencyRecords } from "../../src/db/schema/index.ts";
import { isCounted } from "../../src/idempotency/daily-records.ts";
import { recordIdOf } from "../../src/idempotency/key.ts";
import { CART, call, callV1, cart, LINK, link } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { DAY, HOUR, pass, realTime } from "../support/later.ts";
import { countOf, emptyTables, rowsOf, updateRows } from "../support/tables.ts";

const count = async () => (await rowsOf(dailyRecords, {}, { columns: ["partner_id", "count"] })) as object[];

/** A token whose record is counted, or is not. */
async function tokenThat(counts: boolean): Promise<string> {
  for (;;) {
    const token = crypto.randomUUID();
    const scope = { partnerId: "acme", generation: "v2", operation: CART, key: `token:${token}` } as const;
    if (isCounted(await recordIdOf(cellCodeOf(1), scope)) === counts) return token;
  }
}
const create = async (client_token: string) => call(CART, cart({ client_token }));
const used = (records: number) => updateRows(dailyRecords, { count: records });

beforeEach(() => emptyTables(dailyRecords));
afterEach(realTime);

describe("the records of a day", () => {
  it("are counted by one in 64, once each, by partner", async () => {
    const [counted, other] = [await tokenThat(true), await tokenThat(false)];
    await create(other);
    expect(await count()).toEqual([]);
    await create(counted);
    await create(counted);
    expect(await count()).toEqual([{ partner_id: "acme", count: 64 }]);
    await create(await tokenThat(true));
    expect(await count()).toEqual([{ partner_id: "acme", count: 128 }]);
    expect([isCounted("0100"), isCounted("0140"), isCounted("0101"), isCounted("013f")]).toEqual([true, true, false, false]);
  });

  it("are at most 100,000; then nothing new is done until midnight, and what was done is answered", async () => {
    const before = await tokenThat(true);
    const made = (await create(before)).body;
    expect(made).toMatchObject({ success: true });
    await used(99_999);
    expect((await create(await tokenThat(true))).body).toMatchObject({ success: true });
    await used(100_000);
    const records = await countOf(idempotencyRecords);
    for (const refused of [await create(await tokenThat(false)), await callV1(LINK, link())]) {
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual({ success: false, error: expect.stringContaining("100000 new requests today") });
      const seconds = Number(refused.headers.get("Retry-After"));
      expect(seconds).toBe(Math.ceil((DAY - (Date.now() % DAY)) / 1_000));
    }
    expect(await countOf(idempotencyRecords)).toBe(records);
    expect((await create(before)).body).toMatchObject({ success: true, short_url: made.short_url });
    pass(DAY - (Date.now() % DAY));
    expect((await create(await tokenThat(false))).body).toMatchObject({ success: true });
  });

  it("are forgotten when the day is over", async () => {
    await create(await tokenThat(true));
    pass(HOUR);
    pass(DAY);
    await cron();
    expect(await count()).toEqual([]);
  });
});
