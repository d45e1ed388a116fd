import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { CART, CODE, call, callV1, cart, keys, LINK, LIVE_LINKS, link, promotion, send } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { DAY, MINUTE, pass, realTime } from "../support/later.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { control, objects } from "../support/stack.ts";
import { until } from "../support/until.ts";
import { virtualTime } from "../support/virtual-time.ts";

afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
});

/** Requests of operation 1 whose links got no short link. */
async function waiting(count: number) {
  const requests = [];
  const broken = breakShortLinks();
  virtualTime();
  for (let made = 0; made < count; made += 1) {
    const request = link();
    expect((await callV1(LINK, request)).body).toMatchObject({ error_code: "short_url_unavailable" });
    requests.push(request);
  }
  realTime();
  broken.mend();
  return requests;
}

describe("a link that waits for its short link", () => {
  it("is listed, longest waiting first, and completed; the partner's repeat then succeeds", async () => {
    const requests = await waiting(3);
    const page = (await ops("short-links?waiting=true&limit=2")).body;
    const rest = (await ops(`short-links?waiting=true&limit=2&cursor=${page.next}`)).body;
    expect(rest.next).toBeNull();
    const listed = [...page.data, ...rest.data];
    expect(listed).toHaveLength(3);
    expect(listed[0]).toMatchObject({ partner_id: "acme", operation: "payment-link-create" });
    const completed = [];
    for (const { payment_link_id } of listed) completed.push((await change(`payment-links/${payment_link_id}/short-link`)).body);
    expect((await ops("short-links?waiting=true")).body).toEqual({ data: [], next: null });
    expect((await ops("short-links?waiting=false")).status).toBe(400);
    for (const [index, request] of requests.entries()) {
      expect((await callV1(LINK, request)).body).toMatchObject({ success: true, short_url: completed[index].short_url });
    }
    const [first] = listed;
    expect((await change(`payment-links/${first.payment_link_id}/short-link`)).body).toEqual(completed[0]);
    expect(await auditOf(first.payment_link_id)).toMatchObject([{ action: "short_link.complete", partner_id: "acme" }]);
  });

  it("must be there, and wait", async () => {
    expect((await change("payment-links/plink_none/short-link")).status).toBe(404);
    const { payment_link_id } = (await call(CART, cart())).body;
    expect(await change(`payment-links/${payment_link_id}/short-link`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("does not wait") },
    });
  });
});

