import { beforeAll, describe, expect, it } from "vitest";
import { orders } from "../../src/db/schema/index.ts";
import { BANK, bankCart, CART, CODE, call, callV1, cart, keyFor, keys, promotion, send } from "../support/api.ts";
import { change } from "../support/ops.ts";
import { line, type Paid, pay, quiet } from "../support/payments.ts";
import { control } from "../support/stack.ts";
import { deleteRows } from "../support/tables.ts";

/** One order for each thing that a customer buys, from the first attempt to pay to the last refund. */

const get = async (path: string, key: string = keys.acme) => (await send(path, { headers: { "X-Partner-Api-Key": key } })).body;
const orderOf = (id: string) => get(`/partner/orders/${id}`);
const listed = (query: string) => get(`/partner/orders?${query}`);

describe("the order of a card payment", () => {
  it("says who bought what, how it was paid and what is kept", async () => {
    const paid = await pay(["TestUsd1"], { email: "Ann@Example.com", client_reference_id: "order-whole" });
    await quiet();
    const order = await orderOf(paid.payment_intent);
    expect(order).toMatchObject({
      id: paid.payment_intent,
      environment: "test",
      status: "paid",
      client_reference_id: "order-whole",
      payment_link_id: expect.stringMatching(/^plink_/),
      subscription_id: null,
      payment_intent_id: paid.payment_intent,
      bank_order_id: null,
      customer: { email: "Ann@Example.com", name: null },
      items: [{ product_id: "prod_acmeTestUsd1", name: expect.any(String), quantity: 1, unit_amount: 1900 }],
      payment_method: "Visa ···· 4242",
      promotion_code: null,
      currency: "USD",
      charged: 19,
      refunded: 0,
      disputed: 0,
      kept: 19,
      settlement_currency: "USD",
      fee: 0.85,
      net: 18.15,
    });
    expect(order.paid_at).toMatch(/Z$/);
    expect(order.movements.map(({ amount }: { amount: number }) => amount)).toEqual([19]);
    expect(order.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining(["payment_link", "movement"]));
    expect(order.deliveries.map(({ type }: { type: string }) => type)).toEqual(["Processor.payment.succeeded"]);
  });

  it("follows its refunds: partly, then wholly", async () => {
    const paid = await pay(["TestUsd1"]);
    await control("/refund", { payment_intent: paid.payment_intent, amount: 599 });
    await quiet();
    expect(await orderOf(paid.payment_intent)).toMatchObject({ status: "partly_refunded", charged: 19, refunded: 5.99, kept: 13.01 });
    await control("/refund", { payment_intent: paid.payment_intent });
    await quiet();
    expect(await orderOf(paid.payment_intent)).toMatchObject({ status: "refunded", refunded: 19, kept: 0 });
  });

  it("is disputed while a dispute holds the money, and paid again once it is won", async () => {
    const paid = await pay(["TestUsd1"]);
    const { dispute } = await control<{ dispute: string }>("/dispute", { payment_intent: paid.payment_intent });
    await quiet();
    expect(await orderOf(paid.payment_intent)).toMatchObject({ status: "disputed", disputed: 19, kept: 0 });
    await control("/dispute/close", { dispute, won: true });
    await quiet();
    expect(await orderOf(paid.payment_intent)).toMatchObject({ status: "paid", disputed: 0, kept: 19 });
  });

  it("is there when the payment failed, and says who did not pay", async () => {
    const paid = await pay(["TestUsd1"], { outcome: "failed", email: "broke@example.com" });
    await quiet();
    expect(await orderOf(paid.payment_intent)).toMatchObject({
      status: "failed",
      paid_at: null,
      charged: 0,
      kept: 0,
      fee: null,
      net: null,
      customer: { email: "broke@example.com" },
      movements: [],
    });
  });

  it("is pending as long as a slow method is, and then as it ends", async () => {
    const [won, lost] = [await pay(["TestUsd1"], { outcome: "pending" }), await pay(["TestUsd1"], { outcome: "pending" })];
    await quiet();
    expect(await orderOf(won.payment_intent)).toMatchObject({ status: "pending", charged: 0, net: null });
    await control("/settle", { payment_intent: won.payment_intent, outcome: "succeeded" });
    await control("/settle", { payment_intent: lost.payment_intent, outcome: "failed" });
    await quiet();
    expect(await orderOf(won.payment_intent)).toMatchObject({ status: "paid", charged: 19 });
    // What was booked and taken back leaves its fee: the file of orders adds up to the balance.
    expect(await orderOf(lost.payment_intent)).toMatchObject({
      status: "failed",
      charged: 0,
      fee: 0.85,
      net: -0.85,
      movements: [{ net_amount: 18.15 }, { net_amount: -19 }],
      summary: { en: expect.stringContaining("its fee of $0.85 remains") },
    });
  });

  it("is in what the customer was charged in, with fee and net in the settlement currency", async () => {
    const paid = await pay(["TestUsd1"], { settlement: { currency: "EUR", exchange_rate: 0.9 } });
    await control("/refund", { payment_intent: paid.payment_intent, amount: 500 });
    await quiet();
    expect(await orderOf(paid.payment_intent)).toMatchObject({
      currency: "USD",
      charged: 19,
      refunded: 5,
      kept: 14,
      settlement_currency: "EUR",
      fee: 0.8,
      net: 11.8,
    });
  });
});

