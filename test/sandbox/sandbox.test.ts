import Stripe from "stripe";
import { beforeEach, describe, expect, it } from "vitest";
import { CART, call, cart, REGISTER } from "../support/api.ts";
import { control, objects, processorCalls, SANDBOX, settled, world } from "../support/stack.ts";

const { hostname, port } = new URL(SANDBOX);
const client = (key: string) =>
  new Stripe(key, {
    protocol: "http",
    host: hostname,
    port,
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init)),
  });
const test = client("sk_test_sandbox");
const live = client("sk_live_sandbox");
const price = { currency: "usd", unit_amount: 1000, product: "prod_acmeTestUsd1" };
const link = { line_items: [{ price_data: price, quantity: 2 }] };

beforeEach(() => control("/reset", {}));

const page = async (path: string, init?: RequestInit) => {
  const response = await fetch(`${SANDBOX}${path}`, { redirect: "manual", ...init });
  return { status: response.status, text: await response.text(), location: response.headers.get("Location") };
};

describe("the processor, to its own official client", () => {
  it("makes prices, links, coupons and codes", async () => {
    const made = await test.prices.create({ ...price, recurring: { interval: "month" } });
    expect(made).toMatchObject({ object: "price", type: "recurring", livemode: false });
    const sold = await test.paymentLinks.create({ line_items: [{ price: made.id, quantity: 1 }] });
    expect((await test.paymentLinks.listLineItems(sold.id)).data).toMatchObject([{ quantity: 1, price: { id: made.id } }]);
    const coupon = await test.coupons.create({ percent_off: 20, duration: "once" });
    const code = await test.promotionCodes.create({ promotion: { type: "coupon", coupon: coupon.id }, code: "SAVE20" });
    expect(code).toMatchObject({ object: "promotion_code", code: "SAVE20", active: true });
    await expect(test.promotionCodes.create({ promotion: { type: "coupon", coupon: coupon.id }, code: "save20" })).rejects.toThrow(
      /already exists/,
    );
  });

  it("takes a key once: same parameters give the same answer, others are refused, and two environments never meet", async () => {
    const first = await test.paymentLinks.create(link, { idempotencyKey: "k" });
    const again = await test.paymentLinks.create(link, { idempotencyKey: "k" });
    expect(again.id).toBe(first.id);
    const raw = (key: string) =>
      fetch(`${SANDBOX}/v1/prices`, {
        method: "POST",
        headers: { Authorization: "Bearer sk_test_sandbox", "Idempotency-Key": key },
        body: new URLSearchParams({ currency: "usd", unit_amount: "100", product: "prod_acmeTestUsd1" }),
      });
    expect((await raw("raw")).headers.get("Idempotent-Replayed")).toBeNull();
    expect((await raw("raw")).headers.get("Idempotent-Replayed")).toBe("true");
    await expect(test.paymentLinks.create({ ...link, allow_promotion_codes: true }, { idempotencyKey: "k" })).rejects.toThrow(
      Stripe.errors.StripeIdempotencyError,
    );
    const sold = { line_items: [{ price_data: { ...price, product: "prod_acmeLiveUsd1" }, quantity: 1 }] };
    expect((await live.paymentLinks.create(sold, { idempotencyKey: "k" })).id).not.toBe(first.id);
  });

  it("keeps live and test apart", async () => {
    const made = await test.paymentLinks.create(link);
    await expect(live.paymentLinks.retrieve(made.id)).rejects.toMatchObject({ code: "resource_missing", statusCode: 404 });
    await expect(client("nonsense").paymentLinks.retrieve(made.id)).rejects.toMatchObject({ statusCode: 401 });
  });

  it.each([
    ["no lines", { line_items: [] }],
    ["21 lines", { line_items: Array.from({ length: 21 }, () => ({ price_data: price, quantity: 1 })) }],
    ["no quantity", { line_items: [{ price_data: price, quantity: 0 }] }],
    [
      "two currencies",
      {
        line_items: [
          { price_data: price, quantity: 1 },
          { price_data: { ...price, currency: "eur" }, quantity: 1 },
        ],
      },
    ],
    ["an unknown method", { ...link, payment_method_types: ["amazon_pay" as never] }],
    ["a negative amount", { line_items: [{ price_data: { ...price, unit_amount: -1 }, quantity: 1 }] }],
    ["an unknown price", { line_items: [{ price: "price_none", quantity: 1 }] }],
  ])("refuses a link with %s", async (_what, params) => {
    await expect(test.paymentLinks.create(params)).rejects.toThrow(Stripe.errors.StripeInvalidRequestError);
    expect(await objects("payment_links")).toEqual([]);
  });

  it("lists balance transactions by time, page by page", async () => {
    const { id } = await test.paymentLinks.create(link);
    for (let paid = 0; paid < 3; paid += 1) await control("/pay", { payment_link_id: id });
    const first = await test.balanceTransactions.list({ limit: 2 });
    expect(first).toMatchObject({ has_more: true });
    const rest = await test.balanceTransactions.list({ limit: 2, starting_after: first.data[1]?.id ?? "" });
    expect(rest).toMatchObject({ has_more: false });
    expect(new Set([...first.data, ...rest.data].map((found) => found.id)).size).toBe(3);
    const [newest, middle, oldest] = [...first.data, ...rest.data].map((found) => found.id);
    const newerThan = (ending_before = "", limit = 10) => test.balanceTransactions.list({ limit, ending_before });
    expect((await newerThan(oldest)).data.map((found) => found.id)).toEqual([newest, middle]);
    expect(await newerThan(oldest, 1)).toMatchObject({ has_more: true, data: [{ id: middle }] });
    expect(await newerThan(newest)).toMatchObject({ has_more: false, data: [] });
    await expect(test.balanceTransactions.list({ ending_before: oldest ?? "", starting_after: newest ?? "" })).rejects.toThrow(/both/);
    expect((await test.balanceTransactions.list({ created: { gte: Math.floor(Date.now() / 1000) + 60 } })).data).toEqual([]);
  });
});

