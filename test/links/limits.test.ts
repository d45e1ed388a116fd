import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { linkPayments, orders, paymentLinks, subscriptions } from "../../src/db/schema/index.ts";
import { texts } from "../../src/http/short-domain/texts.ts";
import { CART, CODE, call, callV1, cart, keys, LINK, link, promotion, send } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { control, objects, SANDBOX } from "../support/stack.ts";
import { fieldOf, rowsOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
});

const KEY = { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" };
const limit = (id: string, body: object, headers: Record<string, string> = KEY) =>
  send(`/partner/links/${id}/limits`, { method: "POST", headers, body: JSON.stringify(body) });
const partner = (path: string, method = "GET") => send(`/partner/${path}`, { method, headers: KEY });
const made = async (body: Record<string, unknown> = cart()) =>
  (await call(CART, body)).body as { payment_link_id: string; short_url: string };
const follow = (url: string, language = "en") => send(new URL(url).pathname, { headers: { "Accept-Language": language } });
const atProcessor = async (id: string) => (await objects("payment_links")).find((one) => one.id === id);
const pay = (short_url: string, more: object = {}) => control<{ payment_intent: string }>("/pay", { short_url, ...more });
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();

/** A link limited so, with its payment link's id and its short URL. */
async function limited(body: object, from: Record<string, unknown> = cart()) {
  const { payment_link_id: id, short_url } = await made(from);
  expect((await limit(id, body)).status).toBe(200);
  return { id, short_url };
}
const stateOf = async (id: string) => (await partner(`links/${id}`)).body.state;
const untilState = (id: string, state: string) => until(async () => expect(await stateOf(id)).toBe(state));

describe("a link for one payment", () => {
  it("is closed by it, at the processor and here, and shows its customer the order and the receipt", async () => {
    const { payment_link_id: id, short_url } = await made();
    const answer = await limit(id, { completed_sessions: 1 });
    expect([answer.status, answer.body]).toMatchObject([200, { state: "open", completed_sessions: 1, closes_at: null, closed_at: null }]);
    expect((await atProcessor(id))?.restrictions).toEqual({ completed_sessions: { count: 0, limit: 1 } });
    expect((await follow(short_url)).status).toBe(302);
    const { payment_intent } = await pay(short_url, { client_reference_id: "order-1" });
    await untilState(id, "closed");
    expect((await partner(`links/${id}`)).body).toMatchObject({ closed_at: expect.any(String), disabled_at: null, disabled_by: null });
    expect((await atProcessor(id))?.active).toBe(false);
    pass(2 * MINUTE);
    await cron();
    const page = await follow(short_url);
    expect([page.status, page.headers.get("Location")]).toEqual([410, null]);
    for (const said of [texts.en.paid, texts.en.paidOnce, "Order: order-1", `<a href="${SANDBOX}/receipts/${payment_intent}">Receipt</a>`])
      expect(page.body).toContain(said);
    expect((await follow(short_url, "ru")).body).toContain(texts.ru.paid);
    // The receipt is the customer's: neither partners nor operators are shown it.
    for (const one of [await partner(`links/${id}`), await ops(`payment-links/${id}`), await partner("links?environment=test")])
      expect(JSON.stringify(one.body)).not.toContain("/receipts/");
    const told = (await ops(`story?q=${id}`)).body;
    expect(JSON.stringify(told)).toContain("it had the payment that it was for");
  });

  it("shows what a page must not take for markup as it is", async () => {
    const { id, short_url } = await limited({ completed_sessions: 1 });
    await pay(short_url);
    await untilState(id, "closed");
    await updateRows(linkPayments, { reference: '<b>&"', receipt: "javascript:alert(1)" }, { payment_link_id: id });
    pass(2 * MINUTE);
    await cron();
    const { body } = await follow(short_url);
    expect(body).toContain("Order: &lt;b&gt;&amp;&quot;");
    expect(body).not.toContain("javascript:");
  });

  it("shows no receipt any more once its customer was erased", async () => {
    const { id, short_url } = await limited({ completed_sessions: 1 });
    const { payment_intent } = await pay(short_url);
    await until(async () => expect(await fieldOf(linkPayments, "receipt", { payment_link_id: id })).toContain(payment_intent));
    expect((await change("erase", { payment_intent_id: payment_intent })).status).toBe(200);
    expect(await rowsOf(linkPayments, { payment_link_id: id }, { columns: ["id", "receipt"] })).toEqual([
      { id: payment_intent, receipt: "" },
    ]);
    // A later look at the erased payment brings nothing back.
    expect((await change("ledger/refresh", { environment: "test", id: payment_intent })).status).toBe(200);
    expect(await fieldOf(linkPayments, "receipt", { payment_link_id: id })).toBe("");
    pass(2 * MINUTE);
    await cron();
    expect((await follow(short_url)).body).not.toContain("/receipts/");
  });

  it("is not joined by an equal cart without a token, before it is paid or after", async () => {
    const { client_token: _, ...untokened } = cart();
    const first = await made(untokened);
    expect((await made(untokened)).payment_link_id).toBe(first.payment_link_id);
    await limit(first.payment_link_id, { completed_sessions: 1 });
    const second = await made(untokened);
    expect(second.payment_link_id).not.toBe(first.payment_link_id);
    await limit(second.payment_link_id, { closes_at: inMinutes(60) });
    expect((await made(untokened)).payment_link_id).not.toBe(second.payment_link_id);
    // With a token it is the same request.
    const tokened = cart();
    const own = await made(tokened);
    await limit(own.payment_link_id, { completed_sessions: 1 });
    expect((await made(tokened)).payment_link_id).toBe(own.payment_link_id);
  });

  it("is not closed by a payment that failed, and by one that is pending", async () => {
    const { id, short_url } = await limited({ completed_sessions: 1 });
    const { payment_intent } = await pay(short_url, { outcome: "failed" });
    await until(async () => expect((await partner(`orders/${payment_intent}`)).body.status).toBe("failed"));
    expect(await stateOf(id)).toBe("open");
    await pay(short_url, { outcome: "pending" });
    await untilState(id, "closed");
    // The page does not say that the money has come.
    pass(2 * MINUTE);
    await cron();
    const { body } = await follow(short_url);
    expect([body.includes(texts.en.over), body.includes(texts.en.paid)]).toEqual([true, false]);
  });

  it("does not show who had begun to pay before it was limited", async () => {
    const { payment_link_id: id, short_url } = await made();
    await limit(id, { completed_sessions: 1 });
    await updateRows(paymentLinks, { limited_at: Date.now() + MINUTE }, { id });
    await pay(short_url, { client_reference_id: "of-another" });
    await untilState(id, "closed");
    expect(await rowsOf(linkPayments, { payment_link_id: id }, { columns: ["reference", "receipt"] })).toEqual([
      { reference: null, receipt: "" },
    ]);
    expect((await limit(id, { completed_sessions: null })).body.state).toBe("open");
    expect(await fieldOf(paymentLinks, "limited_at", { id })).toBeNull();
  });

  it("is closed by a checkout with nothing to pay", async () => {
    const { id, short_url } = await limited({ completed_sessions: 1 }, cart({ allow_promotion_codes: true }));
    const code = promotion({ percent_off: 100, stripe_product_ids: ["prod_acmeTestUsd1", "prod_acmeTestUsd2"] });
    expect((await callV1(CODE, code)).body).toMatchObject({ success: true });
    await control("/pay", { short_url, promotion_code: code.code });
    await untilState(id, "closed");
    expect((await atProcessor(id))?.active).toBe(false);
  });

  it("stays closed though a person disables and enables it", async () => {
    const { id, short_url } = await limited({ completed_sessions: 1 });
    await pay(short_url);
    await untilState(id, "closed");
    for (const by of ["partner", "operator"] as const) {
      const verb = (name: string) => (by === "partner" ? partner(`links/${id}/${name}`, "POST") : change(`payment-links/${id}/${name}`));
      expect((await verb("disable")).body.state).toBe("disabled");
      expect((await verb("enable")).body.state).toBe("closed");
      expect((await atProcessor(id))?.active).toBe(false);
    }
  });

  it("is closed by a payment that comes while it is disabled", async () => {
    const { id, short_url } = await limited({ completed_sessions: 1 });
    await control("/pay", { short_url });
    await partner(`links/${id}/disable`, "POST");
    await until(async () => expect(await fieldOf(paymentLinks, "closed_at", { id })).not.toBeNull());
    expect((await partner(`links/${id}/enable`, "POST")).body.state).toBe("closed");
    expect((await atProcessor(id))?.active).toBe(false);
  });
});

describe("a link for several payments", () => {
  it("is closed by the last of them, says nothing of a payment, and is open again once more are allowed", async () => {
    const { id, short_url } = await limited({ completed_sessions: 2 });
    await pay(short_url);
    await until(async () => expect((await partner(`links/${id}`)).body.paid).toHaveLength(1));
    expect(await stateOf(id)).toBe("open");
    await pay(short_url, { client_reference_id: "the-second" });
    await untilState(id, "closed");
    pass(2 * MINUTE);
    await cron();
    const page = await follow(short_url);
    expect([page.status, page.body]).toEqual([410, expect.stringContaining(texts.en.over)]);
    expect(page.body).not.toContain("the-second");

    expect((await limit(id, { completed_sessions: 3 })).body).toMatchObject({ state: "open", closed_at: null, completed_sessions: 3 });
    expect(await atProcessor(id)).toMatchObject({ active: true, restrictions: { completed_sessions: { count: 2, limit: 3 } } });
    pass(MINUTE);
    expect((await follow(short_url)).status).toBe(302);
    expect((await limit(id, { completed_sessions: 2 })).body.state).toBe("closed");
    expect((await atProcessor(id))?.active).toBe(false);
    // Of two payments, neither is shown, although it is for one now.
    await limit(id, { completed_sessions: 1 });
    pass(MINUTE);
    expect((await follow(short_url)).body).not.toContain("the-second");
    expect((await limit(id, { completed_sessions: null })).body).toMatchObject({ state: "open", completed_sessions: null });
    expect((await atProcessor(id))?.restrictions).toBeNull();
    expect(await rowsOf(linkPayments, { payment_link_id: id })).toEqual([]);
  });

  it("counts what was paid before it was limited", async () => {
    const { payment_link_id: id, short_url } = await made();
    await pay(short_url, { client_reference_id: "before" });
    await until(async () => expect((await partner(`links/${id}`)).body.paid).toHaveLength(1));
    expect((await limit(id, { completed_sessions: 2 })).body.state).toBe("open");
    await pay(short_url);
    await untilState(id, "closed");
  });

  it("counts the free checkouts and the trials from before too, and never shows a receipt of then", async () => {
    const { payment_link_id: id, short_url } = await made(cart({ allow_promotion_codes: true }));
    const code = promotion({ percent_off: 100, stripe_product_ids: ["prod_acmeTestUsd1", "prod_acmeTestUsd2"] });
    await callV1(CODE, code);
    await control("/pay", { short_url, promotion_code: code.code });
    await until(async () => expect(await rowsOf(orders, { payment_link_id: id })).toHaveLength(1));
    expect((await limit(id, { completed_sessions: 1 })).body.state).toBe("closed");

    const trial = { stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 }, trial_period_days: 7 };
    const { processor_payment_link_id: trialLink, short_url: trialUrl } = (await callV1(LINK, link(trial))).body;
    await control("/pay", { short_url: trialUrl });
    await until(async () => expect(await rowsOf(subscriptions, { payment_link_id: trialLink })).toHaveLength(1));
    expect((await limit(trialLink, { completed_sessions: 1 })).body.state).toBe("closed");

    const paid = await made();
    const { payment_intent } = await pay(paid.short_url, { client_reference_id: "of-another" });
    await until(async () => expect((await partner(`links/${paid.payment_link_id}`)).body.paid).toHaveLength(1));
    expect((await limit(paid.payment_link_id, { completed_sessions: 1 })).body.state).toBe("closed");
    expect((await change("ledger/refresh", { environment: "test", id: payment_intent })).status).toBe(200);
    pass(2 * MINUTE);
    await cron();
    const { status, body } = await follow(paid.short_url);
    expect([status, body.includes("/receipts/"), body.includes("of-another")]).toEqual([410, false, false]);
  });

  it("counts a subscription once, whatever it renews, and one that begins with a trial", async () => {
    const { body } = await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 } }));
    const id = body.processor_payment_link_id;
    await limit(id, { completed_sessions: 2 });
    const { subscription } = await control<{ subscription: string }>("/pay", { short_url: body.short_url });
    await until(async () => expect((await partner(`links/${id}`)).body.paid).not.toEqual([]));
    await control("/renew", { subscription });
    await until(async () => expect((await partner(`links/${id}`)).body.paid).toMatchObject([{ count: 2 }]));
    expect(await stateOf(id)).toBe("open");
    const trial = (
      await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 }, trial_period_days: 7 }))
    ).body;
    await limit(trial.processor_payment_link_id, { completed_sessions: 1 });
    await control("/pay", { short_url: trial.short_url });
    await untilState(trial.processor_payment_link_id, "closed");
  });
});