it("a checkout with nothing to pay is an order by its own id, with the code", async () => {
  await callV1(CODE, promotion({ code: "GIFTED", percent_off: 100, environment: "test", stripe_product_ids: ["prod_acmeTestUsd1"] }));
  const { body } = await call(CART, cart({ items: [line("TestUsd1", 2)], allow_promotion_codes: true }));
  const { checkout_session } = await control<Paid & { checkout_session: string }>("/pay", {
    short_url: body.short_url,
    promotion_code: "GIFTED",
  });
  await quiet();
  expect(await orderOf(checkout_session)).toMatchObject({
    id: checkout_session,
    payment_intent_id: null,
    status: "paid",
    charged: 0,
    kept: 0,
    promotion_code: "GIFTED",
    items: [{ quantity: 2, unit_amount: 1900 }],
  });
  // Its event names the checkout, and so do the lines of the story about it.
  const { timeline } = await orderOf(checkout_session);
  const told = timeline.filter(({ kind }: { kind: string }) => kind === "event");
  expect(told.map(({ objects }: { objects: string[] }) => objects)).toEqual([expect.arrayContaining([checkout_session])]);
});

describe("the uses of a promotion code", () => {
  it("are its paid orders, with what customers were let off, of this code and not of an earlier one of the same text", async () => {
    const make = async () =>
      (
        await callV1(
          CODE,
          promotion({
            idempotency_key: crypto.randomUUID(),
            code: "TWICE",
            percent_off: 50,
            environment: "test",
            stripe_product_ids: ["prod_acmeTestUsd1"],
          }),
        )
      ).body.stripe_promotion_code_id;
    const shown = (id: string, key?: string) => get(`/partner/promotion-codes/${id}`, key);
    const buy = async (outcome: "succeeded" | "failed") => {
      const { body } = await call(
        CART,
        cart({ client_token: crypto.randomUUID(), items: [line("TestUsd1", 2)], allow_promotion_codes: true }),
      );
      const paid = await control<Paid>("/pay", { short_url: body.short_url, promotion_code: "TWICE", outcome });
      await quiet();
      return paid.payment_intent;
    };
    const first = await make();
    expect(await shown(first)).toMatchObject({ used: 0, discounts: [] });
    const order = await buy("succeeded");
    await buy("failed");
    await change(`promotion-codes/${first}/deactivate`);
    const second = await make();
    await buy("succeeded");
    await buy("succeeded");
    expect(await shown(first)).toMatchObject({ code: "TWICE", used: 1, discounts: [{ currency: "USD", amount: 19 }] });
    expect(await shown(second)).toMatchObject({ code: "TWICE", used: 2, discounts: [{ currency: "USD", amount: 38 }] });
    const { data } = await get("/partner/promotion-codes?environment=test&limit=2");
    expect(data.map(({ promotion_code_id: id, used }: { promotion_code_id: string; used: number }) => [id, used])).toEqual([
      [second, 2],
      [first, 1],
    ]);
    const found = async (code: string) => (await listed(`environment=test&status=paid&${code}`)).data.map(({ id }: { id: string }) => id);
    expect(await found(`promotion_code_id=${first}`)).toEqual([order]);
    expect(await found("promotion_code=twice")).toHaveLength(3);
    expect([await found("promotion_code_id=promo_none"), await found("promotion_code=none")]).toEqual([[], []]);
    expect((await listed(`promotion_code_id=${second}`)).count).toBe(2);
    // What was paid is for readers of the balance alone.
    const { used, discounts } = await shown(first, keyFor("products_view"));
    expect([used, discounts]).toEqual([null, null]);
    expect(await get(`/partner/orders?promotion_code_id=${first}`, keys.globex)).toMatchObject({ data: [], count: 0 });
    // A partner's file has the discounts in words.
    const { text } = await send("/partner/exports/promotion-codes?environment=test", { headers: { "X-Partner-Api-Key": keys.acme } });
    expect(text).toContain('"38 USD"');
    // An order that is made again from what is stored keeps its code.
    await deleteRows(orders, { id: order });
    await change("partners/acme/orders/rebuild");
    expect(await shown(first)).toMatchObject({ used: 1, discounts: [{ currency: "USD", amount: 19 }] });
  });
});

