import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectCell } from "../../src/db/client.ts";
import { auditLog, movements, paymentLinks, subscriptions } from "../../src/db/schema/index.ts";
import { BANK, bankCart, CART, CODE, call, callV1, cart, keyFor, keys, LINK, link, promotion, REGISTER, send } from "../support/api.ts";
import { cellOf } from "../support/cells.ts";
import { change } from "../support/ops.ts";
import { delivered, line, type Paid, quiet } from "../support/payments.ts";
import { control, objects, SANDBOX } from "../support/stack.ts";
import { fieldOf, rowOf, rowsOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

/** Partners look at their own links, subscriptions and orders, and close and open links. */

const ask = (method: string, path: string, key: string = keys.acme, body?: object) =>
  send(`/partner/${path}`, {
    method,
    headers: { "X-Partner-Api-Key": key, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const get = (path: string, key?: string) => ask("GET", path, key);
const ids = async (path: string): Promise<string[]> => {
  const found: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await get(`${path}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    found.push(
      ...body.data.map((row: { payment_link_id?: string; subscription_id?: string }) => row.payment_link_id ?? row.subscription_id),
    );
    cursor = body.next;
  }
  return found;
};

afterEach(() => control("/faults", undefined, "DELETE"));

/** The processor's requests about a link. */
const requestsTo = async (id: string) => {
  const sent = await control<{ path: string; method: string }[]>("/requests?target=processor");
  return sent.filter(({ path, method }) => method === "POST" && path.endsWith(id));
};

async function paidOrder(reference: string) {
  const { body: made } = await call(CART, cart({ items: [line("TestUsd1")], client_token: `token-${reference}` }));
  const paid = await control<Paid>("/pay", { short_url: made.short_url, client_reference_id: reference, email: "buyer@shop.example" });
  await quiet();
  return { made, paid };
}

describe("a payment link", () => {
  it("shows its products and what was paid through it, refunds included", async () => {
    const { made, paid } = await paidOrder("links-paid");
    await control("/pay", { short_url: made.short_url });
    await control("/refund", { payment_intent: paid.payment_intent, amount: 500 });
    await quiet();
    const { status, body, text } = await get(`links/${made.payment_link_id}`);
    expect([status, body]).toEqual([
      200,
      {
        payment_link_id: made.payment_link_id,
        summary: {
          en: expect.stringMatching(/^The link is for acmeTestUsd1, \$19\.00\. Customers can pay\. It was paid 2 times, last on /),
          ru: expect.stringContaining("По ней 2 оплаты"),
        },
        short_url: made.short_url,
        source: "cart",
        mode: "one_time",
        currency: "USD",
        environment: "test",
        created_at: expect.any(String),
        disabled_at: null,
        disabled_by: null,
        disabled_reason: null,
        state: "open",
        completed_sessions: null,
        closes_at: null,
        closed_at: null,
        opened: expect.any(Number),
        holder: "holder of key_a1",
        product_ids: ["prod_acmeTestUsd1"],
        items: [{ product_id: "prod_acmeTestUsd1", name: "acmeTestUsd1", quantity: 1, unit_amount: 1900 }],
        amount: 19,
        interval: null,
        interval_count: null,
        sold: expect.any(Array),
        sold_orders: 2,
        last_sold_at: expect.any(String),
        paid: [
          { type: "processor_payment_in", status: "completed", currency: "USD", count: 2, amount: 38 },
          { type: "processor_refund", status: "refunded", currency: "USD", count: 1, amount: -5 },
        ],
        is_complete: true,
      },
    ]);
    expect(text).not.toContain("/checkout/");
    expect(text).not.toContain("buyer@");
    const listed = (await get("links?environment=test&limit=100")).body.data;
    const { fee } = (await get(`orders/${paid.payment_intent}`)).body;
    expect(listed.find((one: { payment_link_id: string }) => one.payment_link_id === made.payment_link_id)).toMatchObject({
      // Two payments of 19 and a refund of 5, less the fees, of which the refund has none.
      sold: [{ currency: "USD", orders: 2, net: Math.round(100 * (33 - 2 * fee)) / 100, pending: 0 }],
      sold_orders: 2,
      last_sold_at: expect.any(String),
    });
    const soldTo = async (key?: string) => {
      const rows: { payment_link_id: string; sold: unknown; last_sold_at: unknown }[] = (await get("links?environment=test&limit=100", key))
        .body.data;
      return rows.find((one) => one.payment_link_id === made.payment_link_id);
    };
    expect(await soldTo(keyFor("products_view"))).toMatchObject({ sold: null, last_sold_at: null });
    const shown = (await get(`links/${made.payment_link_id}`, keyFor("products_view"))).body;
    expect([shown.paid, shown.sold]).toEqual([null, null]);
    // Evidence that contradicts itself may name another partner for a payment through this link.
    await updateRows(movements, { partner_id: "globex" }, { payment_intent_id: paid.payment_intent });
    expect(await soldTo()).toMatchObject({ sold: [{ orders: 1 }] });
    await updateRows(movements, { partner_id: "acme" }, { payment_intent_id: paid.payment_intent });
  });

  it("is disabled and enabled by its partner, here and at the processor", async () => {
    const { body: made } = await call(CART, cart());
    const id = made.payment_link_id;
    const isActive = async () => (await objects("payment_links")).find((one) => one.id === id)?.active;
    expect((await ask("POST", `links/${id}/disable`)).body).toMatchObject({ disabled_by: "partner", disabled_at: expect.any(String) });
    expect(await isActive()).toBe(false);
    expect((await send(new URL(made.short_url).pathname)).status).toBe(404);
    expect((await ask("POST", `links/${id}/enable`)).body).toMatchObject({ disabled_by: null, disabled_at: null });
    expect(await isActive()).toBe(true);
    expect((await send(new URL(made.short_url).pathname)).status).toBe(302);
    const rows = await rowsOf(auditLog, { target: id }, { columns: ["action", "actor"] });
    expect(rows.map(({ action }) => action)).toEqual(["payment_link.disable", "payment_link.enable"]);
    expect(rows.every(({ actor }) => String(actor).startsWith("holder of key_"))).toBe(true);
  });

  it("that an operator disabled stays disabled for its partner, also if the partner had disabled it before", async () => {
    for (const isFirst of [false, true]) {
      const { body: made } = await call(CART, cart());
      const id = made.payment_link_id;
      if (isFirst) await ask("POST", `links/${id}/disable`);
      await change(`payment-links/${id}/disable`);
      expect((await get(`links/${id}`)).body).toMatchObject({ disabled_by: "support" });
      expect(await ask("POST", `links/${id}/enable`)).toMatchObject({
        status: 409,
        body: { error_message: expect.stringContaining("Support") },
      });
      // A repeat of the partner's own call takes nothing over.
      await ask("POST", `links/${id}/disable`);
      expect(await rowOf(paymentLinks, { id })).toMatchObject({ disabled_by: "operator" });
      expect((await objects("payment_links")).find((one) => one.id === id)?.active).toBe(false);
      expect((await change(`payment-links/${id}/enable`)).body).toMatchObject({ disabled_at: null, disabled_by: null });
    }
  });

  it("that an operator disables while its partner enables it stays closed at the processor too", async () => {
    const { body: made } = await call(CART, cart());
    const id = made.payment_link_id;
    await ask("POST", `links/${id}/disable`);
    // The partner's call has read the link, and waits for the processor.
    await control("/faults", { target: "processor", call: "payment_links.update", times: 1, kind: "timeout", ms: 2_000 });
    const enabling = ask("POST", `links/${id}/enable`);
    await until(async () => expect((await requestsTo(id)).length).toBeGreaterThan(1));
    await updateRows(paymentLinks, { disabled_by: "operator" }, { id });
    expect((await enabling).status).toBe(409);
    expect((await objects("payment_links")).find((one) => one.id === id)?.active).toBe(false);
  });

  it("that was never disabled is enabled without a call to the processor", async () => {
    const { body: made } = await call(CART, cart());
    const before = await requestsTo(made.payment_link_id);
    expect((await ask("POST", `links/${made.payment_link_id}/enable`)).body).toMatchObject({ disabled_at: null });
    expect(await requestsTo(made.payment_link_id)).toEqual(before);
  });

  it("disabled before it was known by whom counts as disabled by an operator", async () => {
    const { body: made } = await call(CART, cart());
    await updateRows(paymentLinks, { disabled_at: 1, disabled_by: null }, { id: made.payment_link_id });
    expect((await ask("POST", `links/${made.payment_link_id}/enable`)).status).toBe(409);
  });

  it("is changed with product_create alone, and read with products_view", async () => {
    const { body: made } = await call(CART, cart());
    const path = `links/${made.payment_link_id}`;
    expect((await get(path, keyFor("products_view"))).status).toBe(200);
    expect((await ask("POST", `${path}/disable`, keyFor("products_view"))).status).toBe(403);
    expect((await ask("POST", `${path}/disable`, keyFor("product_create"))).status).toBe(200);
  });

  it("is found by state, product and order reference", async () => {
    const { made } = await paidOrder("links-filter");
    const { body: closed } = await call(CART, cart({ items: [line("TestUsd2")] }));
    await ask("POST", `links/${closed.payment_link_id}/disable`);
    const found = (query: string) => ids(`links?environment=test&limit=100&${query}`);
    const [open, disabled] = [await found("state=open"), await found("state=disabled")];
    expect(open).toContain(made.payment_link_id);
    expect(open).not.toContain(closed.payment_link_id);
    expect(disabled).toContain(closed.payment_link_id);
    const ofFirst = await found("product=prod_acmeTestUsd1");
    expect(ofFirst).toContain(made.payment_link_id);
    expect(ofFirst).not.toContain(closed.payment_link_id);
    expect(await found("reference=links-filter")).toEqual([made.payment_link_id]);
    expect(await found("reference=links-none")).toEqual([]);
  });
});

describe("ruble payments", () => {
  it("are found by status and by order", async () => {
    const { body: made } = await call(BANK, bankCart({ external_order_id: "ruble-filter" }));
    const found = async (query: string) =>
      (await get(`bank-payments?environment=test&${query}`)).body.data.map(({ order_id }: { order_id: string }) => order_id);
    expect(await found("order=ruble-filter")).toEqual([made.order_id]);
    expect(await found(`order=${made.order_id}`)).toEqual([made.order_id]);
    expect(await found("status=NEW")).toContain(made.order_id);
    expect(await found("order=ruble-filter&status=CONFIRMED")).toEqual([]);
  });

  it("are counted, summed and sorted as a whole: asked for, and paid of it", async () => {
    const make = async (price: number, external_order_id: string) =>
      (await call(BANK, bankCart({ items: [{ product_id: 1001, quantity: price }], external_order_id, client_token: external_order_id })))
        .body.order_id as string;
    const [cheap, dear] = [await make(1, "ruble-cheap"), await make(3, "ruble-dear")];
    await control("/bank/pay", { order_id: dear });
    const of = async (query: string) => (await get(`bank-payments?environment=test&${query}`)).body;
    const [one, three] = [(await of("order=ruble-cheap")).data[0].amount_rub, (await of("order=ruble-dear")).data[0].amount_rub];
    expect(three).toBe(3 * one);
    expect(await of("order=ruble-dear")).toMatchObject({
      count: 1,
      sums: [{ environment: "test", currency: "RUB", payments: 1, amount: three, paid: three }],
    });
    expect((await of("order=ruble-cheap")).sums).toEqual([{ environment: "test", currency: "RUB", payments: 1, amount: one, paid: 0 }]);
    const whole = await of("sort=-amount_rub");
    const amounts = whole.data.map(({ amount_rub }: { amount_rub: number }) => amount_rub);
    expect(amounts).toEqual(amounts.toSorted((left: number, right: number) => right - left));
    expect(whole.count).toBe(amounts.length);
    const [first] = (await of("sort=amount_rub&limit=1")).data;
    expect(first.amount_rub).toBe(Math.min(...amounts));
    const times = (await of("sort=created_at")).data.map(({ created_at }: { created_at: string }) => created_at);
    expect(times).toEqual(times.toSorted());
    expect(whole.data.map(({ order_id }: { order_id: string }) => order_id)).toContain(cheap);
    expect((await get("bank-payments?environment=test", keys.globex)).body.count).toBe(0);
  });
});

describe("subscriptions", () => {
  const row = (id: string, status: string, partnerId = "acme") => ({
    id,
    partnerId,
    environment: "test" as const,
    status,
    startedAt: Date.UTC(2026, 9, Math.min(Number(id.at(-1)), 3)),
    cancelAtPeriodEnd: true,
    cancelAt: null as number | null,
    currentPeriodEnd: Date.UTC(2026, 11, 1),
    clientReferenceId: `order of ${id}`,
    updatedAt: Date.UTC(2026, 10, 1),
  });
  beforeAll(async () => {
    const own = [row("sub_own1", "active"), row("sub_own2", "canceled"), row("sub_own3", "active")];
    // Two began at the same time; one ends at a moment, and the other goes on.
    const same = { ...row("sub_own4", "active"), cancelAtPeriodEnd: false };
    own.push(same, { ...same, id: "sub_own5", cancelAt: Date.UTC(2026, 11, 5) });
    await connectCell(cellOf("acme")).insert(subscriptions).values(own);
    await connectCell(cellOf("globex"))
      .insert(subscriptions)
      .values(row("sub_foreign1", "active", "globex"));
  });

  it("are listed page by page, the one that began last first, by status, state and start too, and shown one by one", async () => {
    const own = (all: string[]) => all.filter((id) => id.startsWith("sub_own"));
    expect(own(await ids("subscriptions?environment=test&limit=1"))).toEqual(["sub_own5", "sub_own4", "sub_own3", "sub_own2", "sub_own1"]);
    const active = ["sub_own5", "sub_own4", "sub_own3", "sub_own1"];
    expect(own(await ids("subscriptions?environment=test&status=active&limit=1"))).toEqual(active);
    // A canceled one has ended, whatever end was scheduled.
    expect(own(await ids("subscriptions?environment=test&state=ending"))).toEqual(["sub_own5", "sub_own3", "sub_own1"]);
    expect(own(await ids("subscriptions?environment=test&state=canceled"))).toEqual(["sub_own2"]);
    expect(own(await ids("subscriptions?environment=test&state=active"))).toEqual(["sub_own4"]);
    for (const { subscription_id, state } of (await get("subscriptions?environment=test&limit=100")).body.data)
      expect([subscription_id, await ids(`subscriptions?environment=test&state=${state}`)]).toEqual([
        subscription_id,
        expect.arrayContaining([subscription_id]),
      ]);
    expect(own(await ids("subscriptions?environment=test&since=2026-10-02&until=2026-10-02"))).toEqual(["sub_own2"]);
    expect(await ids("subscriptions?environment=live&limit=100")).not.toContain("sub_own1");
    expect((await get("subscriptions/sub_own1")).body).toEqual({
      subscription_id: "sub_own1",
      environment: "test",
      status: "active",
      state: "ending",
      ends_at: "2026-12-01T00:00:00.000Z",
      has_ended: false,
      ended_at: null,
      cancel_at_period_end: true,
      cancel_at: null,
      current_period_end: "2026-12-01T00:00:00.000Z",
      collection_paused: false,
      payment_link_id: null,
      client_reference_id: "order of sub_own1",
      next_charge_at: null,
      items: [],
      currency: null,
      amount: null,
      interval: null,
      interval_count: null,
      customer: null,
      paid: { orders: 0, charged: 0, kept: 0 },
      summary: {
        en: "The subscription is cancelled, and ends on 1 Dec 2026. It is not charged again. It is of the test environment.",
        ru: expect.stringContaining("Подписка отменена"),
      },
      started_at: "2026-10-01T00:00:00.000Z",
      updated_at: "2026-11-01T00:00:00.000Z",
    });
    expect(await ids("subscriptions?environment=test&limit=100")).not.toContain("sub_foreign1");
    expect((await get("subscriptions/sub_foreign1")).status).toBe(404);
  });

  it("say what is subscribed to, at which price, by whom, and what was paid", async () => {
    const { body: made } = await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 } }));
    const paid = await control<{ subscription: string }>("/pay", { short_url: made.short_url, email: "member@shop.example" });
    await control("/renew", { subscription: paid.subscription });
    await quiet();
    const { body } = await get(`subscriptions/${paid.subscription}`);
    expect(body).toMatchObject({
      items: [{ product_id: "prod_acmeTestMonthly", quantity: 1, unit_amount: 900 }],
      currency: "USD",
      amount: 9,
      interval: "month",
      interval_count: 1,
      customer: { email: "member@shop.example" },
      paid: { orders: 2, charged: 18, kept: 18 },
    });
    const orders = (await get(`orders?subscription=${paid.subscription}`)).body;
    expect(orders).toMatchObject({ count: 2, sums: [{ currency: "USD", orders: 2, charged: 18, kept: 18 }] });
    expect((await get(`orders?subscription=${paid.subscription}`, keys.globex)).body.data).toEqual([]);
    await control("/refund", { payment_intent: orders.data[0].payment_intent_id, amount: 400 });
    await quiet();
    expect((await get(`subscriptions/${paid.subscription}`)).body.paid).toEqual({ orders: 2, charged: 18, kept: 14 });
  });
});

describe("a rejected product", () => {
  it("says why", async () => {
    const { body: product } = await change("partners/acme/products", {
      kind: "card",
      environment: "test",
      name: "A mystery",
      type: "one_time",
      currency: "USD",
      unit_amount: 100,
    });
    const path = `products/card/${product.id}/reject`;
    await change(path, { reason: "The name does not say what is sold." });
    const own = async () => (await get("products?limit=100")).body.data.find(({ name }: { name: string }) => name === "A mystery");
    expect(await own()).toMatchObject({ moderation: "rejected", rejection_reason: "The name does not say what is sold." });
    expect((await change(path)).body).toMatchObject({ moderation: "rejected", rejection_reason: null });
    await change(path, { reason: "Again." });
    await change(`products/card/${product.id}/approve`, { first_link: false });
    expect(await own()).toMatchObject({ moderation: "approved", rejection_reason: null });
  });
});

describe("the story of an own order", () => {
  it("is the same by every id of it, without what is ours", async () => {
    await call(REGISTER, { test_url: `${SANDBOX}/inbox/own-story` });
    const { made, paid } = await paidOrder("own-story");
    await delivered(paid);
    const { body: listed } = await get(`payments?payment=${paid.payment_intent}`);
    const [movement] = listed.data;
    const charge = await fieldOf(movements, "source_id", { id: movement.id });
    const asked = [
      made.payment_link_id,
      made.short_url,
      "own-story",
      paid.payment_intent,
      "token-own-story",
      movement.id,
      movement.id.replace("processor:", ""),
      String(charge),
      paid.payment_intent.replace("pi_", "PI_"),
      made.payment_link_id.replace("plink_", "Plink_"),
    ];
    const stories = [];
    for (const q of asked) stories.push(await get(`story?q=${encodeURIComponent(q)}`));
    const [first] = stories;
    expect(first?.status).toBe(200);
    const kinds = new Set<string>(first?.body.data.map(({ kind }: { kind: string }) => kind));
    expect([...kinds].toSorted()).toEqual(["delivery", "event", "movement", "payment_link", "request"]);
    for (const story of stories) expect(story.body).toEqual(first?.body);
    for (const hidden of ["cron", "operator", "buyer@", "/checkout/", "Maria", "acme"]) expect(first?.text).not.toContain(hidden);
  });

  it("tells of a ruble order by its own number", async () => {
    const { body: made } = await call(BANK, bankCart({ external_order_id: "ruble-story" }));
    const { body } = await get("story?q=ruble-story");
    expect(body.data).toContainEqual(expect.objectContaining({ kind: "bank_payment", id: made.order_id }));
    expect(JSON.stringify(body)).not.toContain("terminal");
  });

  it("tells of each server that an event goes to, and sums up by the first", async () => {
    await call(REGISTER, { test_url: `${SANDBOX}/inbox/orders-own` });
    const added = await ask("POST", "webhooks", keys.acme, {
      environment: "test",
      name: "books",
      webhook_url: `${SANDBOX}/inbox/orders-books`,
    });
    await control("/inbox/orders-books", { status: 500, times: 99 });
    const { paid } = await paidOrder("two-servers");
    const { body } = await until(async () => {
      const answer = await get(`orders/${paid.payment_intent}`);
      expect(answer.body.deliveries.map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 1]);
      return answer;
    });
    const [first, second] = body.deliveries;
    expect([first, second]).toMatchObject([
      { webhook: "test", state: "succeeded", delivery: first.event },
      { webhook: added.body.webhook, state: "pending", event: first.event },
    ]);
    expect(body.summary.en).toContain("Your server took its event.");
    const said = body.timeline.map(({ says }: { says: string }) => says);
    expect(said.filter((text: string) => text.includes("was recorded"))).toHaveLength(1);
    expect(said).toContainEqual(expect.stringMatching(/^Attempt 1: the receiver took it/));
    expect(said).toContainEqual(expect.stringMatching(/^To the webhook “books”: Attempt 1: failed, HTTP 500/));
    const waits = body.timeline.find(({ says }: { says: string }) => says.startsWith("To the webhook “books”: The next attempt"));
    expect(waits).toMatchObject({ command: `deliveries resend ${second.delivery}` });
    await ask("DELETE", `webhooks/${added.body.webhook}`, keys.acme, {});
  });

  it("names the partner's own call that helps", async () => {
    const { body: made } = await callV1(LINK, link());
    await ask("POST", `links/${made.processor_payment_link_id}/disable`);
    const { body } = await get(`story?q=${made.processor_payment_link_id}`);
    expect(body.data).toContainEqual(
      expect.objectContaining({ command: `links enable ${made.processor_payment_link_id}`, says: "The link was disabled by its partner." }),
    );
    await change(`payment-links/${made.processor_payment_link_id}/disable`);
    const { body: held } = await get(`story?q=${made.processor_payment_link_id}`);
    expect(held.data.filter(({ command }: { command: string | null }) => command !== null)).toEqual([]);
  });

  it("of a payment with the same reference of another partner is not told", async () => {
    const { made } = await paidOrder("same-reference");
    const { body: theirs } = await call(
      CART,
      cart({ items: [{ stripe_product_id: "prod_globexLiveUsd1", unit_amount: 1900, quantity: 1 }] }),
      keys.globex,
    );
    await control("/pay", { short_url: theirs.short_url, client_reference_id: "same-reference" });
    await quiet();
    const { body, text } = await get("story?q=same-reference");
    expect(body.data.length).toBeGreaterThan(0);
    expect(text).toContain(made.payment_link_id);
    expect(text).not.toContain(theirs.payment_link_id);
    expect((await get(`story?q=${theirs.payment_link_id}`)).status).toBe(404);
  });

  it("of nothing, of another partner's charge, or of an address, is not found", async () => {
    const { paid } = await paidOrder("own-charge");
    const { body: listed } = await get(`payments?payment=${paid.payment_intent}`);
    const charge = await fieldOf(movements, "source_id", { id: listed.data[0].id });
    expect((await get(`story?q=${charge}`)).status).toBe(200);
    expect((await get(`story?q=${charge}`, keys.globex)).status).toBe(404);
    for (const q of ["nothing", "buyer@shop.example", "ch_unknown", "pi_unknown", "re_unknown"])
      expect((await get(`story?q=${q}`)).status).toBe(404);
    expect((await get("story?q=")).status).toBe(400);
    expect((await get("story?q=price_1")).text).toContain("of the catalogue");
  });
});

describe("a promotion code", () => {
  it("has the names of its products, and its orders with what customers were let off", async () => {
    const { body: code } = await callV1(
      CODE,
      promotion({ code: "USED", percent_off: 50, stripe_product_ids: ["prod_acmeTestUsd1", "prod_acmeTestUsd2"] }),
    );
    const { body: made } = await call(CART, cart({ items: [line("TestUsd1")], allow_promotion_codes: true, client_token: "token-used" }));
    await control("/pay", { short_url: made.short_url, promotion_code: "USED" });
    await control("/pay", { short_url: made.short_url, promotion_code: "USED", outcome: "failed" });
    await quiet();
    expect((await get(`promotion-codes/${code.stripe_promotion_code_id}`)).body).toMatchObject({
      product_ids: ["prod_acmeTestUsd1", "prod_acmeTestUsd2"],
      products: ["acmeTestUsd1", "acmeTestUsd2"],
    });
    expect((await get("orders?promotion_code=used")).body).toMatchObject({
      // The failed one let no customer off.
      sums: [{ currency: "USD", charged: 9.5, discounts: 9.5 }],
    });
  });
});
