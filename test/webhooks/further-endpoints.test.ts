import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { connectCell } from "../../src/db/client.ts";
import { auditLog, changeCounts, deliveryAttempts, endpointSecrets, endpoints, events, walks } from "../../src/db/schema/index.ts";
import { sweepFigures } from "../../src/figures/count.ts";
import { exampleMovement } from "../../src/views/transaction.ts";
import { attemptDelivery } from "../../src/webhooks/delivery/deliver.ts";
import { signDelivery } from "../../src/webhooks/delivery/signature.ts";
import { TEST_CAUSE } from "../../src/webhooks/endpoints/delivery-state.ts";
import { transactionEvents } from "../../src/webhooks/outbox/events/transaction-events.ts";
import { recordEvent, runWithOutbox } from "../../src/webhooks/outbox/store.ts";
import { call, keys, REGISTER, send } from "../support/api.ts";
import { cellDeps, ID_CODE } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { attemptsOf, clearTheWay, deliveryOf, received, recordPayment } from "../support/deliveries.ts";
import { DAY, HOUR, MINUTE, pass } from "../support/later.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { countOf, deleteRows, emptyTables, insertRow, rowOf, rowsOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

/** Webhooks that a partner adds to the first one of an environment. */

const deps = cellDeps();
const ask = (method: string, path: string, body?: object, key: string = keys.acme) =>
  send(`/partner/${path}`, {
    method,
    headers: { "X-Partner-Api-Key": key, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

interface Added {
  readonly webhook: string;
  readonly signing_secret: string;
}

/** Adds a test webhook whose receiver is an inbox of this name. */
async function add(name: string, more: object = {}): Promise<Added & { readonly code: string; readonly id: string }> {
  const { status, body } = await ask("POST", "webhooks", { environment: "test", name, webhook_url: `${SANDBOX}/inbox/${name}`, ...more });
  expect([status, body.error_message]).toEqual([201, undefined]);
  const code = String(body.webhook).slice("test.".length);
  return { webhook: body.webhook, signing_secret: body.signing_secret, code, id: `ep_acme_test.${code}` };
}
const remove = (webhook: string) => ask("DELETE", `webhooks/${webhook}`, {});
const listed = async (): Promise<any[]> => (await ask("GET", "webhooks")).body.data;

let firstSecret = "";
beforeAll(async () => {
  const { body } = await call(REGISTER, { test_url: `${SANDBOX}/inbox/first` });
  firstSecret = body.registered[0].signing_secret;
});
beforeEach(async () => {
  for (const { webhook } of await listed()) if (webhook.includes(".")) await remove(webhook);
  await clearTheWay();
});
afterEach(() => vi.useRealTimers());

describe("an event", () => {
  it("goes to each webhook that wants it under one id with one body, signed by the secret of each", async () => {
    const all = await add("all");
    const some = await add("some", { events: ["Processor.payment.succeeded"] });
    const others = await add("others", { events: ["Processor.refund.succeeded"] });
    const id = await recordPayment();
    expect(await deliveryOf(`${id}.${others.code}`)).toBeNull();
    for (const delivery of [id, `${id}.${all.code}`, `${id}.${some.code}`]) await attemptDelivery(deps, delivery);
    const [came] = received("first", id);
    for (const [inbox, secret] of [
      ["first", firstSecret],
      ["all", all.signing_secret],
      ["some", some.signing_secret],
    ] as const) {
      const [own, ...more] = received(inbox, id);
      expect(more).toEqual([]);
      expect(own?.body).toBe(came?.body);
      expect(own?.headers["service-signature"]).toBe(
        (await signDelivery(id, Number(own?.headers["service-timestamp"]), own?.body ?? "", [secret])).service,
      );
      expect(own?.headers).toMatchObject({ "service-event-id": id, "webhook-id": id, "service-delivery-attempt": "1" });
    }
    expect(new Set([firstSecret, all.signing_secret, some.signing_secret]).size).toBe(3);
    expect(JSON.parse(came?.body ?? "")).toMatchObject({ id });
  });

  it("leaves as many rows as before for a partner with one webhook, and one more for each further one", async () => {
    const before = await countOf(events);
    await recordPayment();
    expect(await countOf(events)).toBe(before + 1);
    await add("one");
    await recordPayment();
    expect(await countOf(events)).toBe(before + 3);
  });

  it("whose cause is processed again does not go to a webhook that was added since", async () => {
    const movementId = `processor:txn_${crypto.randomUUID()}`;
    const id = await recordPayment({ movementId });
    const later = await add("later");
    expect(await recordPayment({ movementId })).toBe(id);
    expect(await deliveryOf(`${id}.${later.code}`)).toBeNull();
  });

  it("of the other environment is not sent to it", async () => {
    const { code } = await add("test-only");
    expect(await deliveryOf(`${await recordPayment({ environment: "live" })}.${code}`)).toBeNull();
  });

  it("is enqueued for each webhook that wants it by what recorded it", async () => {
    const { code } = await add("woken");
    await add("asleep", { events: ["Processor.refund.succeeded"] });
    const db = connectCell(env.CELL_1);
    const event = await transactionEvents.paymentSucceeded.make(ID_CODE, {
      ...exampleMovement,
      id: `processor:txn_${crypto.randomUUID()}`,
      partnerId: "acme",
      environment: "test",
      discount: null,
      dispute: null,
    });
    const sent: string[] = [];
    const deliveryQueue = { send: async (ids: readonly string[]) => void sent.push(...ids) };
    await runWithOutbox({ db, deliveryQueue }, [recordEvent(db, event, Date.now())]);
    expect(sent.toSorted()).toEqual([event.id, `${event.id}.${code}`]);
  });
});

describe("each webhook has its own", () => {
  it("state, schedule and attempts: one that fails holds no other up", async () => {
    const broken = await add("broken");
    await control("/inbox/broken", { status: 500 });
    const id = await recordPayment();
    await attemptDelivery(deps, `${id}.${broken.code}`);
    await attemptDelivery(deps, id);
    expect(await deliveryOf(id)).toMatchObject({ state: "succeeded", attempts: 1 });
    expect(await deliveryOf(`${id}.${broken.code}`)).toMatchObject({ state: "pending", attempts: 1 });
    expect(await attemptsOf(`${id}.${broken.code}`)).toMatchObject([{ number: 1, status: 500 }]);
    const states = Object.fromEntries((await listed()).map(({ webhook, state }) => [webhook, state]));
    expect(states).toMatchObject({ test: "active", [broken.webhook]: "failing" });
  });

  it("suspension: 410 suspends it alone, and resuming it sends what was kept", async () => {
    const gone = await add("gone");
    await control("/inbox/gone", { status: 410 });
    const id = await recordPayment();
    await attemptDelivery(deps, `${id}.${gone.code}`);
    expect(await rowOf(endpoints, { id: gone.id })).toMatchObject({ status: "suspended", suspension_reason: "gone" });
    expect(await rowOf(endpoints, { id: "ep_acme_test" })).toMatchObject({ status: "active" });
    const kept = await recordPayment();
    expect(await deliveryOf(`${kept}.${gone.code}`)).toMatchObject({ state: "suspended" });
    await control("/inbox/gone", { status: 200 });
    expect(await ask("POST", `webhooks/${gone.webhook}/resume`, {})).toMatchObject({ status: 200, body: { status: "active" } });
    expect(await deliveryOf(`${kept}.${gone.code}`)).not.toMatchObject({ state: "suspended" });
  });

  it("list of deliveries, and each is shown and sent again by its id", async () => {
    const { webhook, code } = await add("again");
    const id = await recordPayment();
    await attemptDelivery(deps, `${id}.${code}`);
    const { body } = await ask("GET", `deliveries?webhook=${webhook}`);
    expect(body.data).toMatchObject([{ event: id, delivery: `${id}.${code}`, webhook, state: "succeeded" }]);
    expect((await ask("GET", "deliveries?environment=test")).body.data[0]).toMatchObject({ event: id, delivery: id, webhook: "test" });
    expect((await ask("GET", `deliveries/${id}.${code}`)).body).toMatchObject({
      event: id,
      message: { id },
      request: { url: `${SANDBOX}/inbox/again`, headers: { "Service-Event-Id": id } },
    });
    expect(await ask("POST", `deliveries/${id}.${code}/resend`, {})).toMatchObject({ status: 200, body: { success: true } });
    expect(received("again", id)).toHaveLength(2);
    expect(received("first", id)).toHaveLength(0);
    expect(await ask("GET", `deliveries?webhook=${webhook}&environment=live`)).toMatchObject({
      status: 400,
      body: { error_message: expect.stringContaining("of the test environment") },
    });
  });

  it("list for operators, by partner and webhook, or by its id; a webhook without its partner is refused", async () => {
    const { webhook, code, id } = await add("operated");
    const event = await recordPayment();
    const ops = async (query: string) => send(`/ops/deliveries?${query}`, { headers: { Authorization: "Bearer ops-local" } });
    for (const query of [`partner=acme&webhook=${webhook}`, `endpoint=${id}`])
      expect((await ops(query)).body.data).toMatchObject([{ event, delivery: `${event}.${code}`, endpoint: id }]);
    expect(await ops(`webhook=${webhook}`)).toMatchObject({ status: 400, body: { error: expect.stringContaining("partner") } });
  });

  it("test event, which the feed has once", async () => {
    const { webhook, code } = await add("tried");
    const { body } = await ask("POST", `webhooks/${webhook}/test`, { event: "Processor.refund.succeeded" });
    expect(body).toMatchObject({ success: true, event: expect.stringMatching(new RegExp(`^evt_[0-9a-z]{32}\\.${code}$`)) });
    const [id = ""] = String(body.event).split(".");
    expect(received("tried", id)).toHaveLength(1);
    expect(received("first", id)).toHaveLength(0);
    const feed = await ask("GET", "events?environment=test&kind=Processor.refund.succeeded&limit=100");
    expect(feed.body.data.filter((one: { id: string }) => one.id === id)).toHaveLength(1);
  });

  it("restart of exhausted deliveries", async () => {
    const { webhook, code } = await add("restarted");
    const id = await recordPayment();
    await updateRows(events, { state: "exhausted" }, { id: `${id}.${code}` });
    expect((await ask("POST", `deliveries/resend?environment=test&webhook=${webhook}`, {})).body).toMatchObject({ restarted: 1, left: 0 });
    await until(async () => expect(await deliveryOf(`${id}.${code}`)).toMatchObject({ state: "succeeded" }));
  });

  it("secret: it is rotated alone, and the one before it signs too", async () => {
    const added = await add("rotated");
    const { body } = await ask("POST", `webhooks/${added.webhook}/replace-secret`, {});
    expect(body).toMatchObject({ webhook: added.webhook, signing_secret: expect.stringMatching(/^whsec_test_/) });
    expect(Date.parse(body.previous_valid_until) - Date.now()).toBeGreaterThan(7 * DAY - MINUTE);
    const id = await recordPayment();
    await attemptDelivery(deps, `${id}.${added.code}`);
    const [came] = received("rotated", id);
    const signed = await signDelivery(id, Number(came?.headers["service-timestamp"]), came?.body ?? "", [
      body.signing_secret,
      added.signing_secret,
    ]);
    expect(came?.headers["service-signature"]).toBe(signed.service);
    expect((await ask("POST", `webhooks/${added.webhook}/secret`, {})).body).toMatchObject({ signing_secret: body.signing_secret });
    expect((await ask("POST", "webhooks/test/secret", {})).body).toMatchObject({ signing_secret: firstSecret });
  });

  it("secret: a repeat after a lost answer replaces it no second time", async () => {
    const added = await add("rotated-once");
    const rotate = (seen: string | null) => ask("POST", `webhooks/${added.webhook}/replace-secret`, { previous_secret_until: seen });
    const { body } = await rotate(null);
    expect(body.signing_secret).not.toBe(added.signing_secret);
    expect(await rotate(null)).toMatchObject({ status: 409, body: { error_message: expect.stringContaining("replaced since") } });
    expect((await ask("POST", `webhooks/${added.webhook}/secret`, {})).body).toMatchObject({ signing_secret: body.signing_secret });
    expect((await rotate(body.previous_valid_until)).status).toBe(200);
  });
});

describe("a webhook that was added", () => {
  it("is one of five at most in each environment, also when they are added at the same time", async () => {
    const made = await Promise.all(
      Array.from({ length: limits.webhooks.further + 2 }, (_, index) =>
        ask("POST", "webhooks", { environment: "test", name: `n${index}`, webhook_url: `${SANDBOX}/inbox/n${index}` }),
      ),
    );
    expect(made.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([201, 201, 201, 201, 201, 409, 409]);
    expect((await listed()).filter(({ webhook }) => webhook.startsWith("test."))).toHaveLength(limits.webhooks.further);
  });

  it("is changed: its name, its URL, its events; the audit log says by whom, and no path of a URL", async () => {
    const { webhook, code, id } = await add("before");
    const changed = await ask("PATCH", `webhooks/${webhook}`, {
      name: "after",
      webhook_url: `${SANDBOX}/inbox/after-secret`,
      events: ["Processor.refund.succeeded"],
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { webhook, name: "after", webhook_url: `${SANDBOX}/inbox/after-secret`, events: ["Processor.refund.succeeded"] },
    });
    expect(await deliveryOf(`${await recordPayment()}.${code}`)).toBeNull();
    expect((await ask("PATCH", `webhooks/${webhook}`, { events: null })).body).toMatchObject({ events: null, name: "after" });
    expect(await deliveryOf(`${await recordPayment()}.${code}`)).toMatchObject({ state: "pending" });
    const acts = await rowsOf(auditLog, { target: id }, { columns: ["action", "actor", "after"] });
    expect(acts.map(({ action }) => action)).toEqual(["endpoint.add", "endpoint.change", "endpoint.change"]);
    expect(JSON.stringify(acts)).not.toMatch(/secret"|inbox/);
  });

  it("that is moved to another URL is resumed, unless support suspended it", async () => {
    const { webhook, id, code } = await add("moved");
    await updateRows(endpoints, { status: "suspended", suspension_reason: "failing", suspended_at: 1 }, { id });
    const kept = await recordPayment();
    expect((await ask("PATCH", `webhooks/${webhook}`, { webhook_url: `${SANDBOX}/inbox/moved-on` })).body).toMatchObject({
      status: "active",
    });
    await until(async () => expect(await deliveryOf(`${kept}.${code}`)).toMatchObject({ state: "succeeded" }));
    await updateRows(endpoints, { status: "suspended", suspension_reason: "operator", suspended_at: 1 }, { id });
    const held = await ask("PATCH", `webhooks/${webhook}`, { webhook_url: `${SANDBOX}/inbox/moved` });
    expect(held.body).toMatchObject({ status: "suspended", webhook_url: `${SANDBOX}/inbox/moved` });
    expect(await ask("DELETE", `webhooks/${webhook}`, {})).toMatchObject({ status: 409 });
    await updateRows(endpoints, { status: "active", suspension_reason: null }, { id });
  });

  it("is removed: with its secrets, and with what waits for it; the events stay", async () => {
    const { webhook, code, id } = await add("removed");
    const waiting = await recordPayment();
    const done = await remove(webhook);
    expect(done).toMatchObject({ status: 200, body: { webhook, says: expect.stringContaining("You removed it") } });
    expect(await rowOf(endpoints, { id })).toBeNull();
    expect(await rowsOf(endpointSecrets, { endpoint_id: id })).toEqual([]);
    expect(await deliveryOf(`${waiting}.${code}`)).toMatchObject({ state: "exhausted" });
    expect(await deliveryOf(waiting)).toMatchObject({ state: "pending" });
    expect(await deliveryOf(`${await recordPayment()}.${code}`)).toBeNull();
    expect(await ask("POST", `deliveries/${waiting}.${code}/resend`, {})).toMatchObject({ status: 409 });
    expect(await remove(webhook)).toMatchObject({ status: 404 });
  });

  it("that is removed while an attempt is made leaves nothing that waits", async () => {
    const { webhook, code } = await add("in-flight");
    const id = await recordPayment();
    await control("/inbox/in-flight", { status: 500, delay_ms: 200 });
    const attempt = attemptDelivery(deps, `${id}.${code}`);
    await until(async () => expect(await deliveryOf(`${id}.${code}`)).toMatchObject({ state: "sending" }));
    await remove(webhook);
    await attempt;
    expect(await deliveryOf(`${id}.${code}`)).toMatchObject({ state: "exhausted", attempts: 1 });
  });

  it("gets nothing while its partner is disabled, and all of it afterwards", async () => {
    const { code, id } = await add("held");
    const ops = (path: string) =>
      send(`/ops/partners/acme/${path}`, {
        method: "POST",
        headers: { Authorization: "Bearer ops-local", "Content-Type": "application/json" },
        body: JSON.stringify({ reason: "a test" }),
      });
    expect((await ops("disable")).status).toBe(200);
    expect(await rowOf(endpoints, { id })).toMatchObject({ status: "suspended", suspension_reason: "partner_disabled" });
    const kept = await recordPayment();
    expect(await deliveryOf(`${kept}.${code}`)).toMatchObject({ state: "suspended" });
    expect((await ops("enable")).status).toBe(200);
    await until(async () => expect(await deliveryOf(`${kept}.${code}`)).toMatchObject({ state: "succeeded" }));
  });

  it("that there is not gets no test event, and nothing is left of it", async () => {
    const before = [await countOf(events), await countOf(changeCounts)];
    expect(await ask("POST", "webhooks/test.zzzzzz/test", {})).toMatchObject({ status: 404, body: { error_code: "NOT_FOUND" } });
    expect([await countOf(events), await countOf(changeCounts)]).toEqual(before);
  });

  it("shares the test events of an hour with the others of its environment", async () => {
    const hour = Date.now() - (Date.now() % HOUR);
    await deleteRows(changeCounts, { subject: "test events of ep_acme_test" });
    await insertRow(changeCounts, { subject: "test events of ep_acme_test", period: hour, count: limits.testEvents.perHour });
    const { webhook } = await add("counted-out");
    expect(await ask("POST", `webhooks/${webhook}/test`, {})).toMatchObject({ status: 429 });
    await deleteRows(changeCounts, { subject: "test events of ep_acme_test" });
  });

  it("is its partner's alone", async () => {
    const { webhook } = await add("own");
    for (const [method, path] of [
      ["PATCH", `webhooks/${webhook}`],
      ["DELETE", `webhooks/${webhook}`],
      ["POST", `webhooks/${webhook}/secret`],
      ["POST", `webhooks/${webhook}/replace-secret`],
      ["POST", `webhooks/${webhook}/resume`],
    ] as const) {
      const answer = await ask(method, path, {}, keys.globex);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
    }
  });

  it.each([
    [{ name: "" }, "name"],
    [{ name: "n".repeat(limits.webhooks.nameCharacters + 1) }, "name"],
    [{ webhook_url: "ftp://receiver.example" }, "webhook_url"],
    [{ events: [] }, "events"],
    [{ events: ["Processor.payment.unknown"] }, "events[0]"],
    [{ environment: "both" }, "environment"],
    [{ secret: "mine" }, "secret"],
  ])("with %j is refused, and changes nothing", async (wrong, field) => {
    const asked = { environment: "test", name: "fine", webhook_url: `${SANDBOX}/inbox/fine`, ...wrong };
    const { status, body } = await ask("POST", "webhooks", asked);
    expect([status, body.details.field]).toEqual([400, field]);
    expect((await listed()).filter(({ webhook }) => webhook.includes("."))).toEqual([]);
  });

  it.each(["test.K3F9A2", "test.", "staging", "test.k3f9a2.x", `test.${"a".repeat(5_000)}`])("has no name such as %s", async (name) => {
    expect(await ask("DELETE", `webhooks/${name}`, {})).toMatchObject({ status: 400, body: { error_code: "INVALID_INPUT" } });
  });

  it.each([
    ["PATCH", "", "register-partner-notifications-webhook"],
    ["POST", "/replace-secret", "rotate-partner-webhook-secret"],
  ])("is none of those that operations register: %s %s names the operation", async (method, path, operation) => {
    expect(await ask(method, `webhooks/test${path}`, {})).toMatchObject({
      status: 409,
      body: { error_message: expect.stringContaining(operation) },
    });
  });
});

describe("the first webhook", () => {
  it("is registered, rotated and answered by the operations as ever, whatever was added", async () => {
    await add("beside");
    const { body } = await call(REGISTER, { test_url: `${SANDBOX}/inbox/first` });
    expect(body.registered).toMatchObject([{ environment: "test", signing_secret: firstSecret }]);
    expect((await rowOf(endpoints, { id: "ep_acme_test" }))?.code).toBe("");
  });
});

it("a delivery to a further webhook that its events outlived is deleted with them", async () => {
  const { code } = await add("old");
  const id = await recordPayment();
  await updateRows(events, { state: "succeeded" }, { id: `${id}.${code}` });
  await updateRows(events, { state: "succeeded" }, { id });
  pass(181 * DAY);
  for (let hours = 0; hours < 3; hours += 1) {
    pass(HOUR);
    await cron();
  }
  expect(await deliveryOf(`${id}.${code}`)).toBeNull();
});

describe("how soon a webhook takes its deliveries", () => {
  it("is counted by day, for each webhook, the stored days and today alike", async () => {
    const { webhook, code } = await add("counted");
    const wanted = [
      [500, "succeeded", 1],
      [1_000, "succeeded", 1],
      [1_001, "succeeded", 2],
      [60_000, "succeeded", 3],
      [60_001, "succeeded", 3],
      [3_600_000, "succeeded", 4],
      [3_600_001, "succeeded", 5],
      [null, "exhausted", 10],
      [null, "pending", 2],
    ] as const;
    for (const [took, state, attempts] of wanted) {
      const id = `${await recordPayment()}.${code}`;
      const createdAt = Number((await deliveryOf(id))?.created_at);
      await updateRows(events, { state, attempts }, { id });
      const attempt = { event_id: id, number: attempts, at: createdAt, duration_ms: took ?? 10, status: took === null ? 500 : 200 };
      await insertRow(deliveryAttempts, { ...attempt, error_class: took === null ? "status" : null, manual: 0 });
    }
    const health = async (days: number) => (await ask("GET", `webhooks/${webhook}/health?days=${days}`)).body;
    const counts = {
      deliveries: 9,
      attempts: 31,
      delivered: 7,
      given_up: 1,
      delivered_percent: 77.78,
      within_second_percent: 22.22,
      within_minute_percent: 44.44,
      within_hour_percent: 66.67,
    };
    const today = await health(1);
    expect(today).toEqual({
      webhook,
      environment: "test",
      totals: counts,
      days: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), ...counts }],
    });
    pass(DAY);
    await emptyTables(walks);
    for (let rounds = 0; rounds < 5; rounds += 1) await sweepFigures(deps);
    const tomorrow = await health(2);
    expect(tomorrow.days).toEqual([today.days[0], expect.objectContaining({ deliveries: 0, delivered_percent: null })]);
    expect(tomorrow.totals).toEqual(counts);
    expect((await ask("GET", "webhooks/test/health?days=91")).status).toBe(400);
  });
});

describe("several deliveries are sent again", () => {
  it("that were chosen: those that have ended, of the asking partner alone", async () => {
    const [ended, other, waiting, foreign] = [
      await recordPayment(),
      await recordPayment(),
      await recordPayment(),
      await recordPayment({ partnerId: "globex" }),
    ];
    await updateRows(events, { state: "exhausted", attempts: 10 }, { id: ended });
    await updateRows(events, { state: "succeeded", attempts: 1 }, { id: other });
    // One that was a test is sent once.
    const tested = await recordPayment();
    await updateRows(events, { state: "exhausted", attempts: 1, cause: `${TEST_CAUSE}1` }, { id: tested });
    const { body } = await ask("POST", "deliveries/resend-chosen", { deliveries: [ended, other, waiting, foreign, tested, "evt_none"] });
    expect(new Set(body.restarted)).toEqual(new Set([ended, other]));
    expect(body.unchanged).toEqual([waiting, foreign, tested, "evt_none"]);
    await deleteRows(events, { id: tested });
    await until(async () => expect(await deliveryOf(ended)).toMatchObject({ state: "succeeded", attempts: 11 }));
    await until(async () => expect(await deliveryOf(other)).toMatchObject({ state: "succeeded", attempts: 2 }));
    expect((await ask("POST", "deliveries/resend-chosen", { deliveries: [waiting, "x".repeat(60)] })).body.restarted).toEqual([]);
    expect(await rowsOf(auditLog, { action: "delivery.resend_chosen" })).toHaveLength(1);
    expect((await ask("POST", "deliveries/resend-chosen", { deliveries: [] })).status).toBe(400);
    expect((await ask("POST", "deliveries/resend-chosen", { deliveries: Array.from({ length: 101 }, () => ended) })).status).toBe(400);
  });

  it("that wait for their next attempt, after a repair: the cooldown of the webhook ends", async () => {
    const id = await recordPayment();
    const later = Date.now() + HOUR;
    await updateRows(events, { state: "pending", attempts: 5, waiting: 0, next_attempt_at: later }, { id });
    await updateRows(endpoints, { failing_since: Date.now() - HOUR, cooldown_until: later, restarted_at: null }, { id: "ep_acme_test" });
    const asked = () => ask("POST", "deliveries/resend?environment=test&state=pending", {});
    expect(await asked()).toMatchObject({ status: 200, body: { success: true } });
    await until(async () => expect(await deliveryOf(id)).toMatchObject({ state: "succeeded", attempts: 6 }));
    await updateRows(events, { state: "pending", next_attempt_at: later }, { id: await recordPayment() });
    expect(await asked()).toMatchObject({ status: 409, body: { error_message: expect.stringContaining("less than an hour ago") } });
    await updateRows(endpoints, { restarted_at: null }, { id: "ep_acme_test" });
  });
});

describe("an example event", () => {
  const sent = async (fields: object, event = "Processor.payment.succeeded") => ask("POST", "webhooks/test/test", { event, fields });

  it("has the values that the partner sets, texts as numbers where the event has numbers", async () => {
    const { body } = await sent({
      "transaction.client_reference_id": "order-7",
      "transaction.amount": "12.5",
      discount: null,
    });
    const [came] = received("first", body.event);
    expect(JSON.parse(came?.body ?? "")).toMatchObject({
      test_event: true,
      transaction: { client_reference_id: "order-7", amount: 12.5, currency: "USD" },
    });
  });

  it.each([
    [{ "transaction.unknown": 1 }, "no value at transaction.unknown"],
    [{ "transaction.__proto__": "x" }, "no value at"],
    [{ constructor: "x" }, "no value at"],
    [{ transaction: "x" }, "no value at transaction"],
    [{ id: "evt_other" }, "no value at id"],
    [{ environment: "live" }, "no value at environment"],
    [{ "transaction.amount": "much" }, "transaction.amount"],
    [{ "transaction.currency": 5 }, "transaction.currency"],
    [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, 1])), "at most 20"],
    [{ ["x.".repeat(60)]: 1 }, "fields"],
  ])("with %j is refused, and nothing is recorded", async (fields, words) => {
    const before = await countOf(events);
    expect(await sent(fields)).toMatchObject({ status: 400, body: { error_message: expect.stringContaining(words) } });
    expect(await countOf(events)).toBe(before);
  });
});
