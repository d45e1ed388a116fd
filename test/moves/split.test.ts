import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cellCodeOf } from "../../src/core/cell-code.ts";
import { connectCell } from "../../src/db/client.ts";
import { partners } from "../../src/db/schema/index.ts";
import { deleteUnfinished } from "../../src/moves/clean.ts";
import type { IncomingMove } from "../../src/moves/store.ts";
import { BANK, bankCart, CODE, keys, LINK, LIST, LIVE_LINKS, link, PAYMENT, promotion, REGISTER } from "../support/api.ts";
import { notification } from "../support/bank.ts";
import { allInFirstCell } from "../support/cells.ts";
import { DAY, HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { control, EDGE, SANDBOX, world } from "../support/stack.ts";
import { updateRows } from "../support/tables.ts";
import { ask, connectToSandbox, first, objects, ops, post, second, workOff } from "../support/two-cell-worker.ts";

/** What a partner and its customers notice when it is split by time: what it makes from then on is in the second of two cells. */

const [FIRST, SECOND] = [cellCodeOf(1), cellCodeOf(2)];
const { fetch } = world;
let tests = 0;

beforeAll(async () => {
  await applyD1Migrations(env.SECOND_CELL, env.CELL_MIGRATIONS);
  await allInFirstCell();
  connectToSandbox();
});
beforeEach(async () => {
  await control("/reset", {});
  for (const db of [env.CELL_1, env.SECOND_CELL]) await clear(db);
  await env.DIRECTORY.batch(["earlier_cells", "refreshes", "processor_events"].map((name) => env.DIRECTORY.prepare(`DELETE FROM ${name}`)));
  await updateRows(partners, { cell: FIRST }, { id: "acme" });
  objects.clear();
  // What an isolate remembers of where a partner is, it remembers for a minute.
  tests += 1;
  pass(tests * DAY);
});
afterEach(realTime);
afterAll(async () => {
  Object.assign(world, { fetch });
  await env.DIRECTORY.prepare("DELETE FROM earlier_cells").run();
  await updateRows(partners, { cell: FIRST }, { id: "acme" });
});

const TABLES = [
  ..."arrivals departures departure_changes delivery_attempts events endpoint_secrets endpoints movements subscriptions".split(" "),
  ..."bank_notifications bank_payments disputes payouts orders promotion_codes link_payments payment_links idempotency_records processor_events refreshes".split(
    " ",
  ),
];
const clear = (db: D1Database) => db.batch(TABLES.map((name) => db.prepare(`DELETE FROM ${name}`)));

async function split(): Promise<void> {
  const done = await ops("partners/acme/split", { to: SECOND });
  expect(done).toMatchObject({ status: 200, body: { splits: true, from: FIRST, to: SECOND, phase: "switched", problem: null } });
}

const idsIn = async (db: D1Database, table: string, where = "TRUE") =>
  (await db.prepare(`SELECT id FROM ${table} WHERE partner_id = 'acme' AND ${where} ORDER BY id`).all<{ id: unknown }>()).results.map(
    ({ id }) => String(id),
  );
const inBoth = async (table: string, where?: string) => [
  (await idsIn(env.CELL_1, table, where)).length,
  (await idsIn(env.SECOND_CELL, table, where)).length,
];

/** As if all events had been sent: those that wait would go with the split. */
const delivered = () => env.CELL_1.prepare("UPDATE events SET state = 'succeeded'").run();

interface Paid {
  payment_intent: string;
  subscription: string;
  charge: string;
}

async function pay(url: string, how: object = {}): Promise<Paid> {
  const paid = await control<Paid>("/pay", { short_url: url, ...how });
  await workOff();
  return paid;
}

const listed = (filter: object = {}) => post(`/${LIST}`, { environment: "test", ...filter });
const paymentsOf = ({ transactions }: { transactions: { payment_intent_id: string }[] }) =>
  transactions.map(({ payment_intent_id }) => payment_intent_id);

describe("a key from before the split", () => {
  it("gives the same result, and its record comes to the new cell", async () => {
    const token = crypto.randomUUID();
    const [made, madeFirst] = [await second({ client_token: token }), await first(token)];
    const { client_token: _, ...untokened } = { ...link(), client_token: undefined };
    const code = promotion({ ...untokened, code: "BEFORE" });
    const madeCode = await post(`/webhook/${CODE}`, { ...code, api_key: keys.acme });
    await split();
    for (const forget of [false, true]) {
      if (forget) objects.clear();
      expect(await second({ client_token: token })).toEqual({ ...made, duplicate: true });
      expect(await first(token)).toEqual({ ...madeFirst, is_replay: true });
      expect(await post(`/webhook/${CODE}`, { ...code, api_key: keys.acme })).toEqual({ ...madeCode, is_replay: true });
    }
    expect(await inBoth("idempotency_records")).toEqual([0, 3]);
    expect(await inBoth("payment_links")).toEqual([2, 0]);
  });

  it("of a promotion code whose text another took since: the first is not lost, and cannot be stopped any more", async () => {
    const code = { ...promotion({ code: "AGAIN" }), api_key: keys.acme };
    const { stripe_promotion_code_id: id } = await post(`/webhook/${CODE}`, code);
    await split();
    const [row] = (await env.CELL_1.prepare("SELECT * FROM promotion_codes WHERE id = ?1").bind(id).all<Record<string, string>>()).results;
    const taken = { ...row, id: "promo_taken" };
    const names = Object.keys(taken);
    await env.SECOND_CELL.prepare(`INSERT INTO promotion_codes (${names.join()}) VALUES (${names.map(() => "?").join()})`)
      .bind(...Object.values(taken))
      .run();
    expect(await ops(`promotion-codes/${id}/deactivate`, {})).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("took its place") },
    });
    expect(await inBoth("promotion_codes")).toEqual([1, 1]);
    await env.SECOND_CELL.prepare("DELETE FROM promotion_codes").run();
    expect(await ops(`promotion-codes/${id}/deactivate`, {})).toMatchObject({ status: 200, body: { state: "disabled" } });
    expect(await inBoth("promotion_codes")).toEqual([0, 1]);
  });

  it("is a conflict with another body at any time, also days later", async () => {
    const key = crypto.randomUUID();
    await first(key);
    await split();
    pass(3 * DAY);
    const other = await post(`/webhook/${LINK}`, link({ idempotency_key: key, api_key: keys.acme, price: { unit_amount: 999 } }));
    expect(other).toMatchObject({ success: false, error_code: "idempotency_conflict" });
  });

  it("begins anew in the new cell once its window is over", async () => {
    const key = crypto.randomUUID();
    const made = await first(key);
    await split();
    pass(2 * DAY);
    const anew = await first(key);
    expect(anew).toMatchObject({ success: true, is_replay: false });
    expect(anew.short_url).not.toBe(made.short_url);
    expect(await inBoth("idempotency_records")).toEqual([0, 1]);
    expect(await inBoth("payment_links")).toEqual([1, 1]);
  });

  it("that waits for its short link is completed in the new cell, with its link", async () => {
    const { mend } = breakShortLinks();
    const key = crypto.randomUUID();
    expect(await first(key)).toMatchObject({ success: false, error_code: "short_url_unavailable" });
    mend();
    const [id] = await idsIn(env.CELL_1, "payment_links");
    await split();
    expect(await inBoth("payment_links")).toEqual([0, 1]);
    const completed = await ops(`payment-links/${id}/short-link`, {});
    expect(completed).toMatchObject({ status: 200, body: { payment_link_id: id } });
    expect(await first(key)).toMatchObject({ success: true, short_url: completed.body.short_url, is_replay: true });
    expect(await inBoth("payment_links", "slug IS NOT NULL")).toEqual([0, 1]);
  });

  it("that only the new cell knows needs no earlier one, and one that is out of reach fails closed", async () => {
    const token = crypto.randomUUID();
    await second({ client_token: token });
    await split();
    objects.clear();
    await env.CELL_1.prepare("ALTER TABLE idempotency_records RENAME TO lost").run();
    const answer = await second({ client_token: token });
    await env.CELL_1.prepare("ALTER TABLE lost RENAME TO idempotency_records").run();
    expect(answer).toMatchObject({ success: false, error_code: "INTERNAL_ERROR" });
    expect(await second({ client_token: token })).toMatchObject({ success: true, duplicate: true });
    expect(await inBoth("payment_links")).toEqual([1, 0]);
  });
});

