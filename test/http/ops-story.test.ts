import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/core/digest.ts";
import { deliveryAttempts, events, idempotencyRecords } from "../../src/db/schema/index.ts";
import { BANK, bankCart, CART, CODE, call, callV1, cart, keys, LINK, link, promotion, REGISTER, send } from "../support/api.ts";
import { HOUR, pass, realTime } from "../support/later.ts";
import { change, ops } from "../support/ops.ts";
import { line, type Paid, quiet } from "../support/payments.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { countOf, deleteRows, fieldOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";
import { virtualTime } from "../support/virtual-time.ts";

beforeEach(() => call(REGISTER, { test_url: `${SANDBOX}/inbox/story`, client_token: "story" }));
afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
  await control("/inbox/story", { status: 200 });
});

/** An attempt to deliver the event was made, and its end is on record. */
async function attempted(cause: string): Promise<void> {
  const id = await fieldOf(events, "id", { cause });
  expect(await countOf(deliveryAttempts, { event_id: id })).toBeGreaterThan(0);
  expect(await fieldOf(events, "state", { cause })).not.toBe("sending");
}

let orders = 0;
async function order() {
  orders += 1;
  const reference = `order-${orders}`;
  const token = `story-token-${orders}`;
  const made = (await call(CART, cart({ items: [line("TestUsd1")], client_token: token }))).body;
  const paid = await control<Paid>("/pay", {
    short_url: made.short_url,
    client_reference_id: reference,
    email: `buyer${orders}@shop.example`,
  });
  await quiet();
  await until(() => attempted(`payment.succeeded:processor:${paid.balance_transaction}`));
  return { reference, token, made, paid, email: `buyer${orders}@shop.example` };
}

const find = async (q: string) => (await ops(`find?q=${encodeURIComponent(q)}`)).body.data;
const story = async (q: string) => (await ops(`story?q=${encodeURIComponent(q)}`)).body;

