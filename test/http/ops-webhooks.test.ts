import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSecretCipher } from "../../src/core/secret-cipher.ts";
import { auditLog, endpointSecrets, events } from "../../src/db/schema/index.ts";
import { reEncryptSecrets } from "../../src/webhooks/admin/re-encrypt-secrets.ts";
import { ANNA } from "../support/actor.ts";
import { call, keys, REGISTER, send } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { attemptsOf, clearTheWay, deliveryOf, endpointOf, received, recordPayment } from "../support/deliveries.ts";
import { DAY } from "../support/later.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { fieldOf, rowsOf, updateRows } from "../support/tables.ts";

/** What operators see of deliveries, and what they can do to them and to endpoints. */

const ENDPOINT = "ep_acme_test";
const headers = { Authorization: "Bearer ops-local", "X-Operator": "Maria" };
const get = (path: string) => send(`/ops/${path}`, { headers });
const post = (path: string) => send(`/ops/${path}`, { method: "POST", headers });
const answerWith = (answer: object) => control("/inbox/ops", answer);
const audited = async (action: string, target: string) => await rowsOf(auditLog, { action, target }, { columns: ["actor"] });

let secret = "";
beforeAll(async () => {
  const { body } = await call(REGISTER, { test_url: `${SANDBOX}/inbox/ops` });
  secret = body.registered[0].signing_secret;
});
beforeEach(clearTheWay);

/** Events of the endpoint that were taken, made at these times. */
const insertEvents = (count: number, at: (index: number) => number) =>
  env.CELL_1.batch(
    Array.from({ length: count }, (_, index) =>
      env.CELL_1.prepare(
        "INSERT INTO events (id, partner_id, environment, name, cause, payload, endpoint_id, state, next_attempt_at, created_at) VALUES (?1, 'acme', 'test', 'bulk', ?1, '{}', ?2, 'succeeded', 0, ?3)",
      ).bind(`evt_bulk_${index}`, ENDPOINT, at(index)),
    ),
  );

const failed = async (id: string) => {
  await updateRows(events, { state: "exhausted", attempts: 10 }, { id: id });
  return id;
};

describe("an event that is sent again", () => {
  it("goes out at once under its own id, and is delivered", async () => {
    const id = await failed(await recordPayment());
    const { status, body } = await post(`deliveries/${id}/resend`);
    expect([status, body]).toEqual([200, { success: true, event: id, attempt: { number: 11, status: 200, error: null, answer: "taken" } }]);
    expect(received("ops", id)).toMatchObject([{ headers: { "service-event-id": id, "service-delivery-attempt": "11" } }]);
    expect(await deliveryOf(id)).toMatchObject({ state: "succeeded", attempts: 11 });
    expect(await attemptsOf(id)).toMatchObject([{ number: 11, status: 200, manual: 1 }]);
    expect(await audited("delivery.resend", id)).toEqual([{ actor: "Maria" }]);
  });

  it("and refused is as it was, and the endpoint too", async () => {
    const id = await failed(await recordPayment());
    await answerWith({ status: 410, times: 1 });
    const { body } = await post(`deliveries/${id}/resend`);
    expect(body).toMatchObject({ success: false, attempt: { status: 410, error: "gone" } });
    expect(await deliveryOf(id)).toMatchObject({ state: "exhausted" });
    expect(await endpointOf(ENDPOINT)).toMatchObject({ status: "active", failing_since: null });
  });

  it("goes to an endpoint that is suspended", async () => {
    await post(`endpoints/${ENDPOINT}/suspend`);
    const id = await recordPayment();
    expect((await post(`deliveries/${id}/resend`)).body).toMatchObject({ success: true });
    expect(await endpointOf(ENDPOINT)).toMatchObject({ status: "suspended" });
  });

  it("may have been delivered before: it goes out once more", async () => {
    const id = await recordPayment();
    await post(`deliveries/${id}/resend`);
    expect((await post(`deliveries/${id}/resend`)).body).toMatchObject({ success: true, attempt: { number: 2 } });
    expect(received("ops", id)).toHaveLength(2);
  });

  it("goes to the endpoint that there is now, if there was none when it happened", async () => {
    const id = await recordPayment({ environment: "live", partnerId: "globex" });
    expect(await post(`deliveries/${id}/resend`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("registered no webhook") },
    });
    const happened = Date.now() - 300 * DAY;
    const before = await recordPayment({ partnerId: "globex", now: happened });
    expect(await deliveryOf(before)).toMatchObject({ state: "no_endpoint" });
    await call(REGISTER, { test_url: `${SANDBOX}/inbox/ops-globex` }, keys.globex);
    await control("/inbox/ops-globex", { status: 500, times: 1 });
    expect((await post(`deliveries/${before}/resend`)).body).toMatchObject({ success: false });
    // It is as old as what happened: what is begun anew since yesterday does not take it along.
    expect(await deliveryOf(before)).toMatchObject({ state: "exhausted", created_at: happened });
    expect((await post(`deliveries/${before}/resend`)).body).toMatchObject({ success: true });
  });

  it("is not sent while it is being sent", async () => {
    const id = await recordPayment();
    await updateRows(events, { state: "sending", claimed_at: Date.now() }, { id: id });
    expect(await post(`deliveries/${id}/resend`)).toMatchObject({ status: 409, body: { success: false } });
    expect(received("ops", id)).toEqual([]);
    expect(await audited("delivery.resend", id)).toEqual([]);
  });

  it("must be there", async () => {
    expect((await post("deliveries/evt_none/resend")).status).toBe(404);
    expect(await audited("delivery.resend", "evt_none")).toEqual([]);
  });
});

