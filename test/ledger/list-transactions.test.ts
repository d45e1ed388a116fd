import { beforeAll, describe, expect, it } from "vitest";
import { connectCell } from "../../src/db/client.ts";
import { movements } from "../../src/db/schema/ledger.ts";
import { call, keyFor, keys, LIST } from "../support/api.ts";
import { cellOf } from "../support/cells.ts";
import { meterRows } from "../support/meter.ts";

const day = (date: number, time = "12:00:00.000") => Date.parse(`2026-03-${String(date).padStart(2, "0")}T${time}Z`);

function movement(id: string, overrides: Partial<typeof movements.$inferInsert> = {}): typeof movements.$inferInsert {
  return {
    id: `processor:txn_${id}`,
    partnerId: "acme",
    environment: "live",
    amount: 1999,
    fee: 88,
    net: 1911,
    currency: "USD",
    status: "completed",
    type: "processor_payment_in",
    transactionDate: day(10),
    isSubscription: false,
    updatedAt: 0,
    ...overrides,
  };
}

beforeAll(async () => {
  const rows = [
    movement("first", { transactionDate: day(1, "00:00:00.000") }),
    movement("last", { transactionDate: day(31, "23:59:59.999") }),
    movement("test", { environment: "test", transactionDate: day(11) }),
    movement("globex", { partnerId: "globex", clientReferenceId: "shared" }),
    movement("nobody", { partnerId: null, clientReferenceId: "shared" }),
    movement("ref", { clientReferenceId: "shared", transactionDate: day(12) }),
    movement("refund", {
      clientReferenceId: "shared",
      amount: -1999,
      type: "processor_refund",
      status: "refunded",
      transactionDate: day(13),
    }),
    movement("Case", { clientReferenceId: "Shared", transactionDate: day(14) }),
    movement("yen", { currency: "JPY", amount: 1999, fee: null, net: null, transactionDate: day(15), clientReferenceId: "yen" }),
    movement("dinar", {
      currency: "KWD",
      amount: 1999,
      transactionDate: day(16),
      clientReferenceId: "dinar",
      type: null,
      description: "Ünïcode ☕",
    }),
    ...Array.from({ length: 120 }, (_, index) => movement(`bulk${index}`, { transactionDate: day(20) + index, clientReferenceId: "bulk" })),
  ];
  for (const row of rows)
    await connectCell(cellOf(row.partnerId ?? "acme"))
      .insert(movements)
      .values(row);
});

const ids = async (filter: object, key: string = keys.acme): Promise<string[]> => {
  const { body } = await call(LIST, filter, key);
  expect(body).toMatchObject({ success: true });
  expect(body.count).toBe(body.transactions.length);
  return body.transactions.map(({ id }: { id: string }) => id.replace("processor:txn_", ""));
};

describe("the period", () => {
  // interface 5.1, 5.4
  it("takes a day whole, at both ends", async () => {
    expect(await ids({ created_gte: "2026-03-01", created_lte: "2026-03-01" })).toEqual(["first"]);
    expect(await ids({ created_gte: "2026-03-31", created_lte: "2026-03-31" })).toEqual(["last"]);
    expect(await ids({ created_gte: "2026-03-31T23:59:59.999Z" })).toEqual(["last"]);
    expect(await ids({ created_lte: "2026-03-01T00:00:00Z" })).toEqual(["first"]);
    expect(await ids({ created_gte: "2026-04-01" })).toEqual([]);
  });

  // interface 5.3, 5.6
  it("is empty when it ends before it begins", async () => {
    const { body } = await call(LIST, { created_gte: "2026-03-02", created_lte: "2026-03-01" });
    expect(body).toEqual({ success: true, transactions: [], count: 0, has_more: false, environment_filter: "all" });
  });

  // interface 5.2
  it.each(["created_gte", "created_lte"])("refuses a %s that is no date", async (field) => {
    for (const value of ["2026-02-30", "soon", "", 20261120, ["2026-03-01"]]) {
      expect((await call(LIST, { [field]: value })).body).toMatchObject({
        success: false,
        error_code: "INVALID_INPUT",
        details: { field },
      });
    }
  });
});

describe("a part of the list", () => {
  it("says whether there is more, of both environments together, and goes on from its last date", async () => {
    const shared = { client_reference_id: "shared" };
    const all = await ids({ ...shared, limit: 100 });
    for (const [limit, has_more] of [
      [all.length, false],
      [all.length - 1, true],
    ] as const) {
      const { body } = await call(LIST, { ...shared, limit });
      expect([limit, body.count, body.has_more]).toEqual([limit, limit, has_more]);
    }
    const first = (await call(LIST, { ...shared, limit: 1 })).body;
    const rest = await ids({ ...shared, limit: 100, created_lte: first.transactions[0].transaction_date });
    expect(rest).toEqual(all.slice(all.indexOf(rest[0] ?? "")));
  });
});