describe("its customers", () => {
  const made = async () => (await call(CART, cart())).body;

  it("pay through the short link, which must lead to the checkout", async () => {
    const { short_url, payment_link_id } = await made();
    const paid = await control<Record<string, string>>("/pay", { short_url, client_reference_id: "order-1", email: "a@example.com" });
    expect(Object.keys(paid)).toEqual(["checkout_session", "payment_intent", "charge", "balance_transaction"]);
    expect(world.state.objects[paid.checkout_session ?? ""]).toMatchObject({
      payment_link: payment_link_id,
      client_reference_id: "order-1",
      status: "complete",
    });
    await expect(control("/pay", { short_url: "http://localhost:8787/AAAAAAAAAAAA" })).rejects.toThrow("404");
    await expect(control("/pay", {})).rejects.toThrow("400");
    await expect(control("/pay", { payment_link_id: "plink_none" })).rejects.toThrow("404");
  });

  it("lose an order reference that the checkout does not take", async () => {
    const { payment_link_id } = await made();
    const paid = await control<{ checkout_session: string }>("/pay", { payment_link_id, client_reference_id: "order #1" });
    expect(world.state.objects[paid.checkout_session]).toMatchObject({ client_reference_id: null });
  });

  it("refund, dispute, win and lose", async () => {
    const { payment_link_id } = await made();
    const { payment_intent } = await control<{ payment_intent: string }>("/pay", { payment_link_id });
    const part = await control<{ refund: string }>("/refund", { payment_intent, amount: 100 });
    expect(await test.refunds.retrieve(part.refund, { expand: ["balance_transaction"] })).toMatchObject({
      amount: 100,
      balance_transaction: { amount: -100, type: "refund" },
    });
    await expect(control("/refund", { payment_intent, amount: 999_999 })).rejects.toThrow("400");
    const failed = await control<{ refund: string }>("/refund", { payment_intent, fail: true });
    expect(world.state.objects[failed.refund]).toMatchObject({
      status: "failed",
      failure_balance_transaction: expect.stringMatching(/^txn_/),
    });
    const { dispute } = await control<{ dispute: string }>("/dispute", { payment_intent });
    expect(await test.disputes.retrieve(dispute)).toMatchObject({
      balance_transactions: [{ amount: -7700, reporting_category: "dispute" }],
    });
    await control("/dispute/close", { dispute, won: true });
    expect(await test.disputes.retrieve(dispute)).toMatchObject({ status: "won", balance_transactions: [{}, { amount: 7700 }] });
  });

  it("take a promotion code off what they pay, as often as it may be used, and one for all of it leaves nothing to pay", async () => {
    const sell = () => test.paymentLinks.create({ ...link, allow_promotion_codes: true });
    const makeCode = async (code: string, percent_off: number, max_redemptions?: number) => {
      const coupon = await test.coupons.create({ percent_off, duration: "once" });
      return test.promotionCodes.create({
        promotion: { type: "coupon", coupon: coupon.id },
        code,
        ...(max_redemptions && { max_redemptions }),
      });
    };
    await makeCode("THIRD", 33, 1);
    await makeCode("GIFT", 100);
    const { id } = await sell();
    const pay = (promotion_code: string) => control<{ payment_intent: string | null }>("/pay", { payment_link_id: id, promotion_code });
    expect(await test.paymentIntents.retrieve((await pay("third")).payment_intent ?? "")).toMatchObject({ amount: 1340 });
    await expect(pay("THIRD")).rejects.toThrow(/as often as it may be/);
    await expect(pay("NONE")).rejects.toThrow(/no such promotion code/);
    expect(await pay("GIFT")).toMatchObject({ payment_intent: null });
    expect(await objects("checkout_sessions")).toMatchObject([
      { amount_total: 1340, total_details: { amount_discount: 660 }, payment_status: "paid" },
      { amount_total: 0, total_details: { amount_discount: 2000 }, payment_status: "no_payment_required", status: "complete" },
    ]);
    const plain = await test.paymentLinks.create(link);
    await expect(control("/pay", { payment_link_id: plain.id, promotion_code: "GIFT" })).rejects.toThrow(/takes no promotion codes/);
  });

  it("have a subscription's periods reduced for as long as the code says", async () => {
    const recurring = {
      line_items: [{ price_data: { ...price, recurring: { interval: "month" as const } }, quantity: 1 }],
      allow_promotion_codes: true,
    };
    for (const [text, duration, amounts] of [
      ["ONCE", { duration: "once" }, [500, 1000, 1000]],
      ["TWICE", { duration: "repeating", duration_in_months: 2 }, [500, 500, 1000]],
      ["ALWAYS", { duration: "forever" }, [500, 500, 500]],
    ] as const) {
      const coupon = await test.coupons.create({ percent_off: 50, ...duration });
      await test.promotionCodes.create({ promotion: { type: "coupon", coupon: coupon.id }, code: text });
      const sold = await test.paymentLinks.create(recurring);
      const paid = await control<{ subscription: string; payment_intent: string }>("/pay", {
        payment_link_id: sold.id,
        promotion_code: text,
      });
      const renewals = [paid];
      for (let period = 0; period < 2; period += 1) renewals.push(await control("/renew", { subscription: paid.subscription }));
      const intents = await Promise.all(renewals.map(({ payment_intent }) => test.paymentIntents.retrieve(payment_intent)));
      expect([text, intents.map(({ amount }) => amount)]).toEqual([text, amounts]);
    }
  });

  it("subscribe, renew, schedule an end, and end", async () => {
    const { body } = await call(CART, cart({ items: [{ stripe_product_id: "prod_acmeTestMonthly", unit_amount: 900, quantity: 1 }] }));
    const { subscription } = await control<{ subscription: string }>("/pay", { payment_link_id: body.payment_link_id });
    const before = await test.subscriptions.retrieve(subscription);
    expect(before).toMatchObject({ status: "active", cancel_at: null, metadata: { partner_id: "acme" } });
    const scheduled = await test.subscriptions.update(subscription, { cancel_at_period_end: true });
    expect(scheduled.cancel_at).toBe(before.items.data[0]?.current_period_end);
    expect(await test.subscriptions.update(subscription, { cancel_at_period_end: false })).toMatchObject({
      cancel_at: null,
      cancel_at_period_end: false,
    });
    await control("/renew", { subscription });
    expect((await test.subscriptions.retrieve(subscription)).items.data[0]?.current_period_start).toBe(
      before.items.data[0]?.current_period_end,
    );
    await control("/end-subscription", { subscription });
    expect(await test.subscriptions.retrieve(subscription)).toMatchObject({ status: "canceled" });
    await expect(control("/renew", { subscription })).rejects.toThrow("400");
    await expect(test.subscriptions.update(subscription, { cancel_at_period_end: true })).rejects.toThrow(/canceled/);
  });

  it("settle only what is pending", async () => {
    const { payment_link_id } = await made();
    const { payment_intent } = await control<{ payment_intent: string }>("/pay", { payment_link_id });
    await expect(control("/settle", { payment_intent, outcome: "failed" })).rejects.toThrow("400");
  });
});