it("each renewal of a subscription is an order of its own, with the items of its link", async () => {
  const paid = await pay(["TestMonthly"]);
  await quiet();
  const renewal = await control<Paid>("/renew", { subscription: paid.subscription });
  await quiet();
  const first = await orderOf(paid.payment_intent);
  expect(first).toMatchObject({ subscription_id: paid.subscription, status: "paid" });
  expect(await orderOf(renewal.payment_intent)).toMatchObject({
    subscription_id: paid.subscription,
    client_reference_id: null,
    status: "paid",
    items: first.items,
    payment_link_id: first.payment_link_id,
  });
});

describe("the order of a ruble payment", () => {
  it("is there from its opening, with the receipt's lines and the buyer", async () => {
    const { order_id } = (await call(BANK, bankCart({ external_order_id: "ruble-1" }))).body;
    expect(await orderOf(order_id)).toMatchObject({
      id: order_id,
      bank_order_id: order_id,
      status: "pending",
      client_reference_id: "ruble-1",
      currency: "RUB",
      charged: 0,
      customer: { email: expect.stringContaining("@") },
      items: expect.arrayContaining([expect.objectContaining({ quantity: expect.any(Number), name: expect.any(String) })]),
    });
    await control("/bank/pay", { order_id });
    const paid = await orderOf(order_id);
    expect(paid).toMatchObject({ status: "paid", refunded: 0, fee: null, net: null, movements: [] });
    expect(paid.kept).toBe(paid.charged);
    expect(paid.bank_movements).toEqual([{ type: "bank_payment_in", amount: paid.charged, transaction_date: expect.any(String) }]);
  });
});