describe("lists", () => {
  it("are counted, summed and sorted over both cells, each row once", async () => {
    const { short_url } = await second({});
    const sell = async () => {
      pass(1000);
      return (await pay(short_url)).payment_intent;
    };
    const paid = [await sell(), await sell(), await sell()];
    const open = async (number: string) => {
      pass(1000);
      return (await post(`/${BANK}`, bankCart({ external_order_id: number }))).order_id as string;
    };
    const rubles = [await open("before-1"), await open("before-2")];
    await split();
    pass(HOUR);
    paid.push(await sell(), await sell());
    rubles.push(await open("after-1"));
    const get = async (path: string) =>
      (await (await ask(`${EDGE}/partner/${path}`, { headers: { "X-Partner-Api-Key": keys.acme } })).json()) as Record<string, any>;
    const pages = async (path: string, id: string) => {
      const found: string[] = [];
      for (let cursor = ""; ; ) {
        const { data, next, count } = await get(`${path}&limit=2${cursor}`);
        found.push(...data.map((row: Record<string, string>) => row[id]));
        if (next === null) return { found, count };
        cursor = `&cursor=${encodeURIComponent(next)}`;
      }
    };
    const sale = { currency: "USD", movements: 5, amount: 385, net: 372.35 };
    expect(await get("payments?environment=test&limit=1")).toMatchObject({ count: 5, sums: [sale] });
    expect((await pages("payments?environment=test&sort=transaction_date", "payment_intent_id")).found).toEqual(paid);
    expect(new Set((await pages("payments?environment=test&sort=-amount", "payment_intent_id")).found)).toEqual(new Set(paid));
    expect(await pages("orders?environment=test&currency=USD&sort=created_at", "id")).toEqual({ found: paid, count: 5 });
    expect((await pages("bank-payments?environment=test&sort=created_at", "order_id")).found).toEqual(rubles);
    expect((await get("bank-payments?environment=test")).sums).toMatchObject([{ currency: "RUB", payments: 3, paid: 0 }]);
  });

  it("go on in the earlier cell where the newest has not enough, in one order, and say whether there is more", async () => {
    const { short_url } = await second({});
    const paid: string[] = [];
    const sell = async (order: string) => paid.unshift((await pay(short_url, { client_reference_id: order })).payment_intent);
    for (const order of ["a", "b", "c"]) {
      pass(1000);
      await sell(order);
    }
    await split();
    pass(HOUR);
    for (const order of ["d", "a"]) {
      pass(1000);
      await sell(order);
    }
    expect(await inBoth("movements")).toEqual([3, 2]);
    const all = await listed();
    expect([paymentsOf(all), all.has_more]).toEqual([paid, false]);
    for (let limit = 1; limit <= 5; limit += 1) {
      const page = await listed({ limit });
      expect([paymentsOf(page), page.has_more]).toEqual([paid.slice(0, limit), limit < 5]);
    }
    const last = all.transactions[2].transaction_date;
    expect(paymentsOf(await listed({ created_lte: last }))).toEqual(paid.slice(2));
    expect(paymentsOf(await listed({ created_gte: last }))).toEqual(paid.slice(0, 3));
    expect(paymentsOf(await listed({ created_gte: last, created_lte: last }))).toEqual(paid.slice(2, 3));
    expect(paymentsOf(await listed({ client_reference_id: "a" }))).toEqual([paid[0], paid[4]]);
    // The first generation's list of the processor's objects.
    const { count, data } = await post("/webhook/get-processor-objects", { created: { gte: "2020-01-01" }, api_key: keys.acme });
    expect([count, data.map((record: { payment_intent: { id: string } }) => record.payment_intent.id)]).toEqual([5, paid]);
  });

  it("of live links have those of both cells, the newest first, and none that was disabled", async () => {
    const live = (amount: number) =>
      post(`/webhook/${LINK}`, link({ stripe_product_id: "prod_acmeLiveUsd2", price: { unit_amount: amount }, api_key: keys.acme }));
    const shown = async () => (await post(`/${LIVE_LINKS}`, {})).products.map(({ unit_amount }: { unit_amount: number }) => unit_amount);
    for (const amount of [101, 102, 103]) {
      pass(1000);
      await live(amount);
    }
    await split();
    for (const amount of [201, 202]) {
      pass(1000);
      await live(amount);
    }
    expect(await shown()).toEqual([202, 201, 103, 102, 101]);
    const row = await env.CELL_1.prepare("SELECT id, slug FROM payment_links WHERE items LIKE '%,102,%'").first<{
      id: string;
      slug: string;
    }>();
    expect(await ops(`payment-links/${row?.id}/disable`, {})).toMatchObject({ status: 200 });
    expect(await inBoth("payment_links")).toEqual([2, 3]);
    expect(await shown()).toEqual([202, 201, 103, 101]);
    await ops(`payment-links/${row?.id}/enable`, {});
    expect(await shown()).toEqual([202, 201, 103, 102, 101]);
    await env.SHORT_LINKS.delete(row?.slug ?? "");
    expect((await ask(`${EDGE}/${row?.slug}`)).status).toBe(302);
  });
});

