import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endpoints, events, partners } from "../src/db/schema/index.ts";
import { applyPartnerStatus } from "../src/partner-status/apply.ts";
import { DisabledPartners } from "../src/short-links/disabled-partners.ts";
import { CART, call, cart, keys, LIST, REGISTER, send } from "./support/api.ts";
import { cellDeps } from "./support/cells.ts";
import { cron } from "./support/cron.ts";
import { recordPayment } from "./support/deliveries.ts";
import { MINUTE, pass, realTime, SECOND } from "./support/later.ts";
import { change, ops } from "./support/ops.ts";
import { control, SANDBOX, settled, world } from "./support/stack.ts";
import { rowOf, updateRows } from "./support/tables.ts";
import { until } from "./support/until.ts";

const ENDPOINT = "ep_acme_test";
const status = async () => (await rowOf(endpoints, { id: ENDPOINT }))?.status;
const stateOf = async (id: string) => (await rowOf(events, { id }))?.state;
const follow = async (slug: string) => (await send(`/${slug}`)).status;
const received = (id: string) => (world.state.inboxes.status?.received ?? []).filter(({ body }) => body.includes(id)).length;
const register = (path = "status") => call(REGISTER, { test_url: `${SANDBOX}/inbox/${path}`, client_token: crypto.randomUUID() });
const link = async () => (await call(CART, cart())).body;

beforeEach(async () => {
  expect((await register()).body).toMatchObject({ success: true });
});
afterEach(async () => {
  realTime();
  await change("partners/acme/enable");
  await change(`endpoints/${ENDPOINT}/resume`);
  await control("/inbox/status", { status: 200 });
});

describe("a disabled partner", () => {
  it("sells nothing: its links lead nowhere, wherever they are remembered, and lead on once it is enabled again", async () => {
    const { short_url_id: slug } = await link();
    expect(await follow(slug)).toBe(302);
    await change("partners/acme/disable");
    expect(await follow(slug)).toBe(404);
    expect((await call(LIST, {})).body).toMatchObject({ success: false, error_code: "INVALID_API_KEY" });
    // Where neither the isolate nor KV has it, D1 knows the owner.
    await env.SHORT_LINKS.delete(slug);
    pass(MINUTE);
    expect(await follow(slug)).toBe(404);
    await change("partners/acme/enable");
    expect(await follow(slug)).toBe(302);
  });

  it("has nothing to do with the others", async () => {
    const theirs = (
      await call(
        CART,
        { items: [{ stripe_product_id: "prod_globexLiveUsd1", unit_amount: 1900, quantity: 1 }], client_token: "theirs" },
        keys.globex,
      )
    ).body;
    await change("partners/acme/disable");
    expect(await follow(theirs.short_url_id)).toBe(302);
  });

  it("has its events kept, and sent once it is enabled again", async () => {
    const pending = await recordPayment();
    await change("partners/acme/disable");
    expect(await rowOf(endpoints, { id: ENDPOINT })).toMatchObject({ status: "suspended", suspension_reason: "partner_disabled" });
    const later = await recordPayment();
    expect([await stateOf(pending), await stateOf(later)]).toEqual(["suspended", "suspended"]);
    pass(MINUTE);
    await cron();
    await settled();
    expect([received(pending), received(later)]).toEqual([0, 0]);
    expect((await change(`endpoints/${ENDPOINT}/resume`)).status).toBe(409);
    // Also where an operator has suspended it meanwhile.
    await change(`endpoints/${ENDPOINT}/suspend`);
    expect((await change(`endpoints/${ENDPOINT}/resume`)).status).toBe(409);
    await updateRows(endpoints, { suspension_reason: "partner_disabled" }, { id: ENDPOINT });
    await change("partners/acme/enable");
    await until(async () => expect([await stateOf(pending), await stateOf(later)]).toEqual(["succeeded", "succeeded"]));
    expect([received(pending), received(later)]).toEqual([1, 1]);
  });

  it("gets an endpoint back as it was: one that was suspended before stays suspended", async () => {
    await updateRows(endpoints, { status: "suspended", suspension_reason: "gone", suspended_at: 1 }, { id: ENDPOINT });
    await change("partners/acme/disable");
    await change("partners/acme/enable");
    expect(await rowOf(endpoints, { id: ENDPOINT })).toMatchObject({ status: "suspended", suspension_reason: "gone" });
  });
});

