import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { BANK, bankCart, CART, CODE, call, callV1, cart, keys, promotion, REGISTER, send } from "../support/api.ts";
import { change, ops } from "../support/ops.ts";
import { line, pay, quiet } from "../support/payments.ts";
import { control, EDGE, SANDBOX } from "../support/stack.ts";
import { emptyHistory, makeHistory } from "./history.ts";

/** Each list as a file: the same rows, in a form that a program or a spreadsheet of any country reads without asking. */

const file = (what: string, query = "", key: string = keys.acme) =>
  send(`/partner/exports/${what}?${query}`, { headers: { "X-Partner-Api-Key": key } });
const rowsOf = async (what: string, query = "", key: string = keys.acme) =>
  (await file(what, `format=ndjson&${query}`, key)).text
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as Record<string, any>);

const LISTS = {
  orders: "orders",
  movements: "payments",
  "ruble-payments": "bank-payments",
  statements: "statements",
  links: "links",
  subscriptions: "subscriptions",
  "promotion-codes": "promotion-codes",
  deliveries: "deliveries",
  disputes: "disputes",
  payouts: "payouts",
  audit: "audit",
  products: "products",
  requests: "requests",
} as const;

/** Lists whose rows have no ids. */
const WITHOUT_IDS = ["statements", "audit", "requests"];

/** The field of a row that has its id. */
const IDS: Readonly<Record<string, string>> = {
  orders: "id",
  movements: "id",
  "ruble-payments": "order_id",
  links: "payment_link_id",
  subscriptions: "subscription_id",
  "promotion-codes": "promotion_code_id",
  deliveries: "delivery",
  disputes: "id",
  payouts: "id",
  products: "product_id",
};

const listed = async (list: string, key: string) =>
  (await send(`/partner/${list}?limit=100`, { headers: { "X-Partner-Api-Key": key } })).body;

beforeAll(async () => {
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/exports` });
  await callV1(CODE, promotion({ code: "FILED", percent_off: 10, environment: "test", stripe_product_ids: ["prod_acmeTestUsd1"] }));
  await pay(["TestUsd1"], { email: "file@example.com", client_reference_id: "filed" });
  await pay(["TestMonthly"]);
  const { order_id } = (await call(BANK, bankCart())).body;
  await control("/bank/pay", { order_id });
  await call(CART, cart({ items: [line("TestUsd1")] }));
  await control("/dispute", { payment_intent: (await pay(["TestUsd1"])).payment_intent });
  await change("partners/acme/payouts", { currency: "USD", amount: 12, date: "2026-11-02", bank_reference: "FILED" });
  await quiet();
});

describe.each(Object.entries(LISTS))("the export of %s", (what, list) => {
  it("has the rows of the list, in its order", async () => {
    const { data } = await listed(list, keys.acme);
    expect((await rowsOf(what)).slice(0, 100)).toEqual(data);
    if (what !== "statements") expect(data.length).toBeGreaterThan(0);
  });

  it("has the same rows as CSV, one for each, below the names of its columns", async () => {
    const { text, headers } = await file(what);
    expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename="${what}.csv"`);
    const lines = text.split("\r\n").filter((one) => one !== "");
    expect(lines).toHaveLength((await rowsOf(what)).length + 1);
    expect(new Set(lines.map((one) => one.replaceAll(/"(?:[^"]|"")*"/g, "").split(",").length)).size).toBe(1);
    // Each time stands in a column of times, and is written as one.
    expect(text).not.toMatch(/"\d{4}-\d{2}-\d{2}T[\d:]+\.\d{3}Z"/);
  });

  it("shows no partner another's rows, and refuses a filter that the list has not", async () => {
    const [foreign, own] = [await file(what, "format=ndjson", keys.globex), new Set((await file(what, "format=ndjson")).text.split("\n"))];
    expect(foreign.text.split("\n").filter((row) => row !== "" && own.has(row))).toEqual([]);
    if (!["products", "requests"].includes(what)) expect(foreign.text).toBe("");
    expect((await file(what, "colour=red")).status).toBe(400);
  });

  it.skipIf(WITHOUT_IDS.includes(what))("has the rows alone that are chosen by their ids", async () => {
    const rows = await rowsOf(what);
    const idOf = (row: Record<string, any> | undefined) => row?.[IDS[what] ?? ""];
    const [first, last] = [idOf(rows[0]), idOf(rows.at(-1))];
    expect(await rowsOf(what, `chosen=${last},${first},not_there`)).toEqual(rows.filter((row) => [first, last].includes(idOf(row))));
    expect(await rowsOf(what, "chosen=not_there")).toEqual([]);
    expect((await file(what, `format=ndjson&chosen=${first}`, keys.globex)).text).toBe("");
    const many = (count: number) => Array.from({ length: count }, (_, index) => `id_${index}`).join(",");
    expect((await file(what, `chosen=${many(101)}`)).body.error_message).toContain("names more than 100 rows");
    expect((await file(what, `chosen=${many(100)}`)).status).toBe(200);
    expect((await file(what, "chosen=one,,two")).body.error_message).toContain("names an empty id");
  });

  it("is there for operators, of one partner", async () => {
    const answer = await ops(`exports/${what}?partner=acme&format=ndjson`);
    const own = await rowsOf(what);
    expect(answer.text.split("\n").filter((text) => text !== "")).toHaveLength(own.length);
  });
});