it("what was brought and not deleted, because of a cut, is deleted when it is touched next", async () => {
  await post(`/webhook/${LINK}`, link({ stripe_product_id: "prod_acmeLiveUsd2", api_key: keys.acme }));
  const [id] = await idsIn(env.CELL_1, "payment_links");
  const copy = await env.CELL_1.prepare("SELECT * FROM payment_links WHERE id = ?").bind(id).first();
  await split();
  await ops(`payment-links/${id}/disable`, {});
  const names = Object.keys(copy ?? {});
  pass(2 * HOUR);
  await ops("partners/acme/split", { to: SECOND });
  await env.CELL_1.prepare(`INSERT INTO payment_links (${names.join()}) VALUES (${names.map(() => "?").join()})`)
    .bind(...Object.values(copy ?? {}))
    .run();
  expect(await inBoth("payment_links")).toEqual([1, 1]);
  expect((await ops(`payment-links/${id}/disable`, {})).body).toMatchObject({ disabled_at: expect.any(String) });
  expect(await inBoth("payment_links", "disabled_at IS NOT NULL")).toEqual([0, 1]);
  expect(await inBoth("payment_links")).toEqual([0, 1]);
});

describe("a link for so many payments", () => {
  const limit = (id: string, body: object) =>
    ask(`${EDGE}/partner/links/${id}/limits`, {
      method: "POST",
      headers: { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const stateOf = async (id: string): Promise<string> =>
    ((await (await ask(`${EDGE}/partner/links/${id}`, { headers: { "X-Partner-Api-Key": keys.acme } })).json()) as { state: string }).state;

  it("counts those from before the split and after it, and stays closed", async () => {
    const { short_url, payment_link_id: id } = await second({});
    expect((await limit(id, { completed_sessions: 2 })).status).toBe(200);
    await pay(short_url);
    await split();
    pass(MINUTE);
    expect(await stateOf(id)).toBe("open");
    await pay(short_url);
    expect(await stateOf(id)).toBe("closed");
    expect((await limit(id, { closes_at: "2099-01-01T00:00:00Z" })).status).toBe(200);
    expect(await stateOf(id)).toBe("closed");
    expect((await limit(id, { completed_sessions: 3 })).status).toBe(200);
    expect(await stateOf(id)).toBe("open");
  });

  it("counts those from before the split where it is limited after it", async () => {
    const { short_url, payment_link_id: id } = await second({});
    await pay(short_url);
    await split();
    pass(MINUTE);
    await pay(short_url);
    expect((await limit(id, { completed_sessions: 2 })).status).toBe(200);
    expect(await stateOf(id)).toBe("closed");
  });
});

describe("a payment from before the split", () => {
  it("comes to the new cell with its refund; each event is sent once, and it is shown once", async () => {
    await post(`/${REGISTER}`, { test_url: `${SANDBOX}/inbox/split` });
    const { short_url } = await second({});
    const paid = await pay(short_url, { client_reference_id: "order-1" });
    const other = await pay(short_url);
    await delivered();
    await split();
    expect(await inBoth("events")).toEqual([1, 1]);
    const before = await listed();
    pass(HOUR);
    await control("/refund", { payment_intent: paid.payment_intent, amount: 500 });
    await workOff();
    expect(await inBoth("movements")).toEqual([1, 2]);
    const after = await listed();
    expect(after.transactions.slice(1)).toEqual(expect.arrayContaining(before.transactions));
    expect([after.count, after.transactions[0].payment_intent_id]).toEqual([3, paid.payment_intent]);
    const names = await Promise.all(
      [env.CELL_1, env.SECOND_CELL].map(
        async (db) => (await db.prepare("SELECT name FROM events WHERE partner_id = 'acme' ORDER BY name").all<{ name: string }>()).results,
      ),
    );
    expect(
      names
        .flat()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(["Processor.payment.succeeded", "Processor.payment.succeeded", "Processor.refund.succeeded"]);
    const found = await post(`/${PAYMENT}`, { payment_intent_id: paid.payment_intent });
    expect(found).toMatchObject({ success: true, payment: { client_reference_id: "order-1" } });
    expect(found.related_movements).toHaveLength(1);
    expect(await post(`/${PAYMENT}`, { payment_intent_id: other.payment_intent })).toMatchObject({ success: true });
    // The same again changes nothing.
    await control("/events", { environment: "test", duplicate: 2 });
    await control("/refund", { payment_intent: paid.payment_intent, amount: 100 });
    await workOff();
    await control("/events", { environment: "test" });
    expect((await listed()).count).toBe(4);
    expect(await inBoth("movements")).toEqual([1, 3]);
  });

  it("has its subscriptions in lists as they are now, and not as the earlier cell still has them", async () => {
    const monthly = await post(
      `/webhook/${LINK}`,
      link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 }, api_key: keys.acme }),
    );
    const { subscription } = await pay(monthly.short_url);
    await split();
    expect(await inBoth("subscriptions")).toEqual([1, 1]);
    await env.SECOND_CELL.prepare("UPDATE subscriptions SET cancel_at_period_end = 1").run();
    const own = async (query: string): Promise<{ subscription_id: string; state: string }[]> =>
      ((await (await ask(`${EDGE}/partner/subscriptions${query}`, { headers: { "X-Partner-Api-Key": keys.acme } })).json()) as any).data;
    const ofAll = async (query: string) => (await ops(`subscriptions${query}`)).body.data;
    for (const list of [own, ofAll]) {
      expect(await list("")).toMatchObject([{ subscription_id: subscription, state: "ending" }]);
      expect(await list("?state=ending")).toHaveLength(1);
      expect(await list("?state=active")).toEqual([]);
    }
  });

  it("has its disputes and payouts counted once, as they are now", async () => {
    const dispute =
      "INSERT INTO disputes (id, partner_id, environment, payment_intent_id, client_reference_id, amount, currency, reason, status, evidence_due_by, created_at, updated_at)";
    const payout = "INSERT INTO payouts (id, partner_id, currency, amount, paid_at, date, bank_reference, state, entered_by, created_at)";
    await env.CELL_1.batch([
      env.CELL_1.prepare(
        `${dispute} VALUES ('du_split', 'acme', 'live', 'pi_1', 'x', 1900, 'USD', 'fraudulent', 'needs_response', 0, 1, 1),
          ('du_undated', 'acme', 'live', 'pi_2', 'x', 1900, 'USD', 'fraudulent', 'needs_response', NULL, 1, 1)`,
      ),
      env.CELL_1.prepare(`${payout} VALUES ('po_split', 'acme', 'USD', 5000, 1, '2026-11-05', 'SPLIT', 'waiting', 'Maria', 1)`),
    ]);
    await split();
    expect([await inBoth("disputes"), await inBoth("payouts")]).toEqual([
      [2, 2],
      [1, 1],
    ]);
    await env.SECOND_CELL.batch([
      env.SECOND_CELL.prepare("UPDATE disputes SET status = 'won' WHERE id = 'du_split'"),
      env.SECOND_CELL.prepare("UPDATE payouts SET state = 'recorded'"),
    ]);
    const own = async (path: string) =>
      (await (await ask(`${EDGE}/partner/${path}`, { headers: { "X-Partner-Api-Key": keys.acme } })).json()) as { count: number };
    const ofAll = async (path: string) => (await ops(path)).body as { count: number };
    for (const list of [own, ofAll])
      for (const [path, count] of [
        ["disputes", 2],
        ["disputes?state=won", 1],
        // Also one without a date by which evidence is due.
        ["disputes?state=needs_response", 1],
        ["payouts", 1],
        ["payouts?state=waiting", 0],
      ] as const)
        expect([path, (await list(path)).count]).toEqual([path, count]);
  });

  it("is paid through an old link afterwards as before, and a renewal has its subscription's link and order", async () => {
    const { short_url } = await second({});
    const monthly = await post(
      `/webhook/${LINK}`,
      link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 }, api_key: keys.acme }),
    );
    const subscribed = await pay(monthly.short_url, { client_reference_id: "monthly-1" });
    await split();
    pass(10 * MINUTE);
    await ops("partners/acme/split", { to: SECOND });
    expect(await inBoth("subscriptions")).toEqual([0, 1]);
    expect((await ask(short_url)).status).toBe(302);
    await pay(short_url, { client_reference_id: "later" });
    await control("/renew", { subscription: subscribed.subscription });
    await workOff();
    const { transactions } = await listed();
    expect(transactions).toHaveLength(3);
    const renewal = transactions.find(
      ({ subscription_id, payment_intent_id }: Record<string, string>) =>
        subscription_id !== null && payment_intent_id !== subscribed.payment_intent,
    );
    const begun = transactions.find(({ payment_intent_id }: Record<string, string>) => payment_intent_id === subscribed.payment_intent);
    expect(renewal).toMatchObject({ subscription_id: subscribed.subscription, payment_link_id: begun.payment_link_id });
    expect(await inBoth("movements")).toEqual([1, 2]);
  });

  it("at the bank has its notifications in the new cell, whether it was open or paid", async () => {
    await post(`/${REGISTER}`, { test_url: `${SANDBOX}/inbox/split` });
    const open = async () => {
      const made = await post(`/${BANK}`, bankCart());
      const held = Object.values(world.state.objects).find(({ order_id }) => order_id === made.order_id);
      return { ...made, bankPaymentId: held?.id ?? "" };
    };
    const tell = async (order: Parameters<typeof notification>[0], status: string) =>
      (
        await ask(`${EDGE}/ingest/bank`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: await notification(order, status),
        })
      ).status;
    const [paid, waiting] = [await open(), await open()];
    expect(await tell(paid, "CONFIRMED")).toBe(200);
    await delivered();
    await split();
    pass(2 * MINUTE);
    expect(await inBoth("bank_payments")).toEqual([1, 1]);
    expect([await tell(waiting, "CONFIRMED"), await tell(paid, "REFUNDED")]).toEqual([200, 200]);
    expect(await inBoth("bank_payments")).toEqual([0, 2]);
    const statuses = await env.SECOND_CELL.prepare("SELECT status FROM bank_payments ORDER BY status").all<{ status: string }>();
    expect(statuses.results.map(({ status }) => status)).toEqual(["CONFIRMED", "REFUNDED"]);
    // The refund of what was paid before the split is told from the new cell, with the whole amount.
    expect(await inBoth("events")).toEqual([0, 3]);
    const refunded = await env.SECOND_CELL.prepare(
      "SELECT payload ->> '$.Refund.Amount' AS amount FROM events WHERE name = 'Bank.payment.refunded'",
    ).all();
    expect(refunded.results).toEqual([{ amount: paid.amount_kopecks }]);
  });
});