describe("a link with an end", () => {
  it("leads nowhere from then on, also where KV or an isolate knows its target, and the cron closes it at the processor", async () => {
    const closes_at = inMinutes(5);
    const { id, short_url } = await limited({ closes_at });
    expect((await follow(short_url)).status).toBe(302);
    const slug = new URL(short_url).pathname.slice(1);
    await until(async () => expect(await env.SHORT_LINKS.get(slug)).toMatch(new RegExp(` ${Date.parse(closes_at)}$`)));
    pass(5 * MINUTE);
    const page = await follow(short_url, "de");
    expect([page.status, page.body]).toEqual([410, expect.stringContaining(texts.de.over)]);
    expect(await stateOf(id)).toBe("closed");
    expect((await atProcessor(id))?.active).toBe(true);
    // While the processor refuses, the link is put off, and tried again later.
    await control("/faults", { target: "processor", call: "payment_links.update", times: 99, kind: "http_400" });
    await cron();
    expect([(await atProcessor(id))?.active, Number(await fieldOf(paymentLinks, "limits_due", { id })) > Date.now()]).toEqual([true, true]);
    await control("/faults", undefined, "DELETE");
    await cron();
    expect((await atProcessor(id))?.active).toBe(true);
    pass(10 * MINUTE);
    await cron();
    expect((await atProcessor(id))?.active).toBe(false);
    expect(await fieldOf(paymentLinks, "limits_due", { id })).toBeNull();
    const inState = async (state: string) =>
      (await partner(`links?environment=test&limit=100&state=${state}`)).body.data.map(
        (one: { payment_link_id: string }) => one.payment_link_id,
      );
    expect([
      (await inState("closed")).includes(id),
      (await inState("open")).includes(id),
      (await inState("disabled")).includes(id),
    ]).toEqual([true, false, false]);
    // A larger number opens nothing after the end.
    expect((await limit(id, { completed_sessions: 5 })).body.state).toBe("closed");
    expect((await atProcessor(id))?.active).toBe(false);
    // An end that is moved does.
    const later = new Date(Date.now() + 60 * MINUTE).toISOString();
    expect((await limit(id, { closes_at: later })).body).toMatchObject({ state: "open", closes_at: later });
    expect((await atProcessor(id))?.active).toBe(true);
    pass(MINUTE);
    expect((await follow(short_url)).status).toBe(302);
  });

  it("that was moved is followed although KV has the old one", async () => {
    const { id, short_url } = await limited({ closes_at: inMinutes(5) });
    await follow(short_url);
    const slug = new URL(short_url).pathname.slice(1);
    await until(async () => expect(await env.SHORT_LINKS.get(slug)).not.toBeNull());
    const stale = (await env.SHORT_LINKS.get(slug)) ?? "";
    await limit(id, { closes_at: null });
    await env.SHORT_LINKS.put(slug, stale);
    pass(6 * MINUTE);
    expect((await follow(short_url)).status).toBe(302);
  });

  it("has the day of its partner's time zone where a date is given", async () => {
    const { payment_link_id: id } = await made();
    expect((await limit(id, { closes_at: "2099-01-31" })).body.closes_at).toBe("2099-01-31T23:59:59.999Z");
  });
});