describe("find", () => {
  it("says what each name of an order belongs to", async () => {
    const { reference, token, made, paid, email } = await order();
    const isPayment = [expect.objectContaining({ kind: "payment", id: paid.payment_intent, environment: "test" })];
    for (const q of [reference, paid.payment_intent, email, paid.balance_transaction]) expect(await find(q)).toEqual(isPayment);
    expect((await find(reference))[0].partner_id).toBe("acme");
    const isLink = [expect.objectContaining({ kind: "payment_link", id: made.payment_link_id, partner_id: "acme" })];
    for (const q of [made.payment_link_id, made.short_url_id, made.short_url, `pay.example.com/${made.short_url_id}`])
      expect(await find(q)).toEqual(isLink);
    expect(await find(token)).toEqual([expect.objectContaining({ kind: "request", partner_id: "acme" })]);
    const refund = await control<{ refund: string }>("/refund", { payment_intent: paid.payment_intent });
    const dispute = await control<{ dispute: string }>("/dispute", { payment_intent: paid.payment_intent });
    await quiet();
    for (const q of [paid.charge, refund.refund, dispute.dispute]) expect(await find(q)).toEqual(isPayment);
  });

  it("says which request an answer's id belongs to, and whose a promotion code is", async () => {
    const { headers } = await call(CART, cart({ client_token: "by-request-id" }));
    const [found, ...others] = await find(headers.get("X-Request-Id") ?? "");
    expect([found, others]).toMatchObject([{ kind: "request", partner_id: "acme" }, []]);
    expect((await story(headers.get("X-Request-Id") ?? "")).entries[0].says).toContain("by-request-id");
    const made = (await callV1(CODE, promotion({ code: "SPRING10" }))).body;
    for (const q of ["SPRING10", "spring10"]) {
      expect(await find(q)).toMatchObject([{ kind: "promotion_code", id: made.stripe_promotion_code_id, partner_id: "acme" }]);
    }
    await change(`promotion-codes/${made.stripe_promotion_code_id}/deactivate`);
    // Support is asked why a code is refused: it is found, and its page says since when.
    expect(await find("SPRING10")).toMatchObject([{ kind: "promotion_code", id: made.stripe_promotion_code_id }]);
  });

  it("says what else there is: bank orders, events, subscriptions, codes, keys, products, partners", async () => {
    const bank = (await call(BANK, bankCart({ external_order_id: "bank-order-1" }))).body;
    for (const q of [bank.order_id, String(bank.payment_id), "bank-order-1"]) {
      expect(await find(q)).toEqual([expect.objectContaining({ kind: "bank_order", id: bank.order_id })]);
    }
    const code = (await callV1(CODE, promotion())).body;
    expect(await find(code.stripe_promotion_code_id)).toMatchObject([{ kind: "promotion_code", partner_id: "acme" }]);
    const subscribed = (await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly" }))).body;
    const { subscription } = await control<{ subscription: string }>("/pay", { short_url: subscribed.short_url });
    await quiet();
    expect(await find(subscription)).toMatchObject([{ kind: "subscription", partner_id: "acme" }]);
    const { data: deliveries } = (await ops("deliveries?partner=acme")).body;
    expect(await find(deliveries[0].event)).toMatchObject([{ kind: "event", partner_id: "acme" }]);
    expect(await find("ep_acme_test")).toMatchObject([{ kind: "endpoint", partner_id: "acme" }]);
    await call(CART, cart({ client_token: "card_order_77" }));
    expect(await find("card_order_77")).toMatchObject([{ kind: "request", partner_id: "acme" }]);
    expect(await find("key_a1")).toMatchObject([{ kind: "key", partner_id: "acme" }]);
    expect(await find("prod_acmeLiveUsd1")).toMatchObject([{ kind: "product", id: "card/card_acmeLiveUsd1" }]);
    expect(await find("1001")).toMatchObject([{ kind: "product", id: "ruble/1001" }]);
    expect(await find("globex")).toMatchObject([{ kind: "partner", id: "globex" }]);
    expect(await find("acme_former")).toMatchObject([{ kind: "employee", partner_id: "acme" }]);
  });

  it.each(["nothing-of-this-name", "pi_none", "plink_none", "evt_none", "sub_none", "https://", "x@nowhere.example", "' OR 1=1"])(
    "finds nothing for %s",
    async (q) => {
      expect(await find(q)).toEqual([]);
      expect((await ops(`story?q=${encodeURIComponent(q)}`)).status).toBe(404);
    },
  );

  it("knows a refused request by its id, a stopped code by its text, and a whole key that was pasted", async () => {
    const refused = await call(CART, cart({ items: [{ ...line("TestUsd1"), quantity: 0 }] }));
    const id = refused.headers.get("X-Request-Id") ?? expect.fail("no request id");
    await until(async () => expect(await find(id)).toEqual([expect.objectContaining({ kind: "request", id, partner_id: "acme" })]));
    const { body } = await callV1(CODE, promotion({ code: "STOPPED1", idempotency_key: "stopped-1" }));
    await change(`promotion-codes/${body.stripe_promotion_code_id}/deactivate`);
    expect(await find("stopped1")).toEqual([expect.objectContaining({ kind: "promotion_code", id: body.stripe_promotion_code_id })]);
    for (const key of [keys.acme, keys.revoked]) {
      const found = await find(key);
      expect(found).toEqual([expect.objectContaining({ kind: "key", partner_id: "acme" })]);
      expect(JSON.stringify(found)).not.toContain(key);
      // The console asks by the hash.
      expect(await find(await sha256Hex(key))).toEqual(found);
    }
  });

  it("knows the orders of a buyer of cards while the processor is down, and those of rubles", async () => {
    const { paid, email } = await order();
    const ruble = (await call(BANK, bankCart({ email: "rubles@shop.example" }))).body;
    await control("/faults", { target: "processor", call: "checkout.sessions.list", times: 99, kind: "http_500" });
    expect(await find(email)).toEqual([expect.objectContaining({ kind: "payment", id: paid.payment_intent, partner_id: "acme" })]);
    await control("/faults", undefined, "DELETE");
    const found = await find("Rubles@shop.example");
    expect(found.map(({ kind }: { kind: string }) => kind)).toEqual(ruble.success ? found.map(() => "bank_order") : []);
  });

  it("must be given something", async () => {
    for (const path of ["find", "find?q=", "story"]) expect((await ops(path)).status).toBe(400);
    virtualTime();
    await control("/faults", { target: "processor", call: "checkout.sessions.list", times: 99, kind: "http_500" });
    expect((await ops("find?q=a@shop.example")).status).toBe(502);
  });
});

describe("the story of an order", () => {
  it("is the same from each of its names, oldest first, from the request to the delivered event", async () => {
    const { reference, token, made, paid } = await order();
    const whole = await story(reference);
    const kinds = whole.entries.map(({ kind }: { kind: string }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["request", "payment_link", "movement", "processor_event", "event", "delivery"]));
    const times = whole.entries.map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted());
    const says = whole.entries.map((entry: { says: string }) => entry.says).join("\n");
    for (const part of [
      token,
      made.short_url_id,
      `Payment of 19.00 USD, order ${reference}`,
      "Its status at the processor was completed",
      "The processor reported charge.succeeded",
      "Processor.payment.succeeded was recorded",
      "Attempt 1: the receiver took it, HTTP 200",
    ]) {
      expect(says).toContain(part);
    }
    expect([whole.gaps, whole.entries.filter(({ wrong }: { wrong: string | null }) => wrong !== null)]).toEqual([[], []]);
    const event = whole.entries.find(({ kind }: { kind: string }) => kind === "event").id;
    const withoutFound = async (q: string) => (await story(q)).entries;
    for (const q of [token, made.payment_link_id, made.short_url, paid.payment_intent, event])
      expect(await withoutFound(q)).toEqual(whole.entries);
  });

  it("begins with what became of the order, in words that can be sent on", async () => {
    const { paid } = await order();
    await control("/refund", { payment_intent: paid.payment_intent, amount: 700, fail: true });
    await quiet();
    await until(async () => {
      const { summaries } = await story(paid.payment_intent);
      const words = { en: expect.any(String), ru: expect.any(String) };
      expect(summaries).toEqual([{ about: paid.payment_intent, summary: words, to_customer: words }]);
      expect(summaries[0].to_customer.en).toMatch(
        /^You paid \$19\.00 for .* A refund of \$7\.00 failed on .*: you have not got that money back\. Agree with the seller on another way to get it\. It is of the test environment\.$/,
      );
      expect(summaries[0].summary.en).toMatch(
        /^Paid \$19\.00 for .* on .* A refund of \$7\.00 failed on .*: the customer has not got that money back, .* another way\. Your server took its 2 events\. It is of the test environment\.$/,
      );
    });
    const { summary, to_customer } = (await ops(`orders/${paid.payment_intent}`)).body;
    expect((await story(paid.payment_intent)).summaries).toEqual([{ about: paid.payment_intent, summary, to_customer }]);
    const own = await send(`/partner/orders/${paid.payment_intent}`, { headers: { "X-Partner-Api-Key": keys.acme } });
    expect([own.body.summary, "to_customer" in own.body]).toEqual([summary, false]);
  });

  it("says the request id under which the partner's answer came", async () => {
    const answer = await call(CART, cart({ client_token: "story-request" }));
    const { entries } = await story("story-request");
    expect(entries[0].says).toContain(answer.headers.get("X-Request-Id"));
  });

  it("says what is wrong, and the command that helps", async () => {
    await control("/inbox/story", { status: 500 });
    const { reference, made } = await order();
    const wrong = async (q: string) =>
      (await story(q)).entries
        .filter((entry: { wrong: string | null }) => entry.wrong !== null)
        .map(({ wrong: what, command }: any) => [what, command]);
    expect(await wrong(reference)).toEqual([
      [expect.stringMatching(/^The event waits: attempts fail \(500\) since /), expect.stringMatching(/^deliveries resend evt_01/)],
    ]);
    await ops(`payment-links/${made.payment_link_id}/disable`, { method: "POST" });
    expect(await wrong(reference)).toContainEqual(["Customers cannot pay by it.", `payment-links enable ${made.payment_link_id}`]);

    const broken = breakShortLinks();
    virtualTime();
    const request = link();
    await callV1(LINK, request);
    realTime();
    broken.mend();
    expect(await wrong(request.idempotency_key)).toEqual([
      ["It has no short link.", expect.stringMatching(/^short-links complete plink_/)],
      ["The link waits for its short link.", null],
    ]);
  });

  it("says what the processor could not be asked, and tells the rest", async () => {
    const { made } = await order();
    virtualTime();
    await control("/faults", { target: "processor", call: "checkout.sessions.list", times: 99, kind: "http_500" });
    const partial = await story(made.payment_link_id);
    expect(partial.gaps).toEqual([expect.stringContaining(made.payment_link_id)]);
    expect(
      partial.entries
        .map(({ kind }: { kind: string }) => kind)
        .toSorted()
        .join(" "),
    ).toBe("delivery event movement movement payment_link processor_event processor_event processor_event request request");
  });

  it("has ruble payments with the bank's notifications and the event", async () => {
    const bank = (await call(BANK, bankCart({ external_order_id: "bank-story", environment: "test" }))).body;
    await control("/bank/pay", { order_id: bank.order_id });
    await quiet();
    const kinds = (await story("bank-story")).entries.map(({ kind }: { kind: string }) => kind);
    expect(new Set(kinds)).toEqual(new Set(["request", "bank_payment", "bank_notification", "event", "delivery"]));
  });

  it("of a subscription has all its payments and its own events, from whichever payment one comes", async () => {
    const made = (await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly" }))).body;
    const first = await control<Paid>("/pay", { short_url: made.short_url });
    await quiet();
    const renewed = await control<Paid>("/renew", { subscription: first.subscription });
    await quiet();
    const ofLink = (await story(made.short_url)).entries;
    for (const q of [first.payment_intent, renewed.payment_intent]) {
      const { entries } = await story(q);
      expect(entries.filter(({ kind }: { kind: string }) => kind === "subscription")).toHaveLength(1);
    }
    expect(new Set(ofLink.flatMap(({ kind, id }: any) => (kind === "movement" ? [id] : []))).size).toBe(2);
    expect(ofLink.map(({ says }: { says: string }) => says).join("\n")).toContain("Processor.subscription.started was recorded");
  });

  it("shows no checkout address, no buyer and no secret", async () => {
    const { reference, email } = await order();
    const { text } = await ops(`story?q=${reference}`);
    for (const secret of [email, "/checkout/", "whsec_", keys.acme]) expect(text).not.toContain(secret);
  });
});

describe("a key is explained", () => {
  const explain = async (operation: string, key: string, partner = "acme") =>
    (await ops(`idempotency?partner=${partner}&operation=${operation}&key=${encodeURIComponent(key)}`)).body;

  it("that was never used, or by another partner", async () => {
    await call(CART, cart({ client_token: "explained" }));
    for (const found of [await explain(CART, "unused"), await explain(CART, "explained", "globex")]) {
      expect(found).toMatchObject({ state: "never_used", repeat: "start", created_at: null, words: expect.stringContaining("never used") });
    }
  });

  it("that has a result: for good in the second generation, for a day in the first", async () => {
    const answer = await call(CART, cart({ client_token: "explained-2" }));
    expect(await explain(CART, "explained-2")).toMatchObject({
      state: "completed",
      repeat: "replay",
      request_id: answer.headers.get("X-Request-Id"),
      words: expect.stringContaining("the same result, at any time"),
    });
    const first = link();
    await callV1(LINK, first);
    expect((await explain(LINK, first.idempotency_key)).words).toContain("the same result until");
    pass(25 * HOUR);
    expect(await explain(LINK, first.idempotency_key)).toMatchObject({
      repeat: "start_over",
      words: expect.stringContaining("carried out again"),
    });
  });

  it("that fails: how often it did, and how often it still may", async () => {
    await control("/faults", { target: "processor", call: "payment_links.create", times: 99, kind: "http_400" });
    const failing = link();
    for (let failures = 1; failures <= 5; failures += 1) {
      await callV1(LINK, failing);
      const { state, words } = await explain(LINK, failing.idempotency_key);
      const left = 6 - failures;
      expect([state, words]).toEqual(["failed", expect.stringContaining(`${left} more ${left === 1 ? "makes" : "make"} it final`)]);
    }
    await callV1(LINK, failing);
    expect(await explain(LINK, failing.idempotency_key)).toMatchObject({ state: "failed_terminal", repeat: "repeat_failure" });
    await call(CART, cart({ client_token: "explained-failed" }));
    expect(await explain(CART, "explained-failed")).toMatchObject({
      state: "failed",
      repeat: "refuse_after_failure",
      words: expect.stringContaining("PREVIOUS_ATTEMPT_FAILED"),
    });
  });

  it("that was cut off, that waits for its short link, and whose attempt is still to be undone", async () => {
    await call(CART, cart({ client_token: "explained-state" }));
    const of = async (values: object) => {
      await updateRows(idempotencyRecords, values, { key: "token:explained-state" });
      return explain(CART, "explained-state");
    };
    const open = { completed_at: null, result: null };
    expect(await of({ ...open, state: "running" })).toMatchObject({
      repeat: "resume",
      words: expect.stringMatching(/OPERATION_IN_PROGRESS.*resumes where it stopped/),
    });
    expect(await of({ state: "awaiting_short_link" })).toMatchObject({
      repeat: "resume",
      words: expect.stringContaining("A repeat creates the short link, and never a second link"),
    });
    const request = link();
    await callV1(LINK, request);
    const ofKey = async (values: object) => {
      await updateRows(idempotencyRecords, { ...open, state: "failed", failures: 2, ...values }, { key: `key:${request.idempotency_key}` });
      return explain(LINK, request.idempotency_key);
    };
    const due = Date.UTC(2090, 0, 1);
    expect(await ofKey({ resumable: 1, compensate_at: due })).toMatchObject({
      repeat: "resume",
      words: expect.stringMatching(/resumes where the last attempt stopped.*Until 2090-01-01.*4 more make it final/),
    });
    expect(await ofKey({ resumable: 0, compensate_at: due })).toMatchObject({
      repeat: "start_over",
      words: expect.stringMatching(/first compensates the last attempt.*4 more make it final/),
    });
    await deleteRows(idempotencyRecords);
  });

  it("must be one of a known partner and operation", async () => {
    for (const query of [
      "partner=acme&key=x",
      "partner=acme&operation=nothing&key=x",
      `partner=acme&operation=${CART}`,
      `partner=acme&operation=first-link&key=x`,
    ]) {
      expect((await ops(`idempotency?${query}`)).status).toBe(400);
    }
    expect((await ops(`idempotency?partner=nobody&operation=${CART}&key=x`)).status).toBe(404);
  });
});