describe("the feed of events", () => {
  it("goes on behind the cursor from before the split, although the clocks of both cells differ", async () => {
    const { short_url } = await second({});
    const read = async (query: string): Promise<{ data: { id: string }[]; next: string }> =>
      (await ask(`${EDGE}/partner/events${query}`, { headers: { "X-Partner-Api-Key": keys.acme } })).json();
    for (let count = 0; count < 3; count += 1) await pay(short_url);
    await delivered();
    const [newest] = await idsIn(env.CELL_1, "events", "TRUE ORDER BY created_at DESC LIMIT 1 --");
    await env.CELL_1.prepare("UPDATE events SET created_at = ? WHERE id = ?")
      .bind(Date.now() + 2 * HOUR, newest)
      .run();
    const before = await read("?environment=test&limit=2");
    const rest = await read(`?environment=test&after=${before.next}`);
    expect([before.data.length, rest.data.map(({ id }) => id)]).toEqual([2, [newest]]);
    await split();
    expect(await inBoth("events")).toEqual([2, 1]);
    // The step is done again where it was cut off: what is the newest of the rest was never copied, and stays.
    const cells = { source: connectCell(env.CELL_1), target: connectCell(env.SECOND_CELL) };
    for (let again = 0; again < 2; again += 1) await deleteUnfinished(cells, { partnerId: "acme", splits: true } as IncomingMove);
    expect(await inBoth("events")).toEqual([2, 1]);
    pass(HOUR);
    await pay(short_url);
    const after = await read(`?environment=test&after=${rest.next}`);
    expect(after.data).toHaveLength(1);
    // The cells together have all, each once, also while a copy is left in the earlier one.
    const whole = await read("?environment=test");
    expect(whole.data.map(({ id }) => id)).toEqual([...before.data, ...rest.data, ...after.data].map(({ id }) => id));
  });
});

