import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { paymentLinks } from "../../src/db/schema/index.ts";
import { texts } from "../../src/http/short-domain/texts.ts";
import { CART, call, callV1, cart, keys, LINK, link, send } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { control, objects, SANDBOX } from "../support/stack.ts";
import { fieldOf, updateRows } from "../support/tables.ts";
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

describe("a link for one payment", () => {
  it("is closed by it, at the processor and here, and shows its customer the order and the receipt", async () => {
    const { payment_link_id: id, short_url } = await made();
    const limited = await limit(id, { completed_sessions: 1 });
    expect([limited.status, limited.body]).toMatchObject([
      200,
      { state: "open", completed_sessions: 1, closes_at: null, disabled_by: null },
    ]);
    expect((await atProcessor(id))?.restrictions).toEqual({ completed_sessions: { count: 0, limit: 1 } });
    expect((await follow(short_url)).status).toBe(302);
    const { payment_intent } = await pay(short_url, { client_reference_id: "order-<1>".replace(/[<>]/g, "_") });
    await until(async () => expect((await partner(`links/${id}`)).body).toMatchObject({ state: "closed", disabled_by: "limits" }));
    expect((await atProcessor(id))?.active).toBe(false);
    pass(2 * MINUTE);
    await cron();
    const page = await follow(short_url);
    expect([page.status, page.headers.get("Location")]).toEqual([410, null]);
    for (const said of [
      texts.en.paid,
      texts.en.paidOnce,
      "Order: order-_1_",
      `<a href="${SANDBOX}/receipts/${payment_intent}">Receipt</a>`,
    ])
      expect(page.body).toContain(said);
    expect((await follow(short_url, "ru")).body).toContain(texts.ru.paid);
    // The receipt is the customer's: neither partners nor operators are shown it.
    for (const answer of [await partner(`links/${id}`), await ops(`payment-links/${id}`), await partner("links?environment=test")])
      expect(JSON.stringify(answer.body)).not.toContain("/receipts/");
  });

  it("shows no receipt any more once its customer was erased", async () => {
    const { payment_link_id: id, short_url } = await made();
    await limit(id, { completed_sessions: 1 });
    const { payment_intent } = await pay(short_url);
    await until(async () => expect(await fieldOf(paymentLinks, "paid_receipt", { id })).toContain(payment_intent));
    expect((await change("erase", { payment_intent_id: payment_intent })).status).toBe(200);
    expect(await fieldOf(paymentLinks, "paid_receipt", { id })).toBeNull();
  });

  it("is not joined by an equal cart without a token", async () => {
    const { client_token: _, ...untokened } = cart();
    const first = await made(untokened);
    expect((await made(untokened)).payment_link_id).toBe(first.payment_link_id);
    await limit(first.payment_link_id, { completed_sessions: 1 });
    await pay(first.short_url);
    await until(async () => expect((await partner(`links/${first.payment_link_id}`)).body.state).toBe("closed"));
    const second = await made(untokened);
    expect(second.payment_link_id).not.toBe(first.payment_link_id);
  });

  it("is not closed by a payment that failed", async () => {
    const { payment_link_id: id, short_url } = await made();
    await limit(id, { completed_sessions: 1 });
    await pay(short_url, { outcome: "failed" });
    await until(async () => expect((await partner(`orders?environment=test&link=${id}`)).status).toBe(200));
    expect((await partner(`links/${id}`)).body).toMatchObject({ state: "open" });
  });
});