describe("a link that is disabled", () => {
  const follow = async (url: string) => (await send(new URL(url).pathname)).status;
  const isActive = async (id: string) => (await objects("payment_links")).find((one) => one.id === id)?.active;

  it("leads nowhere within two minutes, is not listed and cannot be paid, until it is enabled again", async () => {
    const { short_url, processor_payment_link_id: payment_link_id } = (await callV1(LINK, link({ stripe_product_id: "prod_acmeLiveUsd2" })))
      .body;
    expect(await follow(short_url)).toBe(302);
    const listed = async () => JSON.stringify((await call(LIVE_LINKS, {})).body).includes(short_url);
    expect(await listed()).toBe(true);
    for (const _ of [1, 2]) {
      expect((await change(`payment-links/${payment_link_id}/disable`)).body).toMatchObject({
        payment_link_id,
        disabled_at: expect.any(String),
      });
    }
    expect([await listed(), await isActive(payment_link_id)]).toEqual([false, false]);
    pass(2 * MINUTE);
    expect(await follow(short_url)).toBe(404);
    realTime();
    expect((await change(`payment-links/${payment_link_id}/enable`)).body).toMatchObject({ disabled_at: null });
    expect([await listed(), await isActive(payment_link_id), await follow(short_url)]).toEqual([true, true, 302]);
    expect((await auditOf(payment_link_id)).map(({ action }) => action)).toEqual(["payment_link.enable", "payment_link.disable"]);
  });

  it("keeps why, as its partner reads it, until it is enabled; an operator may say it better, a partner says none", async () => {
    const { payment_link_id: id } = (await call(CART, cart())).body;
    const ask = async (path: string, method = "GET") => (await send(path, { method, headers: { "X-Partner-Api-Key": keys.acme } })).body;
    await ask(`/partner/links/${id}/disable`, "POST");
    const disabledAt = (await ask(`/partner/links/${id}`)).disabled_at;
    expect(await ask(`/partner/links/${id}`)).toMatchObject({ disabled_by: "partner", disabled_reason: null });
    expect((await change(`payment-links/${id}/disable`, { reason: " Not seen by moderation " })).body).toMatchObject({
      disabled_at: disabledAt,
      disabled_by: "support",
      disabled_reason: "Not seen by moderation",
      to_customer: {
        en: "This link takes no payments any more: it is out of use. Ask the seller for a new one. It is of the test environment.",
      },
    });
    const shown = await ask(`/partner/links/${id}`);
    expect(shown.disabled_reason).toBe("Not seen by moderation");
    expect(shown.summary.en).toMatch(/ disabled by support on .*\. Reason: Not seen by moderation\. Only support can enable it again\. /);
    expect(shown).not.toHaveProperty("to_customer");
    expect(JSON.stringify(await ask(`/partner/links/${id}/enable`, "POST"))).toContain(
      "Support disabled this link: only support can enable it. Not seen by moderation",
    );
    await change(`payment-links/${id}/disable`);
    expect((await ask(`/partner/links/${id}`)).disabled_reason).toBe("Not seen by moderation");
    await change(`payment-links/${id}/disable`, { reason: "It sells what is forbidden." });
    expect((await ask(`/partner/links/${id}`)).disabled_reason).toBe("It sells what is forbidden.");
    expect((await auditOf(id)).map(({ after }) => after)).toEqual([
      { reason: "It sells what is forbidden." },
      { reason: "Not seen by moderation" },
      null,
    ]);
    expect((await change(`payment-links/${id}/disable`, { reason: " " })).body.error).toBe("reason: must not be empty");
    expect((await change(`payment-links/${id}/enable`)).body).toMatchObject({ disabled_by: null, disabled_reason: null });
  });

  it("stands once in its story, with who disabled it, and begins with what support answers", async () => {
    const { payment_link_id: id, short_url } = (await call(CART, cart())).body;
    const told = async (q: string) => (await ops(`story?q=${encodeURIComponent(q)}`)).body;
    expect((await told(short_url)).summaries).toMatchObject([
      {
        about: id,
        summary: { en: expect.stringContaining("Customers can pay.") },
        to_customer: { en: expect.stringMatching(/^You can pay by this link/) },
      },
    ]);
    await change(`payment-links/${id}/disable`);
    const { summaries, entries } = await told(id);
    expect(summaries).toMatchObject([{ about: id, summary: { en: expect.stringContaining("disabled by support") } }]);
    expect(entries.map(({ says }: { says: string }) => says).filter((says: string) => /disabled/.test(says))).toEqual([
      "The link was disabled by Maria.",
    ]);
    await change(`payment-links/${id}/enable`);
    expect((await told(id)).entries.map(({ says }: { says: string }) => says)).toEqual(
      expect.arrayContaining(["Maria disabled a payment link.", "Maria enabled a payment link."]),
    );
  });

  it("does not come back into KV by a redirect that had begun before", async () => {
    const { short_url, short_url_id, payment_link_id } = (await call(CART, cart())).body;
    await env.SHORT_LINKS.delete(short_url_id);
    const followed = follow(short_url);
    const disabled = change(`payment-links/${payment_link_id}/disable`);
    await Promise.all([followed, disabled]);
    // The redirect writes when it has answered, and takes back what it wrote. What an isolate remembers ends after a minute.
    await until(async () => {
      pass(2 * MINUTE);
      expect([await env.SHORT_LINKS.get(short_url_id), await follow(short_url)]).toEqual([null, 404]);
    });
  });

  it("is disabled here while the processor is out of reach, and a repeat ends it there; it stays so while enabling fails", async () => {
    const { payment_link_id, short_url } = (await call(CART, cart())).body;
    virtualTime();
    const fail = () => control("/faults", { target: "processor", call: "payment_links.update", times: 99, kind: "http_500" });
    await fail();
    expect((await change(`payment-links/${payment_link_id}/disable`)).status).toBe(502);
    await control("/faults", undefined, "DELETE");
    expect(await isActive(payment_link_id)).toBe(true);
    realTime();
    pass(2 * MINUTE);
    expect(await follow(short_url)).toBe(404);
    realTime();
    expect((await change(`payment-links/${payment_link_id}/disable`)).status).toBe(200);
    expect(await isActive(payment_link_id)).toBe(false);
    virtualTime();
    await fail();
    expect((await change(`payment-links/${payment_link_id}/enable`)).status).toBe(502);
    realTime();
    expect(await follow(short_url)).toBe(404);
    expect((await auditOf(payment_link_id)).map(({ action }) => action)).toEqual(["payment_link.disable"]);
    expect((await change("payment-links/plink_none/disable")).status).toBe(404);
  });

  it("is disabled at the processor again by the cron, where that enabled it and its answer was lost", async () => {
    const { payment_link_id, short_url } = (await call(CART, cart())).body;
    await change(`payment-links/${payment_link_id}/disable`);
    await cron();
    virtualTime();
    await control("/faults", { target: "processor", call: "payment_links.update", times: 99, kind: "reset_after" });
    expect((await change(`payment-links/${payment_link_id}/enable`)).status).toBe(502);
    await control("/faults", undefined, "DELETE");
    realTime();
    expect(await isActive(payment_link_id)).toBe(true);
    await cron();
    expect(await isActive(payment_link_id)).toBe(false);
    // Enabled well, it stays so.
    expect((await change(`payment-links/${payment_link_id}/enable`)).status).toBe(200);
    await cron();
    expect(await isActive(payment_link_id)).toBe(true);
    expect(await follow(short_url)).toBe(302);
  });

  it("is taken out of KV again by the cron, whatever a redirect that had begun before has put there", async () => {
    const { payment_link_id, short_url_id } = (await call(CART, cart())).body;
    await change(`payment-links/${payment_link_id}/disable`);
    await env.SHORT_LINKS.put(short_url_id, "acme https://checkout.example/late");
    await cron();
    expect(await env.SHORT_LINKS.get(short_url_id)).toBeNull();
  });

  it("must have its short link: it could get one later", async () => {
    await waiting(1);
    const [{ payment_link_id }] = (await ops("short-links?waiting=true")).body.data;
    expect(await change(`payment-links/${payment_link_id}/disable`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("short-links complete") },
    });
    expect(await isActive(payment_link_id)).toBe(true);
    expect((await change(`payment-links/${payment_link_id}/short-link`)).status).toBe(200);
  });
});

