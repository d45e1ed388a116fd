import { beforeAll, describe, expect, it } from "vitest";
import { connectCell } from "../../src/db/client.ts";
import { PartnerData } from "../../src/db/partner-data.ts";
import { movements } from "../../src/db/schema/ledger.ts";
import { sumMovements } from "../../src/ledger/sum-movements.ts";
import { connectAgent } from "../support/agent.ts";
import { keyFor, keys } from "../support/api.ts";
import { CELL, cellDeps, cellOf } from "../support/cells.ts";
import { pay, quiet } from "../support/payments.ts";
import { control } from "../support/stack.ts";
import { deleteRows } from "../support/tables.ts";

async function sumsOf(given: Record<string, unknown>, key: string = keys.acme): Promise<any> {
  const client = await connectAgent("2026-07-28", key);
  const { structuredContent } = await client.callTool({ name: "sum-partner-processor-transactions", arguments: given });
  await client.close();
  return structuredContent;
}

const MARCH = Date.parse("2026-03-10T12:00:00Z");
const row = (id: string, overrides: Partial<typeof movements.$inferInsert> = {}): typeof movements.$inferInsert => ({
  id: `processor:txn_sum${id}`,
  partnerId: "acme",
  environment: "live",
  amount: 1999,
  fee: 88,
  net: 1911,
  currency: "USD",
  status: "completed",
  type: "processor_payment_in",
  transactionDate: MARCH,
  isSubscription: false,
  updatedAt: 0,
  ...overrides,
});

beforeAll(async () => {
  await deleteRows(movements);
  const rows = [
    row("1"),
    row("2"),
    row("yen", { currency: "JPY", amount: 500, net: 490 }),
    row("refund", { type: "processor_refund", status: "refunded", amount: -1999, net: -1999 }),
    row("test", { environment: "test" }),
    row("unknown", { currency: "EUR", amount: 1500, net: null, fee: null }),
    row("April", { transactionDate: Date.parse("2026-04-01T00:00:00Z") }),
    row("globex", { partnerId: "globex" }),
  ];
  for (const one of rows)
    await connectCell(cellOf(one.partnerId ?? ""))
      .insert(movements)
      .values(one);
});

describe("the sums of a period", () => {
  it("are by environment, currency and type, of the partner alone, the largest first", async () => {
    const { sums, count } = await sumsOf({ created_gte: "2026-03-01", created_lte: "2026-03-31" });
    const shown = sums.map((sum: any) => [sum.environment, sum.currency, sum.type, sum.count, sum.amount, sum.net_amount]);
    expect(shown).toEqual([
      ["live", "USD", "processor_payment_in", 2, 39.98, 38.22],
      ["live", "USD", "processor_refund", 1, -19.99, -19.99],
      ["test", "USD", "processor_payment_in", 1, 19.99, 19.11],
      ["live", "EUR", "processor_payment_in", 1, 15, null],
      ["live", "JPY", "processor_payment_in", 1, 500, 490],
    ]);
    expect(count).toBe(6);
  });

  it("are of one environment where it is asked for, and of none where the period ends before it begins", async () => {
    expect(await sumsOf({ created_gte: "2026-03-01", created_lte: "2026-03-31", environment: "test" })).toMatchObject({ count: 1 });
    expect(await sumsOf({ created_gte: "2026-04-01", created_lte: "2026-03-01" })).toMatchObject({ success: true, sums: [], count: 0 });
  });

  it("are by the products of the links", async () => {
    await control("/events", { environment: "test", hold: false, duplicate: 0, shuffle: false });
    await pay(["TestUsd1"]);
    await pay(["TestUsd1", "TestUsd2"]);
    await quiet();
    const { sums } = await sumsOf({ created_gte: "2026-11-01", environment: "test" });
    expect(sums.map((sum: any) => [sum.product_ids, sum.amount])).toEqual([
      [["prod_acmeTestUsd1", "prod_acmeTestUsd2"], 38],
      [["prod_acmeTestUsd1"], 19],
    ]);
  });

  it("need the permission to see payments, and a date that exists", async () => {
    const key = keyFor("product_create");
    expect(await sumsOf({}, key)).toMatchObject({ success: false, error_code: "PERMISSION_DENIED" });
    expect(await sumsOf({ created_gte: "2026-02-30" })).toMatchObject({
      error_code: "INVALID_INPUT",
      error_message: expect.stringContaining("created_gte"),
    });
  });

  it("count each movement once, however many pages it takes", async () => {
    const db = cellDeps().db;
    const many = Array.from({ length: 2_500 }, (_, index) =>
      row(`many${index}`, { partnerId: "many", amount: 1, net: 1, fee: 0, transactionDate: MARCH + Math.floor(index / 7) }),
    );
    for (let from = 0; from < many.length; from += 5) await db.insert(movements).values(many.slice(from, from + 5));
    const data = new PartnerData({ cell: CELL, earlier: [] }, () => ({ db }));
    const period = { partnerId: "many", environment: undefined, from: undefined, to: undefined, clientReferenceId: undefined };
    expect(await sumMovements(data, period)).toMatchObject([{ count: 2_500, amount: 2_500 }]);
  });
});