describe("the environment", () => {
  // interface 5.6
  it("is one of two, or both", async () => {
    const filter = { created_gte: "2026-03-10", created_lte: "2026-03-11" };
    expect(await ids(filter)).toEqual(["test"]);
    expect(await ids({ ...filter, environment: "test" })).toEqual(["test"]);
    expect(await ids({ ...filter, environment: "live" })).toEqual([]);
    expect((await call(LIST, { environment: "test" })).body).toMatchObject({ environment_filter: "test" });
  });

  // interface 5.2
  it.each(["Live", "sandbox", "", 1])("refuses %j", async (environment) => {
    expect((await call(LIST, { environment })).body).toMatchObject({ error_code: "INVALID_INPUT", details: { field: "environment" } });
  });
});

// interface 5.5
describe("the order reference", () => {
  // interface K.7, 5.5
  it("is matched exactly, within the partner's own", async () => {
    expect(await ids({ client_reference_id: "shared" })).toEqual(["refund", "ref"]);
    expect(await ids({ client_reference_id: "Shared" })).toEqual(["Case"]);
    expect(await ids({ client_reference_id: "share" })).toEqual([]);
    expect(await ids({ client_reference_id: "%" })).toEqual([]);
    expect(await ids({ client_reference_id: "shared" }, keys.globex)).toEqual(["globex"]);
    expect(await ids({ client_reference_id: "shared", created_gte: "2026-03-13" })).toEqual(["refund"]);
    expect(await ids({ client_reference_id: "shared", environment: "test" })).toEqual([]);
  });

  it.each(["", "x".repeat(201), 7, ["shared"]])("refuses %j", async (client_reference_id) => {
    expect((await call(LIST, { client_reference_id })).body).toMatchObject({
      error_code: "INVALID_INPUT",
      details: { field: "client_reference_id" },
    });
  });

  it("may be 200 characters long, however wide they are", async () => {
    expect(await ids({ client_reference_id: "x".repeat(200) })).toEqual([]);
    expect(await ids({ client_reference_id: "🧾".repeat(200) })).toEqual([]);
  });
});

describe("the limit", () => {
  // interface 5.4
  it("is 20 by default, 100 at most, and counts from the newest", async () => {
    const newest = Array.from({ length: 100 }, (_, index) => `bulk${119 - index}`);
    expect(await ids({ client_reference_id: "bulk" })).toEqual(newest.slice(0, 20));
    expect(await ids({ client_reference_id: "bulk", limit: 100 })).toEqual(newest);
    expect(await ids({ client_reference_id: "bulk", limit: 1 })).toEqual(["bulk119"]);
  });

  // interface 5.4
  it.each([0, 101, -1, 2.5, "20", 1e9])("refuses %j", async (limit) => {
    expect((await call(LIST, { limit })).body).toMatchObject({ error_code: "INVALID_INPUT", details: { field: "limit" } });
  });
});

// interface G.10, P.5
it("shows amounts in major units, by the currency's own exponent", async () => {
  const first = async (client_reference_id: string) =>
    (await call(LIST, { client_reference_id }, keyFor("balance_view"))).body.transactions[0];
  expect(await first("yen")).toMatchObject({ amount: 1999, net_amount: null, fee: null, currency: "JPY" });
  expect(await first("dinar")).toMatchObject({
    amount: 1.999,
    net_amount: 1.911,
    fee: 0.088,
    currency: "KWD",
    type: null,
    description: "Ünïcode ☕",
  });
  expect(await first("shared")).toMatchObject({ amount: -19.99, status: "refunded", type: "processor_refund" });
});

it("ignores an idempotency key", async () => {
  expect(await ids({ client_reference_id: "yen", idempotency_key: "any" })).toEqual(["yen"]);
  expect(await ids({ client_reference_id: "dinar", idempotency_key: "any" })).toEqual(["dinar"]);
});

it("reads by index, no more rows than it shows", async () => {
  const filters = [
    {},
    { environment: "live" },
    { client_reference_id: "bulk" },
    { client_reference_id: "bulk", environment: "live", created_gte: "2026-03-01", created_lte: "2026-03-31" },
    { created_gte: "2026-03-15", created_lte: "2026-03-25" },
  ];
  for (const filter of filters) {
    const { rowsRead } = await meterRows(async () => {
      expect((await call(LIST, { ...filter, limit: 20 })).body.count).toBe(20);
    });
    // Ten for the key, what it may do and the revision of the catalogue; then the newest of each environment that was asked for.
    expect(rowsRead).toBeLessThanOrEqual(10 + 22 * (filter.environment === undefined ? 2 : 1));
  }
});