describe("a link for several payments", () => {
  it("is closed by the last of them, says nothing of a payment, and is open again once more are allowed", async () => {
    const { payment_link_id: id, short_url } = await made();
    await limit(id, { completed_sessions: 2 });
    await pay(short_url);
    await until(async () => expect((await partner(`links/${id}`)).body.paid).toHaveLength(1));
    expect((await partner(`links/${id}`)).body.state).toBe("open");
    await pay(short_url, { client_reference_id: "the-second" });
    await until(async () => expect((await partner(`links/${id}`)).body.state).toBe("closed"));
    pass(2 * MINUTE);
    await cron();
    const page = await follow(short_url);
    expect([page.status, page.body]).toEqual([410, expect.stringContaining(texts.en.over)]);
    expect(page.body).not.toContain("the-second");

    // Nobody enables it as if a person had disabled it.
    const refused = await partner(`links/${id}/enable`, "POST");
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining("limits")]);
    expect((await change(`payment-links/${id}/enable`)).status).toBe(409);
    expect((await limit(id, { completed_sessions: 3 })).body).toMatchObject({ state: "open", disabled_at: null, completed_sessions: 3 });
    expect(await atProcessor(id)).toMatchObject({ active: true, restrictions: { completed_sessions: { count: 2, limit: 3 } } });
    pass(MINUTE);
    expect((await follow(short_url)).status).toBe(302);
    expect((await limit(id, { completed_sessions: 2 })).body.state).toBe("closed");
    expect((await atProcessor(id))?.active).toBe(false);
    expect((await limit(id, { completed_sessions: null })).body).toMatchObject({ state: "open", completed_sessions: null });
    expect((await atProcessor(id))?.restrictions).toBeNull();
  });

  it("counts a subscription once, whatever it renews", async () => {
    const { body } = await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 } }));
    const id = body.processor_payment_link_id;
    await limit(id, { completed_sessions: 2 });
    const { subscription } = await control<{ subscription: string }>("/pay", { short_url: body.short_url });
    await until(async () => expect((await partner(`links/${id}`)).body.paid).not.toEqual([]));
    await control("/renew", { subscription });
    await until(async () => expect((await partner(`links/${id}`)).body.paid).toMatchObject([{ count: 2 }]));
    expect((await partner(`links/${id}`)).body.state).toBe("open");
  });
});

describe("a link with an end", () => {
  it("leads nowhere from then on, also where KV or an isolate knows its target, and the cron closes it at the processor", async () => {
    const { payment_link_id: id, short_url } = await made();
    const closes_at = inMinutes(5);
    expect((await limit(id, { closes_at })).body).toMatchObject({ state: "open", closes_at });
    expect((await follow(short_url)).status).toBe(302);
    const slug = new URL(short_url).pathname.slice(1);
    await until(async () => expect(await env.SHORT_LINKS.get(slug)).toMatch(new RegExp(` ${Date.parse(closes_at)}$`)));
    pass(5 * MINUTE);
    const page = await follow(short_url, "de");
    expect([page.status, page.body]).toEqual([410, expect.stringContaining(texts.de.over)]);
    expect((await partner(`links/${id}`)).body).toMatchObject({ state: "closed", disabled_at: null });
    expect((await atProcessor(id))?.active).toBe(true);
    // The processor is out of reach for one run.
    await control("/faults", { target: "processor", call: "payment_links.update", times: 1, kind: "http_400" });
    await cron();
    expect((await partner(`links/${id}`)).body.disabled_at).toBeNull();
    await cron();
    expect((await partner(`links/${id}`)).body).toMatchObject({ state: "closed", disabled_at: closes_at, disabled_by: "limits" });
    expect((await atProcessor(id))?.active).toBe(false);
    expect((await partner(`links?environment=test&state=closed`)).body.data.map((one: any) => one.payment_link_id)).toContain(id);
    expect((await partner(`links?environment=test&state=open`)).body.data.map((one: any) => one.payment_link_id)).not.toContain(id);
    expect((await partner(`links?environment=test&state=disabled`)).body.data.map((one: any) => one.payment_link_id)).not.toContain(id);
    // An end that is moved opens it.
    const later = new Date(Date.now() + 60 * MINUTE).toISOString();
    expect((await limit(id, { closes_at: later })).body).toMatchObject({ state: "open", disabled_at: null, closes_at: later });
    expect((await atProcessor(id))?.active).toBe(true);
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
    [{ completed_sessions: 1_000_001 }, "completed_sessions"],
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

  it("are set here though the processor fails, and there by a repeat", async () => {
    const { payment_link_id: id } = await made();
    await control("/faults", { target: "processor", call: "payment_links.update", times: 1, kind: "http_400" });
    expect((await limit(id, { completed_sessions: 1 })).status).toBeGreaterThanOrEqual(400);
    expect(await fieldOf(paymentLinks, "max_payments", { id })).toBe(1);
    expect((await limit(id, { completed_sessions: 1 })).status).toBe(200);
    expect((await atProcessor(id))?.restrictions).toEqual({ completed_sessions: { count: 0, limit: 1 } });
  });

  it("wait for the short link", async () => {
    const { payment_link_id: id } = await made();
    await updateRows(paymentLinks, { slug: null }, { id });
    const refused = await limit(id, { completed_sessions: 1 });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining("no short link yet")]);
  });
});