describe("refunds of a ruble payment", () => {
  const paidOrder = async () => {
    const { order_id } = (await call(BANK, bankCart({ client_token: crypto.randomUUID() }))).body;
    await control("/bank/pay", { order_id });
    return { order_id, charged: (await orderOf(order_id)).charged as number };
  };

  it("count by the amounts that the bank reports, each once, and the last one takes what is left", async () => {
    const { order_id, charged } = await paidOrder();
    await control("/bank/refund", { order_id, amount: 10_000 });
    expect(await orderOf(order_id)).toMatchObject({ status: "partly_refunded", refunded: 100, kept: charged - 100 });
    await control("/bank/refund", { order_id, amount: 5_000 });
    expect(await orderOf(order_id)).toMatchObject({ status: "partly_refunded", refunded: 150 });
    await control("/bank/refund", { order_id });
    const order = await orderOf(order_id);
    expect(order).toMatchObject({ status: "refunded", refunded: charged, kept: 0 });
    expect(order.bank_movements.map(({ amount }: { amount: number }) => amount)).toEqual([charged, -100, -50, -(charged - 150)]);
  });

  it("that the bank did not report come with the next look", async () => {
    const { order_id, charged } = await paidOrder();
    await control("/bank/refund", { order_id, silent: true });
    await change(`bank/orders/${order_id}/refresh`);
    expect(await orderOf(order_id)).toMatchObject({ status: "refunded", refunded: charged, kept: 0 });
  });
});