it.each(["products", "requests"])("the export of %s is of one partner, whom an operator names", async (what) => {
  expect(await ops(`exports/${what}`)).toMatchObject({ status: 400, text: expect.stringContaining("partner") });
  expect((await ops(`exports/${what}?partner=nobody`)).status).toBe(404);
});

describe("a file", () => {
  it.each(["9999-99-99T99:99:99Z", "2026-10-25T01:30:00Z"])("takes no text for a time: a customer is named %s", async (name) => {
    await env.CELL_1.prepare("UPDATE orders SET customer_name = ?1 WHERE client_reference_id = 'filed'").bind(name).run();
    expect((await file("orders")).text).toContain(`"${name}"`);
  });

  it("is named by its list, its environment and its period, so that two months are two files", async () => {
    const nameOf = async (query: string) => (await file("orders", query)).headers.get("Content-Disposition");
    expect(await nameOf("environment=test&since=2026-10-01&until=2026-10-31&status=paid")).toBe(
      'attachment; filename="orders-test-from-2026-10-01-to-2026-10-31.csv"',
    );
    expect(await nameOf("since=2026-10-01T10:00:00Z&format=ndjson")).toBe('attachment; filename="orders-from-2026-10-01T100000.ndjson"');
    expect(await nameOf("environment=live&chosen=pi_1")).toBe('attachment; filename="orders-live-chosen.csv"');
  });

  it("has the filters of the list", async () => {
    expect((await rowsOf("orders", "email=file%40example.com")).map(({ client_reference_id }) => client_reference_id)).toEqual(["filed"]);
    expect(await rowsOf("orders", "email=file%40example.com&environment=live")).toEqual([]);
    expect((await file("orders", "amount_from=1")).body.error_message).toContain("needs `currency`");
    expect((await file("orders", "locale=no%20locale")).body.error_message).toContain("must be a locale");
    expect((await file("statements", "environment=test")).body.error_message).toContain("live data alone");
    expect((await file("payouts", "environment=test")).body.error_message).toContain("live data alone");
    expect((await file("audit", "environment=test")).body.error_message).toContain("changes have none");
    // What is not listed by its time takes no period.
    for (const bound of ["since", "until"])
      for (const what of ["statements", "products"])
        expect([what, (await file(what, `${bound}=2026-10-01`)).body.error_message]).toEqual([what, expect.stringContaining(bound)]);
    expect(new Set((await rowsOf("products", "moderation=in_review")).map(({ moderation }) => moderation))).toEqual(new Set(["in_review"]));
    expect(new Set((await rowsOf("requests", "outcome=created")).map(({ outcome }) => outcome))).toEqual(new Set(["created"]));
  });

  it("begins with the mark by which spreadsheets know its encoding", async () => {
    const answer = await exports.default.fetch(
      new Request(`${EDGE}/partner/exports/orders`, { headers: { "X-Partner-Api-Key": keys.acme } }),
    );
    expect([...new Uint8Array(await answer.arrayBuffer())].slice(0, 4)).toEqual([0xef, 0xbb, 0xbf, 0x22]);
  });

  it("needs the right of the list", async () => {
    const key = "a0000000-0000-4000-8000-000000000011";
    // What a request is about decides who sees it.
    const { requests: _, ...others } = LISTS;
    for (const what of Object.keys(others)) expect([what, (await file(what, "", key)).status]).toEqual([what, 403]);
    expect(await rowsOf("requests", "", key)).toEqual((await listed("requests", key)).data);
  });

  it("is whole over many pages, and in one order", async () => {
    await emptyHistory();
    await makeHistory({ from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 11, 31), count: 1_300, seed: 77 });
    const rows = await rowsOf("orders");
    const { count, sums } = (await send("/partner/orders?limit=1", { headers: { "X-Partner-Api-Key": keys.acme } })).body;
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
    for (const { environment, currency, kept } of sums) {
      const own = rows.filter((row) => row.currency === currency && row.environment === environment);
      expect(own.reduce((total, row) => total + Math.round(row.kept * 100), 0)).toBe(Math.round(kept * 100));
    }
    const times = rows.map(({ created_at }) => created_at);
    for (const [index, time] of times.entries()) expect(time <= (times[index - 1] ?? time)).toBe(true);
  });
});