describe("its controls", () => {
  it("forget everything, also what was still to come", async () => {
    const { payment_link_id } = (await call(CART, cart())).body;
    await control("/pay", { payment_link_id, balance_after_ms: 50 });
    await control("/reset", {});
    await settled();
    expect(await control("/objects?type=balance_transactions")).toEqual({ data: [], count: 0 });
    // What the edge asks afterwards is new; what it asked before is forgotten.
    expect((await processorCalls()).filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("log every call, also one to nowhere, and show what came since", async () => {
    await fetch(`${SANDBOX}/v1/nowhere`, { headers: { Authorization: "Bearer sk_test_sandbox" } });
    await test.paymentLinks.create(link, { idempotencyKey: "logged" });
    // The edge still asks for payments of earlier tests: such calls are in the log, too.
    const ours = (await processorCalls()).filter((one) => one.path === "/v1/nowhere" || one.idempotency_key === "logged");
    expect(ours).toMatchObject([
      { method: "GET", path: "/v1/nowhere", status: 404 },
      { method: "POST", path: "/v1/payment_links", status: 200, idempotency_key: "logged", body: expect.stringContaining("line_items[0]") },
    ]);
    expect(await processorCalls(Date.now() + 1_000)).toEqual([]);
  });

  it("fail the next calls of a name, so many times and no more", async () => {
    await control("/faults", { target: "processor", call: "prices.create", times: 2, kind: "http_500" });
    for (let tries = 0; tries < 2; tries += 1) await expect(test.prices.create(price)).rejects.toMatchObject({ statusCode: 500 });
    await expect(test.prices.create(price)).resolves.toMatchObject({ object: "price" });
    await control("/faults", { target: "processor", call: "prices.create", times: 9, kind: "reset" });
    await control("/faults", undefined, "DELETE");
    await expect(test.prices.create(price)).resolves.toMatchObject({ object: "price" });
    // A payment link makes its prices in the same call.
    await control("/faults", { target: "processor", call: "prices.create", times: 1, kind: "http_400" });
    const made = await call(CART, cart());
    expect([made.status, made.body.error_code]).toEqual([200, "INTEGRATION_UPSTREAM_ERROR"]);
    await expect(control("/faults", { target: "processor", call: "prices.create", times: 1, kind: "explode" })).rejects.toThrow("400");
    await expect(control("/faults", { target: "processor", call: "price.create", times: 1, kind: "reset" })).rejects.toThrow("400");
    await expect(control("/objects?type=nonsense")).rejects.toThrow("400");
    await expect(control("/nowhere")).rejects.toThrow("404");
  });

  it("have an inbox answer as set, so often as set", async () => {
    const send = async () => (await fetch(`${SANDBOX}/inbox/mine`, { method: "POST", body: "{}" })).status;
    await control("/inbox/mine", { status: 503, times: 2 });
    expect([await send(), await send(), await send()]).toEqual([503, 503, 200]);
    expect(await control("/inbox/mine")).toMatchObject([{ body: "{}", at: expect.any(Number), headers: {} }, {}, {}]);
  });
});

it("checks the signatures of deliveries with the secrets that it is given", async () => {
  const { body } = await call(REGISTER, { test_url: `${SANDBOX}/inbox/signed` });
  const { payment_link_id } = (await call(CART, cart())).body;
  const { payment_intent } = await control<{ payment_intent: string }>("/pay", { payment_link_id });
  const inbox = () => world.state.inboxes.signed?.received ?? [];
  const isOurs = ({ body: sent }: { body: string }) => sent.includes(payment_intent);
  await expect.poll(() => inbox().filter(isOurs).length).toBe(1);
  // What the payments of earlier tests have led to may come here too.
  if (world.state.inboxes.signed !== undefined) world.state.inboxes.signed.received = inbox().filter(isOurs);
  expect((await page("/")).text).toContain("not checked");
  await page("/secrets", { method: "POST", body: new URLSearchParams({ secret: "whsec_wrong" }) });
  expect((await page("/")).text).toContain("by none of the secrets given");
  await page("/secrets", { method: "POST", body: new URLSearchParams({ secret: body.registered[0].signing_secret }) });
  expect((await page("/")).text).toContain(">verifies<");
  expect((await page("/")).text).toMatch(/<td data-head="Age">\d s<\/td>/);
  expect((await page("/")).text).not.toContain("taken before");
  // The same delivery comes again, ten minutes later, and one that is not signed at all.
  const [came] = world.state.inboxes.signed?.received ?? [];
  if (came !== undefined) world.state.inboxes.signed?.received.push({ ...came, at: came.at + 600_000 }, { ...came, headers: {} });
  const { text } = await page("/");
  expect(text).toContain("taken before");
  expect(text).toMatch(/<span class="bad">60\d s<\/span>/);
  expect(text).toContain("no timestamp");
  expect(text).toContain("does not verify");
  const refused = await page("/secrets", { method: "POST", body: new URLSearchParams({ secret: "nonsense" }) });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("whsec_")]);
});

describe("its pages", () => {
  it("let a person pay, and come back to the shop", async () => {
    const success_url = "https://shop.example/thanks?session={CHECKOUT_SESSION_ID}";
    const { payment_link_id } = (await call(CART, cart({ success_url }))).body;
    const shown = await page(`/checkout/${payment_link_id}?client_reference_id=order%221`);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain("77.00 USD");
    expect(shown.text).toContain("order&quot;1");
    const form = {
      method: "POST",
      body: new URLSearchParams({ email: "a@example.com", method: "card", outcome: "succeeded", client_reference_id: "order-7" }),
    };
    const paid = await page(`/checkout/${payment_link_id}`, form);
    expect([paid.status, paid.location]).toEqual([303, expect.stringMatching(/^https:\/\/shop\.example\/thanks\?session=cs_test_/)]);
    const declined = await page(`/checkout/${payment_link_id}`, { ...form, body: new URLSearchParams({ outcome: "failed" }) });
    expect(declined.text).toContain("declined");
    expect((await page("/checkout/plink_none")).status).toBe(404);
  });

  it("show what there is, with buttons that work", async () => {
    const { payment_link_id } = (await call(CART, cart())).body;
    const { payment_intent } = await control<{ payment_intent: string }>("/pay", { payment_link_id });
    await expect.poll(async () => (await page("/")).text).toContain(payment_intent);
    const acted = await page(`/act/refund/${payment_intent}`, { method: "POST" });
    expect(acted.status).toBe(303);
    expect(await objects("refunds")).toMatchObject([{ payment_intent, amount: 7700 }]);
    expect((await page("/")).text).not.toContain(`/act/refund/${payment_intent}`);
    const again = await page(`/act/refund/${payment_intent}`, { method: "POST" });
    expect([again.status, again.text]).toEqual([400, expect.stringContaining("That did not work")]);
  });
});

it.each([
  { Origin: "https://elsewhere.example" },
  { Origin: "null" },
  { Origin: SANDBOX, "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
])("takes no change from another site's page: %j", async (headers) => {
  const post = (path: string, more: Record<string, string>) =>
    page(path, { method: "POST", body: "{}", headers: { "Content-Type": "application/json", ...more } });
  for (const path of ["/control/reset", "/control/pay", "/inbox/own", "/v1/prices"])
    expect([path, (await post(path, headers)).status]).toEqual([path, 403]);
  expect((await post("/control/reset", { Origin: SANDBOX, "Sec-Fetch-Site": "same-origin" })).status).toBe(200);
});