describe("what is shown", () => {
  it("of an event: its body, its state and every attempt, and no secret", async () => {
    const id = await recordPayment();
    await answerWith({ status: 500, times: 1 });
    await post(`deliveries/${id}/resend`);
    const { body, text } = await get(`deliveries/${id}`);
    expect(body).toMatchObject({
      event: id,
      type: "Processor.payment.succeeded",
      partner_id: "acme",
      endpoint: ENDPOINT,
      attempts: 1,
      attempt_list: [{ number: 1, status: 500, error: "status", manual: true, answer: "taken" }],
      message: { id, event: "Processor.payment.succeeded" },
    });
    expect(text).not.toContain(secret);
    expect((await get("deliveries/evt_none")).status).toBe(404);
  });

  it("of a partner: the newest first, also those that had nowhere to go", async () => {
    const without = await recordPayment({ environment: "live", now: Date.now() + 1_000 });
    const newest = await recordPayment({ now: Date.now() + 2_000 });
    const { data: listed } = (await get("deliveries?partner=acme")).body;
    expect(listed[0]).toMatchObject({ event: newest });
    expect(listed[1]).toMatchObject({ event: without, endpoint: "ep_acme_live", state: "no_endpoint", attempts: 0 });
    expect((await get("deliveries?partner=initech")).body.data).toEqual([]);
    expect((await get("deliveries?partner=nobody")).status).toBe(404);
    const live = (await get("deliveries?partner=acme&environment=live")).body.data;
    expect(live).toMatchObject([{ event: without, state: "no_endpoint" }]);
    expect((await get("deliveries?partner=acme&state=pending&environment=test")).body.data).toContainEqual(
      expect.objectContaining({ event: newest }),
    );
    expect((await get("deliveries?partner=acme&event=Bank.payment.succeeded&environment=test")).body.data).toEqual([]);
  });

  it("of an endpoint: what was given up, or in another state", async () => {
    const exhausted = await failed(await recordPayment());
    const suspended = await recordPayment();
    expect((await get(`deliveries?endpoint=${ENDPOINT}&state=exhausted`)).body.data).toMatchObject([
      { event: exhausted, state: "exhausted" },
    ]);
    const ofAnyState = (await get(`deliveries?endpoint=${ENDPOINT}`)).body.data;
    expect(ofAnyState).toContainEqual(expect.objectContaining({ event: suspended, endpoint: ENDPOINT }));
    expect((await get(`deliveries?endpoint=${ENDPOINT}&environment=live`)).body.error).toContain("endpoint: goes without");
    expect((await get("deliveries?endpoint=acme")).body.error).toContain("endpoint: must be the id of a webhook");
    await post(`endpoints/${ENDPOINT}/suspend`);
    const kept = (await get(`deliveries?endpoint=${ENDPOINT}&state=suspended`)).body.data;
    expect(kept).toMatchObject([{ event: suspended, state: "suspended", next_attempt_at: null }]);
  });

  it("of endpoints: those in trouble, or a partner's, with what was not taken", async () => {
    await failed(await recordPayment());
    expect((await get("endpoints")).body.data).toEqual([]);
    await post(`endpoints/${ENDPOINT}/suspend`);
    const { body, text } = await get("endpoints");
    expect(body.data).toMatchObject([
      { id: ENDPOINT, partner_id: "acme", status: "suspended", suspension_reason: "operator", undelivered: { exhausted: 1 } },
    ]);
    expect(text).not.toContain("whsec_");
    expect((await get("endpoints?partner=acme")).body.data).toMatchObject([{ id: ENDPOINT }]);
    expect((await get("endpoints?partner=initech")).body.data).toEqual([]);
    expect((await get("endpoints?partner=nobody")).status).toBe(404);
    expect((await get("deliveries?endpoint=ep_nobody_test")).status).toBe(404);
    // A webhook of a known partner that was never registered: an id that was typed wrong must not look like one without events.
    expect((await get("deliveries?endpoint=ep_initech_test")).body.error).toContain("There is no such webhook");
  });

  it("of all partners: the newest first, of one environment", async () => {
    const mine = await recordPayment({ now: Date.now() + 60_000 });
    const { data } = (await get("deliveries?environment=test")).body;
    expect(data[0]).toMatchObject({ event: mine, partner_id: "acme" });
    expect((await get("deliveries?environment=test&state=exhausted")).body.data).toEqual([]);
  });

  it.each([
    "deliveries?endpoint=ep_acme_test&state=lost",
    "deliveries?endpoint=ep_acme_test&partner=acme",
    "deliveries?endpoint=ep_acme_test&environment=test",
  ])("not by %s, which says what is wrong", async (path) => {
    expect(await get(path)).toMatchObject({ status: 400, body: { success: false, error: expect.stringMatching(/endpoint|state/) } });
  });
});