describe("the list", () => {
  beforeAll(async () => {
    await pay(["TestEur1"], { email: "list@example.com", client_reference_id: "list-1", method: "sepa_debit" });
    await pay(["TestUsd1"], { email: " LIST@example.com ", client_reference_id: "list-2" });
    await quiet();
  });
  const references = async (query: string) =>
    (await listed(query)).data.map(({ client_reference_id }: { client_reference_id: string }) => client_reference_id).toSorted();

  it.each([
    ["reference=list-1", ["list-1"]],
    ["email=List%40Example.com", ["list-1", "list-2"]],
    ["email=list%40example.com&currency=usd", ["list-2"]],
    ["email=list%40example.com&method=sepa_debit", ["list-1"]],
    ["email=list%40example.com&method=SEPA", ["list-1"]],
    ["email=list%40example.com&product=prod_acmeTestEur1", ["list-1"]],
    ["email=list%40example.com&status=refunded", []],
    ["email=list%40example.com&currency=USD&amount_from=19&amount_to=19", ["list-2"]],
    ["email=list%40example.com&currency=USD&amount_from=19.01", []],
    ["email=list%40example.com&environment=live", []],
    ["email=list%40example.com&until=2020-01-01", []],
    ["email=list", []],
  ])("finds by %s", async (query, wanted) => expect(await references(query)).toEqual(wanted));

  it("by the days on which they were paid, and what they are credited in, are those that a report counts", async () => {
    await call(BANK, bankCart()).then(({ body }) => control("/bank/pay", { order_id: body.order_id }));
    const today = new Date().toISOString().slice(0, 10);
    const days = `from=${today}&to=${today}`;
    const { totals } = await get(`/partner/reports/sales?${days}&environment=test&by=currency,day`);
    expect(totals.length).toBeGreaterThan(2);
    for (const { currency, orders: counted } of totals) {
      const query = `environment=test&settled_in=${currency}&paid_since=${today}&paid_until=${today}`;
      expect([currency, (await listed(query)).count]).toEqual([currency, counted]);
    }
    expect((await listed("paid_until=2020-01-01")).count).toBe(0);
    expect((await listed("paid_since=2099-01-01")).count).toBe(0);
    // What was never paid is in no such list.
    expect((await listed("environment=test&status=pending&paid_since=2020-01-01")).count).toBe(0);
  });

  it("by the days on which something was given back, are those of cards and rubles with a refund", async () => {
    const { body } = await call(BANK, bankCart());
    await control("/bank/pay", { order_id: body.order_id });
    const kept = (await call(BANK, bankCart())).body.order_id;
    await control("/bank/pay", { order_id: kept });
    const card = await pay(["TestUsd1"]);
    await quiet();
    await control("/bank/refund", { order_id: body.order_id });
    await control("/refund", { payment_intent: card.payment_intent, amount: 500 });
    await quiet();
    const today = new Date().toISOString().slice(0, 10);
    const found = async (query: string) => (await listed(`environment=test&${query}`)).data.map((row: { id: string }) => row.id);
    const rubles = () => found(`settled_in=RUB&refunded_since=${today}&refunded_until=${today}`);
    await expect.poll(rubles).toContain(body.order_id);
    expect(await rubles()).not.toContain(kept);
    expect(await found(`settled_in=USD&refunded_since=${today}`)).toContain(card.payment_intent);
    for (const none of ["refunded_until=2020-01-01", "refunded_since=2099-01-01"]) expect(await found(none)).toEqual([]);
    expect(await found("refunded_since=1970-01-01")).toEqual(expect.arrayContaining([body.order_id, card.payment_intent]));
    // A refund that failed gave nothing back.
    const failing = await pay(["TestUsd1"]);
    await quiet();
    const { refund } = await control<{ refund: string }>("/refund", { payment_intent: failing.payment_intent, amount: 300, pending: true });
    await quiet();
    await control("/refund/settle", { refund, outcome: "failed" });
    await quiet();
    await expect.poll(async () => (await orderOf(failing.payment_intent)).refunded).toBe(0);
    expect(await found("settled_in=USD&refunded_since=1970-01-01")).not.toContain(failing.payment_intent);
    // Each says the day of its last refund.
    const said = async (id: string) => (await orderOf(id)).refunded_at?.slice(0, 10) ?? null;
    expect(await Promise.all([card.payment_intent, body.order_id, kept, failing.payment_intent].map(said))).toEqual([
      today,
      today,
      null,
      null,
    ]);
    expect(await orderOf(card.payment_intent)).toMatchObject({
      refunded_at: (await orderOf(card.payment_intent)).movements.at(-1).transaction_date,
    });
  });

  it("counts and sums the whole selection by currency, whatever the page", async () => {
    const { data, next, count, sums } = await listed("email=list%40example.com&limit=1");
    expect(data).toHaveLength(1);
    expect(next).not.toBeNull();
    expect(count).toBe(2);
    expect(sums).toEqual([
      { environment: "test", currency: "EUR", orders: 1, charged: 19, refunded: 0, disputed: 0, kept: 19, discounts: 0 },
      { environment: "test", currency: "USD", orders: 1, charged: 19, refunded: 0, disputed: 0, kept: 19, discounts: 0 },
    ]);
  });

  it.each(["created_at", "-created_at", "charged", "-charged"])("sorted by %s has each order once over its pages", async (sort) => {
    const ids: string[] = [];
    const values: number[] = [];
    for (let cursor = ""; ; ) {
      const page = await listed(`environment=test&limit=3&sort=${sort}${cursor}`);
      for (const order of page.data) {
        ids.push(order.id);
        values.push(sort.endsWith("charged") ? order.charged : Date.parse(order.created_at));
      }
      if (page.next === null) break;
      cursor = `&cursor=${encodeURIComponent(page.next)}`;
    }
    expect(ids).toHaveLength((await listed("environment=test")).count);
    expect(new Set(ids).size).toBe(ids.length);
    const rising = sort.startsWith("-") ? values.toReversed() : values;
    expect(rising).toEqual(rising.toSorted((one, other) => one - other));
  });

  it("refuses an amount without a currency, a cursor of another order, and what is no status", async () => {
    expect((await listed("amount_from=1")).error_message).toContain("needs `currency`");
    const { next } = await listed("environment=test&limit=1&sort=charged");
    expect((await listed(`environment=test&limit=1&sort=-charged&cursor=${next}`)).success).toBe(false);
    expect((await listed("status=done")).success).toBe(false);
  });

  it("shows no partner another's orders", async () => {
    const mine = (await listed("reference=list-1")).data[0].id;
    expect((await get(`/partner/orders/${mine}`, keys.globex)).success).toBe(false);
    expect((await get("/partner/orders?reference=list-1", keys.globex)).data).toEqual([]);
    expect(await get("/partner/orders?email=list%40example.com", keys.globex)).toMatchObject({ data: [], count: 0, sums: [] });
  });
});