describe("the cart of the second generation that waits for its short link", () => {
  it("is completed too, and the partner's repeat succeeds", async () => {
    const broken = breakShortLinks();
    virtualTime();
    const request = cart({ client_token: "waiting-cart" });
    expect((await call(CART, request)).body).toMatchObject({ error_code: "SHORT_URL_UNAVAILABLE" });
    realTime();
    broken.mend();
    const [{ payment_link_id, operation }] = (await ops("short-links?waiting=true")).body.data;
    expect(operation).toBe(CART);
    const { short_url } = (await change(`payment-links/${payment_link_id}/short-link`)).body;
    expect((await call(CART, request)).body).toMatchObject({ success: true, short_url, payment_link_id });
  });
});

// interface 2.9
it("a promotion code is deactivated, at the processor too, once", async () => {
  const { stripe_promotion_code_id: id, code } = (await callV1(CODE, promotion())).body;
  const first = (await change(`promotion-codes/${id}/deactivate`)).body;
  expect(first).toMatchObject({ promotion_code_id: id, code, partner_id: "acme", deactivated_at: expect.any(String) });
  expect((await change(`promotion-codes/${id}/deactivate`)).body).toEqual(first);
  expect((await objects("promotion_codes")).find((one) => one.id === id)?.active).toBe(false);
  expect(await auditOf(id)).toHaveLength(1);
  expect((await change("promotion-codes/promo_none/deactivate")).status).toBe(404);
});

it("a promotion code that the processor did not deactivate stays active, so that it is tried again", async () => {
  const { stripe_promotion_code_id: id } = (await callV1(CODE, promotion())).body;
  virtualTime();
  await control("/faults", { target: "processor", call: "promotion_codes.update", times: 99, kind: "http_500" });
  expect((await change(`promotion-codes/${id}/deactivate`)).status).toBe(502);
  expect((await ops(`promotion-codes/${id}`)).body).toMatchObject({ state: "active", deactivated_at: null });
  expect(await auditOf(id)).toEqual([]);
  await control("/faults", undefined, "DELETE");
  expect((await change(`promotion-codes/${id}/deactivate`)).body).toMatchObject({ state: "disabled" });
});

it("a promotion code that was deactivated says why and when it would have ended, in its story too", async () => {
  const expires = new Date(Date.now() + 9 * DAY).toISOString();
  const { stripe_promotion_code_id: id } = (await callV1(CODE, promotion({ expires_at: expires, idempotency_key: "stopped-why" }))).body;
  const { body } = await change(`promotion-codes/${id}/deactivate`, { reason: "It was published by mistake" });
  expect(body).toMatchObject({
    deactivated_reason: "It was published by mistake",
    to_customer: { en: expect.stringMatching(/cannot be used any more\. It is of the test environment\.$/) },
  });
  expect(body.summary.en).toMatch(/support stopped it on .*\. Reason: It was published by mistake\. It would have ended on /);
  const { body: shown } = await send(`/partner/promotion-codes/${id}`, { headers: { "X-Partner-Api-Key": keys.acme } });
  expect(shown).toMatchObject({ deactivated_reason: "It was published by mistake", summary: body.summary });
  expect(shown).not.toHaveProperty("to_customer");
  expect(await auditOf(id)).toMatchObject([{ action: "promotion_code.deactivate", after: { reason: "It was published by mistake" } }]);
  await change(`promotion-codes/${id}/deactivate`);
  const again = await change(`promotion-codes/${id}/deactivate`, { reason: "It was published" });
  expect(again.body).toMatchObject({ deactivated_reason: "It was published", deactivated_at: body.deactivated_at });
  expect((await auditOf(id)).map(({ after }) => after)).toEqual([
    { reason: "It was published" },
    { reason: "It was published by mistake" },
  ]);
  await change(`promotion-codes/${id}/deactivate`, { reason: "It was published by mistake" });
  expect((await ops(`story?q=${id}`)).body.summaries).toEqual([{ about: id, summary: body.summary, to_customer: body.to_customer }]);
});