describe("what could not follow at once", () => {
  it("is made to follow by the cron: the list in KV, and the endpoints", async () => {
    const { short_url_id: slug } = await link();
    await updateRows(partners, { status: "disabled" }, { id: "acme" });
    expect([await follow(slug), await status()]).toEqual([302, "active"]);
    await cron();
    expect([await follow(slug), await status()]).toEqual([404, "suspended"]);
    await updateRows(partners, { status: "active" }, { id: "acme" });
    await cron();
    expect([await follow(slug), await status()]).toEqual([302, "active"]);
    expect(await applyPartnerStatus(cellDeps())).toBe(0);
  });

  it("does not hold up the rest: KV is out, and the endpoint is suspended", async () => {
    await updateRows(partners, { status: "disabled" }, { id: "acme" });
    const shortLinkCache = { get: () => Promise.reject(new Error("out")) } as unknown as KVNamespace;
    expect(await applyPartnerStatus({ ...cellDeps(), shortLinkCache })).toBe(1);
    expect(await status()).toBe("suspended");
  });
});

describe("the list of an isolate", () => {
  it("is read once a minute, stays as it was while KV is out, and is asked for again after ten seconds", async () => {
    const asked: unknown[] = [];
    let answer: () => Promise<unknown> = () => Promise.resolve(["acme"]);
    const kv = {
      get: (_name: string, how: unknown) => {
        asked.push(how);
        return answer();
      },
    } as unknown as KVNamespace;
    const { log } = cellDeps();
    const list = new DisabledPartners();
    expect([list.isDue(0), list.has("acme")]).toEqual([true, false]);
    // Without a list, nobody waits for what another request reads: the runtime may end that one.
    await Promise.all([list.refresh(kv, 0, log), list.refresh(kv, 0, log)]);
    const how = { type: "json", cacheTtl: 30 };
    expect(asked).toEqual([how, how]);
    expect([list.has("acme"), list.has("globex"), list.isDue(MINUTE - 1), list.isDue(MINUTE)]).toEqual([true, false, false, true]);
    // While somebody reads, others go on with the last one; and read by themselves if that one was ended.
    answer = () => new Promise(() => undefined);
    void list.refresh(kv, MINUTE, log);
    expect([list.isDue(MINUTE), list.has("acme"), list.isDue(MINUTE + 10 * SECOND)]).toEqual([false, true, true]);
    answer = () => Promise.reject(new Error("out"));
    await list.refresh(kv, MINUTE, log);
    expect([list.has("acme"), list.isDue(MINUTE + 10 * SECOND - 1), list.isDue(MINUTE + 10 * SECOND)]).toEqual([true, false, true]);
    answer = () => Promise.resolve(null);
    await list.refresh(kv, 2 * MINUTE, log);
    expect(list.has("acme")).toBe(false);
  });
});

describe("a suspension by an operator", () => {
  it("is lifted by an operator only: registering again changes the URL and nothing else", async () => {
    await change(`endpoints/${ENDPOINT}/suspend`);
    const kept = await recordPayment();
    const answer = await register("elsewhere");
    expect(answer.body).toMatchObject({ success: true });
    expect(await rowOf(endpoints, { id: ENDPOINT })).toMatchObject({
      url: `${SANDBOX}/inbox/elsewhere`,
      status: "suspended",
      suspension_reason: "operator",
    });
    expect(await stateOf(kept)).toBe("suspended");
    await change(`endpoints/${ENDPOINT}/resume`);
    await until(async () => expect(await stateOf(kept)).toBe("succeeded"));
  });

  it("replaces one that the partner could lift, and outlasts the partner's own", async () => {
    await updateRows(endpoints, { status: "suspended", suspension_reason: "failing", suspended_at: 1 }, { id: ENDPOINT });
    expect((await change(`endpoints/${ENDPOINT}/suspend`)).body.endpoint).toMatchObject({ suspension_reason: "operator" });
    await change("partners/acme/disable");
    await change("partners/acme/enable");
    expect((await ops("endpoints?partner=acme")).body.data).toContainEqual(
      expect.objectContaining({ id: ENDPOINT, status: "suspended", suspension_reason: "operator" }),
    );
    await change(`endpoints/${ENDPOINT}/resume`);
    await change("partners/acme/disable");
    await change(`endpoints/${ENDPOINT}/suspend`);
    await change("partners/acme/enable");
    expect(await status()).toBe("suspended");
  });

  it("is not needed where the receiver went away: the partner's registering again resumes it", async () => {
    await updateRows(endpoints, { status: "suspended", suspension_reason: "gone", suspended_at: 1 }, { id: ENDPOINT });
    await register();
    expect(await status()).toBe("active");
  });
});
