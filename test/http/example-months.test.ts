import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { connectCell, runBatch } from "../../src/db/client.ts";
import { insertRows } from "../../src/db/insert-rows.ts";
import {
  bankPayments,
  deliveryAttempts,
  disputes,
  events,
  movements,
  paymentLinks,
  promotionCodes,
  refusedRequests,
  subscriptions,
} from "../../src/db/schema/index.ts";
import { sumsOfPayment } from "../../src/ledger/movements/order-sums.ts";
import { upsertOrder } from "../../src/orders/store.ts";
import { exampleMonths } from "../../tools/local/example-months.ts";
import { keys, send } from "../support/api.ts";
import { EDGE } from "../support/stack.ts";

/** What `npm run seed` writes is read by every page that shows it. */

const get = (path: string) => send(`/partner/${path}`, { headers: { "X-Partner-Api-Key": keys.acme } });

beforeAll(async () => {
  const cell = connectCell(env.CELL_1);
  for (const environment of ["live", "test"] as const) {
    const made = await exampleMonths({ environment, payments: 60, days: 30, now: Date.now(), seed: 1, shortLinkOrigin: EDGE });
    await runBatch(cell, [
      insertRows(cell, paymentLinks, made.links),
      insertRows(cell, subscriptions, made.subscriptions),
      insertRows(cell, promotionCodes, made.codes),
      insertRows(cell, bankPayments, made.bankPayments),
      insertRows(cell, refusedRequests, made.refusals),
      insertRows(cell, disputes, made.disputes),
      insertRows(cell, events, made.events),
      insertRows(cell, deliveryAttempts, made.attempts),
      insertRows(cell, movements, made.movements),
    ]);
    await runBatch(
      cell,
      made.orders.flatMap((facts) => upsertOrder(cell, facts, sumsOfPayment(facts.id))),
    );
  }
});

describe.each([
  ["orders", "orders", "id"],
  ["payments", null, ""],
  ["links", "links", "payment_link_id"],
  ["subscriptions", "subscriptions", "subscription_id"],
  ["promotion-codes", "promotion-codes", "promotion_code_id"],
  ["bank-payments", null, ""],
  ["deliveries", "deliveries", "event"],
  ["requests", null, ""],
])("example %s", (list, detail, id) => {
  it.each(["live", "test"])("are listed in the %s environment, and each is shown", async (environment) => {
    const { status, body } = await get(`${list}?environment=${environment}&limit=100`);
    expect([status, body.data.length > 0]).toEqual([200, true]);
    if (detail === null) return;
    for (const row of body.data.slice(0, 5)) expect([row[id], (await get(`${detail}/${row[id]}`)).status]).toEqual([row[id], 200]);
  });
});

it.each(["live", "test"])("example subscriptions of the %s environment bring money, in the list and in the report", async (environment) => {
  const [{ monthly }] = (await get(`subscriptions?environment=${environment}`)).body.sums;
  expect(monthly).toBeGreaterThan(100);
  expect((await get(`reports/subscriptions?environment=${environment}`)).body.totals).toMatchObject([{ currency: "USD", monthly }]);
});
