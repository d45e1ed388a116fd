import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { version } from "../../package.json";
import { bankPayments, events, movements, paymentLinks } from "../../src/db/schema/index.ts";
import { BANK, bankCart, CART, call, callV1, cart, LINK, link, REGISTER, send } from "../support/api.ts";
import { print } from "../support/kept-log.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { change, ops } from "../support/ops.ts";
import { line, listed, type Paid, quiet } from "../support/payments.ts";
import { copyOf, type Row, restore } from "../support/restore.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { countOf, fieldOf } from "../support/tables.ts";
import { until } from "../support/until.ts";

/**
 * The rows that earlier builds have left, run through this build. Each version leaves a file here, once it is deployed:
 * PRINT_ROWS=1 npm test -- test/upgrade -t prints --silent=false | grep -o '{"version".*' > test/upgrade/rows-<version>.json
 */
interface Rows {
  readonly version: string;
  /** When, in Unix milliseconds: results are replayed for a day. */
  readonly madeAt: number;
  readonly directory: [string, Row[]][];
  readonly cell: [string, Row[]][];
  /** What a partner has in hand. */
  readonly answers: {
    readonly link: Record<string, unknown>;
    readonly first: Record<string, unknown>;
    readonly order: Record<string, unknown>;
  };
}

const files = await Promise.all(Object.values(import.meta.glob<{ default: Rows }>("./rows-*.json")).map((load) => load()));
const shouldPrint = env.PRINT_ROWS !== "";
const TOKEN = "upgrade-1";
const KEY = "upgrade-key-1";

it.runIf(shouldPrint)("prints the rows of this build", async () => {
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/upgrade`, client_token: "upgrade" });
  const made = (await call(CART, cart({ items: [line("TestUsd1")], client_token: TOKEN }))).body;
  const first = (await callV1(LINK, link({ idempotency_key: KEY }))).body;
  const order = (await call(BANK, bankCart({ client_token: TOKEN }))).body;
  const paid = await control<Paid>("/pay", { short_url: made.short_url, client_reference_id: "upgrade" });
  await quiet();
  await control("/refund", { payment_intent: paid.payment_intent, amount: 500 });
  await control("/bank/pay", { order_id: order.order_id });
  await until(async () => expect(await countOf(events, { state: "succeeded" })).toBe(3));
  const [directory, cell] = [[...(await copyOf(env.DIRECTORY))], [...(await copyOf(env.CELL_1))]];
  const rows: Rows = { version, madeAt: Date.now(), directory, cell, answers: { link: made, first, order } };
  print(JSON.stringify(rows));
});

describe.each(files.map(({ default: rows }) => rows))("the rows of $version", ({ madeAt, directory, cell, answers }) => {
  beforeAll(async () => {
    pass(madeAt + MINUTE - Date.now());
    await restore(env.DIRECTORY, new Map(directory));
    await restore(env.CELL_1, new Map(cell));
  });

  afterAll(realTime);

  it("are found: payments, links, ruble payments", async () => {
    const { transactions } = await listed({ client_reference_id: "upgrade" });
    // Both are of one second.
    expect(transactions.map(({ amount, status }: { amount: number; status: string }) => `${amount} ${status}`).toSorted()).toEqual([
      "-5 refunded",
      "19 completed",
    ]);
    expect([await countOf(movements), await countOf(paymentLinks), await countOf(bankPayments)].every((count) => count > 0)).toBe(true);
    expect((await ops("story?q=upgrade")).body.entries.length).toBeGreaterThan(4);
  });

  it("answer repeats of what they were, and nothing is made", async () => {
    const again = (await call(CART, cart({ items: [line("TestUsd1")], client_token: TOKEN }))).body;
    expect(again).toEqual({ ...answers.link, duplicate: true });
    expect((await callV1(LINK, link({ idempotency_key: KEY }))).body).toMatchObject({
      short_url: answers.first.short_url,
      is_replay: true,
    });
    expect((await call(BANK, bankCart({ client_token: TOKEN }))).body).toMatchObject({ order_id: answers.order.order_id, duplicate: true });
    expect(await control("/objects?type=payment_links", undefined, "GET")).toMatchObject({ count: 0 });
  });

  it("lead customers on, and sign events with the webhook's secret", async () => {
    const { pathname } = new URL(String(answers.link.short_url));
    expect((await send(pathname)).status).toBe(302);
    const resent = await change(`deliveries/${await fieldOf(events, "id", { name: "Bank.payment.succeeded" })}/resend`);
    expect(resent.body).toMatchObject({ success: true });
  });
});