describe("operators", () => {
  it("find, explain and send again what is in the earlier cell, and count both", async () => {
    await post(`/${REGISTER}`, { test_url: `${SANDBOX}/inbox/split` });
    const token = crypto.randomUUID();
    const { short_url } = await second({ client_token: token });
    await pay(short_url, { client_reference_id: "order-9" });
    // The newest event goes with the split.
    await pay(short_url);
    await delivered();
    await split();
    pass(2 * HOUR);
    const [event] = await idsIn(env.CELL_1, "events");
    expect((await ops(`deliveries?partner=acme`)).body.data).toMatchObject([{}, { event }]);
    expect(await ops(`idempotency?partner=acme&operation=create-partner-processor-cart-payment-link&key=${token}`)).toMatchObject({
      status: 200,
      body: { state: "completed", repeat: "replay" },
    });
    const story = await ops("story?q=order-9");
    expect(JSON.stringify(story.body)).toContain(event);
    expect(await ops(`deliveries/${event}/resend`, {})).toMatchObject({ status: 200, body: { success: true } });
    expect(await inBoth("events")).toEqual([0, 2]);
    expect((await ops("partners/acme")).body).toMatchObject({ cell: SECOND, earlier_cells: [{ cell: FIRST }] });
  });

  it("send again everything since a time, and what is exhausted, from both cells and a hundred at a time", async () => {
    await post(`/${REGISTER}`, { test_url: `${SANDBOX}/inbox/split` });
    const { short_url } = await second({});
    await pay(short_url, { client_reference_id: "order-10" });
    await delivered();
    const [event = ""] = await idsIn(env.CELL_1, "events");
    // 120 further events, each a second older than the one before.
    const columns = (await env.CELL_1.prepare("SELECT * FROM events").first()) ?? {};
    const names = Object.keys(columns).filter((name) => name !== "id" && name !== "cause" && name !== "created_at");
    for (let older = 1; older <= 120; older += 1) {
      await env.CELL_1.prepare(
        `INSERT INTO events (id, cause, created_at, ${names.join()}) SELECT id || ?1, cause || ?1, created_at - ?1 * 1000, ${names.join()} FROM events WHERE id = ?2`,
      )
        .bind(older, event)
        .run();
    }
    await split();
    pass(2 * HOUR);
    const since = "2020-01-01";
    const again = await ops(`endpoints/ep_acme_test/send-again?since=${since}`, {});
    expect(again.body).toMatchObject({ restarted: 100, next_since: expect.any(String) });
    const rest = await ops(`endpoints/ep_acme_test/send-again?since=${again.body.next_since}`, {});
    expect(rest.body).toMatchObject({ restarted: 21, next_since: null });
    expect(await inBoth("events")).toEqual([0, 121]);
  });

  it("restart what is exhausted in the earlier cell too, and say what is left there", async () => {
    await post(`/${REGISTER}`, { test_url: `${SANDBOX}/inbox/split` });
    const { short_url } = await second({});
    await pay(short_url, { client_reference_id: "order-11" });
    await delivered();
    await env.CELL_1.prepare("UPDATE events SET state = 'exhausted'").run();
    await split();
    pass(2 * HOUR);
    expect((await ops("endpoints/ep_acme_test/send-exhausted", {})).body).toMatchObject({ restarted: 1, left: 0 });
    expect(await inBoth("events")).toEqual([0, 1]);
  });

  it("move what is newest of a partner that was split, and split it no second time into a cell that it has", async () => {
    await second({});
    await split();
    await second({});
    expect(await ops("partners/acme/move", { to: FIRST })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("which stays there") },
    });
    expect(await ops("partners/acme/split", { to: FIRST })).toMatchObject({ status: 409 });
    expect(await ops("partners/acme/split", { to: SECOND })).toMatchObject({ status: 200, body: { phase: "switched" } });
    expect(await inBoth("payment_links")).toEqual([1, 1]);
  });
});