describe("limits of a link", () => {
  it("stay as they are where a field is left out, and name their holder in the audit log", async () => {
    const { payment_link_id: id } = await made();
    const closes_at = inMinutes(60);
    await limit(id, { completed_sessions: 5, closes_at });
    expect((await limit(id, { completed_sessions: 6 })).body).toMatchObject({ completed_sessions: 6, closes_at });
    expect((await limit(id, {})).body).toMatchObject({ completed_sessions: 6, closes_at });
    expect((await limit(id, { closes_at: null })).body).toMatchObject({ completed_sessions: 6, closes_at: null });
    const [entry] = await auditOf(id);
    expect(entry).toMatchObject({ action: "payment_link.limit", partner_id: "acme", actor: expect.stringMatching(/^holder of /) });
  });

  it.each([
    [{ completed_sessions: 0 }, "completed_sessions"],
    [{ completed_sessions: 1.5 }, "completed_sessions"],
    [{ completed_sessions: "1" }, "completed_sessions"],
    [{ completed_sessions: 1_001 }, "completed_sessions"],
    [{ closes_at: "2020-01-01T00:00:00Z" }, "closes_at: must be in the future"],
    [{ closes_at: "tomorrow" }, "closes_at"],
    [{ limit: 1 }, "limit"],
  ])("%j is refused, and changes nothing", async (body, says) => {
    const { payment_link_id: id } = await made();
    const refused = await limit(id, body);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining(says)]);
    expect((await partner(`links/${id}`)).body).toMatchObject({ completed_sessions: null, closes_at: null });
  });

  it("are set for an own link alone", async () => {
    const { payment_link_id: id } = await made();
    const foreign = await limit(id, { completed_sessions: 1 }, { ...KEY, "X-Partner-Api-Key": keys.globex });
    expect([foreign.status, (await limit("plink_none", { completed_sessions: 1 })).status]).toEqual([404, 404]);
  });

  it("open no link that a person disabled", async () => {
    const { payment_link_id: id } = await made();
    await partner(`links/${id}/disable`, "POST");
    expect((await limit(id, { completed_sessions: 3 })).body).toMatchObject({ state: "disabled", disabled_by: "partner" });
    expect((await atProcessor(id))?.active).toBe(false);
    expect((await partner(`links/${id}/enable`, "POST")).body).toMatchObject({ state: "open", completed_sessions: 3 });
  });

  it("are set here though the processor fails, and the cron goes on telling it", async () => {
    const { payment_link_id: id, short_url } = await made();
    await control("/faults", { target: "processor", call: "payment_links.update", times: 1, kind: "http_400" });
    expect((await limit(id, { completed_sessions: 1 })).status).toBeGreaterThanOrEqual(400);
    expect((await atProcessor(id))?.restrictions).toBeNull();
    await pay(short_url);
    await untilState(id, "closed");
    await cron();
    expect(await atProcessor(id)).toMatchObject({ active: false, restrictions: { completed_sessions: { count: 1, limit: 1 } } });
  });

  it("go on being told while KV refuses to forget the link", async () => {
    const { payment_link_id: id } = await made();
    const { delete: remove } = env.SHORT_LINKS;
    env.SHORT_LINKS.delete = () => Promise.reject(new Error("429 Too Many Requests"));
    try {
      await limit(id, { completed_sessions: 1 });
    } finally {
      env.SHORT_LINKS.delete = remove;
    }
    const due = Number(await fieldOf(paymentLinks, "limits_due", { id }));
    expect(due).toBeGreaterThan(Date.now());
    pass(11 * MINUTE);
    await cron();
    expect(await fieldOf(paymentLinks, "limits_due", { id })).toBeNull();
  });

  it("are told of a link that the processor has no more where it is closed", async () => {
    const { id } = await limited({ closes_at: inMinutes(5) });
    const gone = id.replace("plink_", "plink_gone");
    await updateRows(paymentLinks, { id: gone }, { id });
    pass(6 * MINUTE);
    await cron();
    expect(await fieldOf(paymentLinks, "limits_due", { id: gone })).toBeNull();
  });

  it("are the row's where two calls cross", async () => {
    const { payment_link_id: id } = await made();
    await Promise.all([1, 2, 3].map((completed_sessions) => limit(id, { completed_sessions })));
    pass(MINUTE);
    await cron();
    const row = Number(await fieldOf(paymentLinks, "max_payments", { id }));
    expect((await atProcessor(id))?.restrictions).toEqual({ completed_sessions: { count: 0, limit: row } });
  });

  it("stay as another call that crosses sets them, where they are left out", async () => {
    const { payment_link_id: id } = await made();
    const closes_at = inMinutes(60);
    await Promise.all([limit(id, { completed_sessions: 1 }), limit(id, { closes_at })]);
    expect((await partner(`links/${id}`)).body).toMatchObject({ completed_sessions: 1, closes_at });
    await Promise.all([limit(id, { completed_sessions: 2 }), limit(id, { closes_at: null })]);
    expect((await partner(`links/${id}`)).body).toMatchObject({ completed_sessions: 2, closes_at: null });
  });

  it("end at the processor with a link that is disabled while it refuses, as soon as it does not", async () => {
    const { payment_link_id: id } = await made();
    await control("/faults", { target: "processor", call: "payment_links.update", times: 99, kind: "http_400" });
    expect((await partner(`links/${id}/disable`, "POST")).status).toBeGreaterThanOrEqual(400);
    // For longer than the cron looks at links that were disabled just now.
    for (const minutes of [1, 15]) {
      pass(minutes * MINUTE);
      await cron();
    }
    expect([await stateOf(id), (await atProcessor(id))?.active]).toEqual(["disabled", true]);
    await control("/faults", undefined, "DELETE");
    pass(11 * MINUTE);
    await cron();
    expect([await stateOf(id), (await atProcessor(id))?.active]).toEqual(["disabled", false]);
    expect(await fieldOf(paymentLinks, "limits_due", { id })).toBeNull();
  });

  it("wait for the short link", async () => {
    const { payment_link_id: id } = await made();
    await updateRows(paymentLinks, { slug: null }, { id });
    const refused = await limit(id, { completed_sessions: 1 });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining("no short link yet")]);
  });
});