describe("an endpoint", () => {
  it("is suspended and resumed, each time once on record, and gets what was kept", async () => {
    const [suspended, resumed] = [await audited("endpoint.suspend", ENDPOINT), await audited("endpoint.resume", ENDPOINT)];
    expect((await post(`endpoints/${ENDPOINT}/suspend`)).body).toMatchObject({ success: true, endpoint: { status: "suspended" } });
    await post(`endpoints/${ENDPOINT}/suspend`);
    const id = await recordPayment();
    expect(await deliveryOf(id)).toMatchObject({ state: "suspended" });
    expect((await post(`endpoints/${ENDPOINT}/resume`)).body).toMatchObject({
      success: true,
      endpoint: { status: "active", suspension_reason: null },
    });
    await post(`endpoints/${ENDPOINT}/resume`);
    await expect.poll(() => received("ops", id).length).toBe(1);
    expect(await audited("endpoint.suspend", ENDPOINT)).toHaveLength(suspended.length + 1);
    expect(await audited("endpoint.resume", ENDPOINT)).toHaveLength(resumed.length + 1);
  });

  it("gets again what was given up, since a moment", async () => {
    const old = await failed(await recordPayment({ now: Date.parse("2026-01-01") }));
    const young = await failed(await recordPayment());
    expect((await post(`endpoints/${ENDPOINT}/send-exhausted?since=2026-02-01`)).body).toMatchObject({ success: true, restarted: 1 });
    await expect.poll(() => received("ops", young).length).toBe(1);
    expect(received("ops", old)).toEqual([]);
    await post(`endpoints/${ENDPOINT}/send-exhausted`);
    await expect.poll(() => received("ops", old).length).toBe(1);
    expect((await post(`endpoints/${ENDPOINT}/send-exhausted?since=yesterday`)).status).toBe(400);
    await post(`endpoints/${ENDPOINT}/suspend`);
    expect((await post(`endpoints/${ENDPOINT}/send-exhausted`)).status).toBe(409);
  });

  it("sends all events again since a moment, also those that were taken, under their ids; those before it stay", async () => {
    const [before, taken, given] = [await recordPayment(), await recordPayment(), await failed(await recordPayment())];
    await Promise.all([before, taken].map((id) => post(`deliveries/${id}/resend`)));
    const day = Date.UTC(2026, 1, 1);
    await updateRows(events, { created_at: day - 1 }, { id: before });
    await Promise.all([taken, given].map((id) => updateRows(events, { created_at: day }, { id })));
    expect((await post(`endpoints/${ENDPOINT}/send-again?since=2026-02-01&until=2026-02-02`)).body).toMatchObject({
      success: true,
      restarted: 2,
      next_since: null,
    });
    await expect.poll(() => [received("ops", taken).length, received("ops", given).length]).toEqual([2, 1]);
    expect(received("ops", before)).toHaveLength(1);
    expect(new Set(received("ops", taken).map((one: any) => one.headers["service-event-id"]))).toEqual(new Set([taken]));
    expect(await audited("endpoint.send_again", ENDPOINT)).toEqual([{ actor: "Maria" }]);
    expect((await post(`endpoints/${ENDPOINT}/send-again`)).status).toBe(400);
    await post(`endpoints/${ENDPOINT}/suspend`);
    expect((await post(`endpoints/${ENDPOINT}/send-again?since=2026-02-01`)).status).toBe(409);
  });

  it("goes on where two thousand events are too many for one call, and leaves out none", async () => {
    const start = Date.UTC(2026, 2, 1);
    await insertEvents(2_500, (index) => start + index);
    const first = (await post(`endpoints/${ENDPOINT}/send-again?since=2026-03-01&until=2026-03-02`)).body;
    expect(first).toMatchObject({ restarted: 2_000, next_since: new Date(start + 2_000).toISOString() });
    const second = (await post(`endpoints/${ENDPOINT}/send-again?since=${first.next_since}&until=2026-03-02`)).body;
    expect(second).toMatchObject({ restarted: 500, next_since: null });
    await env.CELL_1.prepare("DELETE FROM events WHERE name = 'bulk'").run();
  });

  it("is listed with whom operators write to", async () => {
    const contactOf = async () => (await get("endpoints?partner=acme")).body.data[0].contact;
    expect(await contactOf()).toBeNull();
    const say = (contact: string) =>
      send("/ops/partners/acme/contact", {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ contact }),
      });
    await say("tech@acme.example");
    expect(await contactOf()).toBe("tech@acme.example");
    await post(`endpoints/${ENDPOINT}/suspend`);
    expect((await get("endpoints")).body.data).toContainEqual(expect.objectContaining({ id: ENDPOINT, contact: "tech@acme.example" }));
    await post(`endpoints/${ENDPOINT}/resume`);
    await say("none");
  });

  it("lists events by when they were made", async () => {
    const id = await failed(await recordPayment());
    await updateRows(events, { created_at: Date.UTC(2026, 1, 10) }, { id });
    const idsOf = async (query: string) => (await get(`deliveries?${query}`)).body.data.map(({ event }: { event: string }) => event);
    for (const wanted of ["partner=acme", `endpoint=${ENDPOINT}`]) {
      expect(await idsOf(`${wanted}&since=2026-02-10&until=2026-02-10`)).toEqual([id]);
      expect(await idsOf(`${wanted}&since=2026-02-10T00:00:00.001Z&until=2026-02-11`)).toEqual([]);
      expect(await idsOf(`${wanted}&until=2026-02-09`)).not.toContain(id);
      expect(await idsOf(`${wanted}&until=2026-02-10T00:00:00Z`)).not.toContain(id);
    }
    expect((await get("deliveries?partner=acme&since=yesterday")).status).toBe(400);
  });

  it.each(["suspend", "resume", "send-exhausted"])("that does not exist cannot be given %s", async (action) => {
    expect((await post(`endpoints/ep_nobody_test/${action}`)).status).toBe(404);
  });
});

describe("secrets that an older key encrypted", () => {
  const encrypted = async () => await rowsOf(endpointSecrets, {}, { columns: ["encrypted"], orderBy: "id" });

  it("are encrypted anew, and stay what they are", async () => {
    const { everyCell, clock, settings } = cellDeps();
    const { keys: known } = settings.encryptionKeys;
    const newKey = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
    const secretCipher = createSecretCipher({ current: "next", keys: { ...known, next: newKey } });
    const count = (await encrypted()).length;
    expect(await reEncryptSecrets({ everyCell, clock, secretCipher }, ANNA)).toEqual({
      reEncrypted: count,
      undecryptable: [],
      left: 0,
    });
    for (const one of await encrypted()) expect(one.encrypted).toMatch(/^next\./);
    const row = await fieldOf(endpointSecrets, "encrypted", { endpoint_id: ENDPOINT });
    expect(await createSecretCipher({ current: "next", keys: { next: newKey } }).decrypt(row ?? "", ENDPOINT)).toBe(secret);
    expect(await reEncryptSecrets({ everyCell, clock, secretCipher }, ANNA)).toEqual({ reEncrypted: 0, undecryptable: [], left: 0 });
    const back = createSecretCipher({ ...settings.encryptionKeys, keys: { ...known, next: newKey } });
    expect(await reEncryptSecrets({ everyCell, clock, secretCipher: back }, ANNA)).toEqual({
      reEncrypted: count,
      undecryptable: [],
      left: 0,
    });
  });

  it("are none where the key is the one they have", async () => {
    const before = await encrypted();
    expect((await post("secrets/re-encrypt")).body).toEqual({ success: true, re_encrypted: 0, undecryptable: [], left: 0 });
    expect(await encrypted()).toEqual(before);
  });

  it("stay as they are where the older key is gone, and are named", async () => {
    const { everyCell, clock } = cellDeps();
    const before = await encrypted();
    const secretCipher = createSecretCipher({ current: "other", keys: { other: btoa("0".repeat(32)) } });
    const { reEncrypted, undecryptable, left } = await reEncryptSecrets({ everyCell, clock, secretCipher }, ANNA);
    expect([reEncrypted, left]).toEqual([0, before.length]);
    expect(undecryptable).toContain(ENDPOINT);
    expect(await encrypted()).toEqual(before);
  });
});

it.each(["endpoints", "deliveries?partner=acme", "deliveries/evt_1"])("nobody sees %s without the operators' token", async (path) => {
  expect((await send(`/ops/${path}`)).status).toBe(401);
  expect((await send(`/ops/${path}`, { headers: { "X-Partner-Api-Key": keys.acme } })).status).toBe(401);
});

it.each([
  "endpoints/ep_acme_test/suspend",
  "endpoints/ep_acme_test/resume",
  "endpoints/ep_acme_test/send-exhausted",
  "deliveries/evt_1/resend",
  "secrets/re-encrypt",
])("nobody does %s without it, or by another method", async (path) => {
  expect((await send(`/ops/${path}`, { method: "POST" })).status).toBe(401);
  expect((await get(path)).status).toBe(405);
});
