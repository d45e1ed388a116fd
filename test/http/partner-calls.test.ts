import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectCell } from "../../src/db/client.ts";
import {
  apiKeys,
  auditLog,
  employees,
  endpoints,
  events,
  grants,
  paymentLinks,
  sessions,
  subscriptions,
} from "../../src/db/schema/index.ts";
import { argumentsOf } from "../../src/http/calls/arguments.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { isPermission, permissions } from "../../src/partners/permissions.ts";
import { countDeliveriesByDay } from "../../src/webhooks/admin/daily-deliveries.ts";
import { signDelivery } from "../../src/webhooks/delivery/signature.ts";
import { allEvents } from "../../src/webhooks/outbox/events/index.ts";
import {
  BANK,
  bankCart,
  CART,
  CODE,
  call,
  callV1,
  cart,
  keyFor,
  keys,
  LINK,
  LIST,
  link,
  promotion,
  REGISTER,
  send,
} from "../support/api.ts";
import { invitationOf, Person } from "../support/authenticator.ts";
import { cellDeps, cellOf } from "../support/cells.ts";
import { clearTheWay, deliveryOf, endpointOf, received, recordPayment } from "../support/deliveries.ts";
import { HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { change } from "../support/ops.ts";
import { callTool, signIn } from "../support/sign-in.ts";
import { control, SANDBOX, world } from "../support/stack.ts";
import { countOf, rowOf, rowsOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

/** The calls by which partners look after themselves. */

const ENDPOINT = "ep_acme_test";
const ask = (method: string, path: string, body?: object, key: string | null = keys.acme) =>
  send(`/partner/${path}`, {
    method,
    headers: { ...(key === null ? {} : { "X-Partner-Api-Key": key }), "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const get = (path: string, key?: string) => ask("GET", path, undefined, key);
const audited = (action: string, target: string) => rowsOf(auditLog, { action, target }, { columns: ["actor", "partner_id"] });
const suspend = (reason: string) =>
  updateRows(endpoints, { status: "suspended", suspension_reason: reason, suspended_at: Date.UTC(2026, 10, 20) }, { id: ENDPOINT });
const test = (body: object = {}, environment = "test") => ask("POST", `webhooks/${environment}/test`, body);

let secret = "";
beforeAll(async () => {
  const { body } = await call(REGISTER, { test_url: `${SANDBOX}/inbox/own` });
  secret = body.registered[0].signing_secret;
});
beforeEach(async () => {
  await clearTheWay();
  await updateRows(endpoints, { status: "active", suspension_reason: null, suspended_at: null, failing_since: null }, { id: ENDPOINT });
});

const byKey = partnerCalls.filter(({ permission }) => permission !== "signed_in");

describe.each(byKey.map((one) => [one.method, one.path, one] as const))("%s %s", (method, path, { permission }) => {
  const filled = path
    .replace("/partner/", "")
    .replace("{webhook}", "test")
    .replaceAll(/\{\w+\}/g, "none");
  const body = method === "GET" ? undefined : {};

  it("needs a key, and one that works", async () => {
    expect(await ask(method, filled, body, null)).toMatchObject({ status: 401, body: { success: false, error_code: "AUTH_REQUIRED" } });
    for (const key of [keys.revoked, keys.formerEmployee, keys.disabledPartner, crypto.randomUUID()])
      expect(await ask(method, filled, body, key)).toMatchObject({ status: 401, body: { error_code: "INVALID_API_KEY" } });
  });

  it.skipIf(permission === "any")("needs its permission and no other, before its input is looked at", async () => {
    for (const other of permissions.filter((one) => one !== permission))
      expect(await ask(method, `${filled}?limit=none`, body, keyFor(other))).toMatchObject({
        status: 403,
        body: { error_code: "PERMISSION_DENIED", error_message: expect.stringContaining(permission) },
      });
    const holder = isPermission(permission) ? keyFor(permission) : keys.acme;
    expect((await ask(method, filled, body, holder)).status).not.toBe(403);
  });
});

/** An id of globex for each parameter that a path may have. */
async function foreignIds(): Promise<Record<string, string>> {
  const asOperator = (method: string, path: string, body?: object) =>
    send(`/ops/${path}`, {
      method,
      headers: { Authorization: "Bearer ops-local", "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const made = await callV1(LINK, link({ stripe_product_id: "prod_globexLiveUsd1" }), keys.globex);
  const person = await asOperator("POST", "partners/globex/employees", { name: "Foreign", permissions: ["owner"] });
  const browser = new Person();
  await browser.accept(await invitationOf(person.body.id));
  const row = {
    id: "sub_foreign",
    partnerId: "globex",
    environment: "test",
    status: "active",
    startedAt: 1,
    cancelAtPeriodEnd: false,
    updatedAt: 1,
  } as const;
  await connectCell(cellOf("globex")).insert(subscriptions).values(row).onConflictDoNothing();
  const agent = await signIn({ key: keys.globex, permissions: ["balance_view"] });
  expect(agent.access).not.toBe("");
  return {
    event: await recordPayment({ partnerId: "globex" }),
    grant: (await asOperator("GET", "partners/globex/grants")).body.data[0].grant_id,
    link: made.body.processor_payment_link_id,
    request: made.headers.get("X-Request-Id") ?? "",
    key: (await asOperator("GET", "partners/globex/keys")).body.data[0].key_id,
    person: person.body.id,
    product: (await asOperator("GET", "partners/globex/products")).body.data[0].id,
    session: (await browser.get("session")).body.session,
    subscription: row.id,
  };
}

const inputOf = (method: string, path: string) => {
  if (method === "GET") return undefined;
  if (path.includes("agents")) return { environment: "test", demand: "all" };
  if (path.includes("products")) return { kind: "ruble", name: "Foreign", amount: 1 };
  return method === "PUT" ? { permissions: [] } : {};
};

it("no field has the name of an option that every command has", () => {
  const fields = byKey.flatMap((one) => argumentsOf(one).map(({ name }) => name));
  for (const option of ["url", "json", "yes", "help"]) expect(fields).not.toContain(option);
});

describe("another partner's", () => {
  it("object is as unknown as one that does not exist, to every call that takes an id, and is not changed", async () => {
    const foreign = await foreignIds();
    const before = await deliveryOf(foreign.event ?? "");
    const taking = byKey.filter(({ path }) => /\{(?!webhook\})/.test(path));
    expect(taking.length).toBeGreaterThan(13);
    for (const { method, path } of taking) {
      const at = (idOf: (name: string) => string) =>
        ask(
          method,
          path.replace("/partner/", "").replaceAll(/\{(\w+)\}/g, (_all, name: string) => idOf(name)),
          inputOf(method, path),
        );
      const answer = await at((name) => foreign[name] ?? `no id for ${name}`);
      const unknown = await at(() => "none");
      expect([method, path, answer.status, answer.body.error_code]).toEqual([method, path, 404, "NOT_FOUND"]);
      expect(answer.body).toEqual(unknown.body);
      expect(answer.text).not.toContain("no id for");
    }
    expect(await deliveryOf(foreign.event ?? "")).toEqual(before);
    expect(await rowOf(paymentLinks, { id: foreign.link ?? "" })).toMatchObject({ disabled_at: null });
    expect(await rowOf(employees, { id: foreign.person ?? "" })).toMatchObject({ status: "active", rights: '["owner"]' });
    expect(await rowOf(sessions, { id: foreign.session ?? "" })).toMatchObject({ ended_at: null });
    expect(await rowOf(grants, { id: foreign.grant ?? "" })).toMatchObject({ ended_at: null, confirmations: "{}" });
    expect(await rowOf(apiKeys, { id: foreign.key ?? "" })).toMatchObject({ revoked_at: null });
    for (const id of Object.values(foreign)) expect((await get(`story?q=${id}`)).status).toBe(404);
  });

  it("data is in no list", async () => {
    await recordPayment({ partnerId: "globex" });
    const lists = byKey.flatMap(({ method, path }) => (method === "GET" && !path.includes("{") ? [path] : []));
    for (const path of lists) {
      const { text } = await get(
        `${path.replace("/partner/", "")}?environment=test`
          .replace("story?", "story?q=globex&")
          .replace("audit?environment=test", "audit")
          .replace(/(keys|agents|people|sessions)\?environment=test/, "$1"),
      );
      expect([path, text.includes("globex")]).toEqual([path, false]);
    }
  });
});

describe("a webhook", () => {
  it("is shown with its state, without ids of ours and without its secret", async () => {
    const { body, text } = await get("webhooks");
    expect(body.data.find(({ environment }: { environment: string }) => environment === "test")).toMatchObject({
      webhook_url: `${SANDBOX}/inbox/own`,
      status: "active",
      says: "Your test webhook gets its events.",
    });
    expect(text).not.toContain(secret);
    expect(text).not.toContain(ENDPOINT);
  });

  it.each([
    ["gone", "answered 410 Gone"],
    ["failing", "every attempt failed"],
    ["operator", "Support suspended your test webhook on 20 Nov 2026"],
  ])("that is suspended (%s) says why, and since when", async (reason, words) => {
    await suspend(reason);
    const { body } = await get("webhooks");
    expect(body.data.map(({ says }: { says: string }) => says).join()).toContain(words);
  });

  it("that an operator suspended says why, as the operator wrote it, until it is resumed", async () => {
    const suspendFor = (body?: object) => change(`endpoints/${ENDPOINT}/suspend`, body);
    const said = async () => (await get("webhooks")).body.data.find(({ webhook }: { webhook: string }) => webhook === "test");
    expect((await suspendFor({ reason: "It answers with advertisements" })).body.endpoint.suspension_note).toBe(
      "It answers with advertisements",
    );
    expect(await said()).toMatchObject({
      suspension_note: "It answers with advertisements",
      says: expect.stringContaining("Reason: It answers with advertisements. Only support can resume it."),
    });
    expect((await suspendFor({ reason: "" })).body.error).toBe("reason: must not be empty");
    expect((await suspendFor({ reason: "ann@example.com complained" })).body.error).toBe("reason: must hold no e-mail address");
    // What was said first may be said better, and a repeat without a reason takes nothing away.
    const { suspended_at: since } = await said();
    expect((await suspendFor({ reason: "It answers with pages" })).body.endpoint).toMatchObject({
      suspension_note: "It answers with pages",
      suspended_at: since,
    });
    expect((await suspendFor()).body.endpoint.suspension_note).toBe("It answers with pages");
    await change(`endpoints/${ENDPOINT}/resume`);
    expect(await said()).toMatchObject({ suspension_note: null, says: "Your test webhook gets its events." });
    await suspendFor();
    expect((await said()).suspension_note).toBeNull();
    await change(`endpoints/${ENDPOINT}/resume`);
  });

  it("that fails says since when, and when the next attempt is", async () => {
    const soon = Date.now() + 60_000;
    await updateRows(endpoints, { failing_since: Date.UTC(2026, 10, 24), cooldown_until: soon }, { id: ENDPOINT });
    const { body } = await get("webhooks");
    expect(body.data).toContainEqual(
      expect.objectContaining({
        failing_since: "2026-11-24T00:00:00.000Z",
        cooldown_until: new Date(soon).toISOString(),
        says: expect.stringContaining("have failed since 24 Nov 2026"),
      }),
    );
    await updateRows(endpoints, { cooldown_until: 0 }, { id: ENDPOINT });
  });

  it("is unregistered by its partner: its events are kept, and are sent after it is resumed or registered again", async () => {
    const withdraw = () => ask("DELETE", "webhooks/test", {});
    expect(await withdraw()).toMatchObject({
      status: 200,
      body: { status: "suspended", suspension_reason: "unregistered", says: expect.stringContaining("You unregistered your test webhook") },
    });
    const kept = await recordPayment();
    expect(await deliveryOf(kept)).toMatchObject({ state: "suspended", attempts: 0 });
    const [entry] = (await audited("endpoint.unregister", ENDPOINT)).slice(-1);
    expect(entry).toEqual({ actor: expect.stringMatching(/^holder of key_/), partner_id: "acme" });
    const operator = await send(`/ops/endpoints/${ENDPOINT}/resume`, { method: "POST", headers: { Authorization: "Bearer ops-local" } });
    expect(operator).toMatchObject({ status: 409, body: { error: expect.stringContaining("Its partner unregistered it") } });
    const held = await send(`/ops/endpoints/${ENDPOINT}/suspend`, { method: "POST", headers: { Authorization: "Bearer ops-local" } });
    expect(held).toMatchObject({ status: 409, body: { error: expect.stringContaining("webhook_config") } });
    expect(await endpointOf(ENDPOINT)).toMatchObject({ status: "suspended", suspension_reason: "unregistered" });
    await call(REGISTER, { test_url: `${SANDBOX}/inbox/own` });
    expect(await endpointOf(ENDPOINT)).toMatchObject({ status: "active", suspension_reason: null });
    expect(await deliveryOf(kept)).toMatchObject({ state: "pending" });
    await withdraw();
    expect((await ask("POST", "webhooks/test/resume")).body).toMatchObject({ status: "active" });
    expect((await ask("DELETE", "webhooks/live", {}, keys.globex)).status).toBe(404);
  });

  it.each(["operator", "partner_disabled"])(
    "that others suspended (%s) is not unregistered: it would be lifted by registering",
    async (reason) => {
      await suspend(reason);
      expect((await ask("DELETE", "webhooks/test", {})).status).toBe(409);
      expect(await endpointOf(ENDPOINT)).toMatchObject({ suspension_reason: reason });
    },
  );

  it.each(["gone", "failing"])("that the service suspended (%s) is resumed by its partner, with what was kept", async (reason) => {
    await suspend(reason);
    const kept = await recordPayment();
    expect(await deliveryOf(kept)).toMatchObject({ state: "suspended" });
    expect(await ask("POST", "webhooks/test/resume")).toMatchObject({
      status: 200,
      body: { status: "active", says: "Your test webhook gets its events." },
    });
    await until(async () => expect(await deliveryOf(kept)).toMatchObject({ state: "succeeded" }));
    expect(await endpointOf(ENDPOINT)).toMatchObject({ status: "active" });
    const [entry] = (await audited("endpoint.resume", ENDPOINT)).slice(-1);
    expect(entry).toEqual({ actor: expect.stringMatching(/^holder of key_/), partner_id: "acme" });
  });

  it.each(["operator", "partner_disabled"])("that others suspended (%s) stays suspended, and nothing is audited", async (reason) => {
    await suspend(reason);
    const before = await audited("endpoint.resume", ENDPOINT);
    expect(await ask("POST", "webhooks/test/resume")).toMatchObject({ status: 409, body: { error_code: "CONFLICT" } });
    expect(await endpointOf(ENDPOINT)).toMatchObject({ status: "suspended", suspension_reason: reason });
    expect(await audited("endpoint.resume", ENDPOINT)).toEqual(before);
  });

  it("that is active is resumed without effect, one that is not registered is not there, and no other environment exists", async () => {
    const before = await endpointOf(ENDPOINT);
    expect(await ask("POST", "webhooks/test/resume")).toMatchObject({ status: 200, body: { status: "active" } });
    expect(await endpointOf(ENDPOINT)).toEqual(before);
    expect(await ask("POST", "webhooks/live/resume", undefined, keys.globex)).toMatchObject({ status: 404 });
    expect(await ask("POST", "webhooks/staging/resume")).toMatchObject({ status: 400, body: { details: { field: "webhook" } } });
  });
});

describe("a test event", () => {
  it.each(allEvents.map(({ name }) => name))("%s is its example, marked, signed and sent at once", async (name) => {
    const { status, body } = await test({ event: name });
    expect([status, body]).toEqual([
      200,
      { success: true, event: body.event, attempt: { number: 1, status: 200, error: null, answer: "taken" } },
    ]);
    const [sent] = received("own", body.event);
    const { id: _, created_at: __, ...fields } = allEvents.find((one) => one.name === name)?.example ?? {};
    // Each of the example's environments is that of the webhook, `test`.
    const example = JSON.parse(
      JSON.stringify(fields).replaceAll('"environment":"live"', '"environment":"test"').replaceAll("cs_live_", "cs_test_"),
    );
    const message = JSON.parse(sent?.body ?? "{}") as object;
    expect(message).toEqual({ id: body.event, created_at: expect.any(String), test_event: true, ...example });
    expect(example).toHaveProperty("environment", "test");
    const { standard } = await signDelivery(body.event, Number(sent?.headers["webhook-timestamp"]), sent?.body ?? "", [secret]);
    expect(sent?.headers["webhook-signature"]).toBe(standard);
  });

  it("that the receiver refuses says so, is not tried again, and does not count against the webhook", async () => {
    await control("/inbox/own", { status: 500, times: 1 });
    const { status, body } = await test();
    expect([status, body.success, body.attempt.status]).toEqual([200, false, 500]);
    expect(await deliveryOf(body.event)).toMatchObject({ state: "exhausted", attempts: 1 });
    expect(await endpointOf(ENDPOINT)).toMatchObject({ status: "active", failing_since: null });
  });

  it("reaches a suspended webhook, which stays suspended", async () => {
    await suspend("failing");
    expect((await test()).body).toMatchObject({ success: true, attempt: { status: 200 } });
    expect(await endpointOf(ENDPOINT)).toMatchObject({ status: "suspended" });
  });

  it.each(["operator", "partner_disabled"])("and a resend do not reach a webhook that others suspended (%s)", async (reason) => {
    await suspend(reason);
    const id = await recordPayment();
    const sent = world.state.inboxes.own?.received.length;
    expect(await test()).toMatchObject({
      status: 409,
      body: { error_code: "CONFLICT", error_message: expect.stringContaining("Support suspended") },
    });
    expect(await ask("POST", `deliveries/${id}/resend`)).toMatchObject({ status: 409, body: { error_code: "CONFLICT" } });
    expect(world.state.inboxes.own?.received.length).toBe(sent);
    expect(await deliveryOf(id)).toMatchObject({ state: "suspended", attempts: 0 });
  });

  it("that was refused is not restarted with what is exhausted, and is not counted as such", async () => {
    await control("/inbox/own", { status: 500, times: 1 });
    const { body } = await test();
    await updateRows(endpoints, { restarted_at: null }, { id: ENDPOINT });
    const since = new Date(Date.now() - MINUTE).toISOString();
    expect((await ask("POST", `deliveries/resend?environment=test&since=${since}`)).body).toMatchObject({ restarted: 0, left: 0 });
    expect(await deliveryOf(body.event)).toMatchObject({ state: "exhausted", attempts: 1 });
    const { body: shown } = await get("webhooks");
    expect(shown.data.find(({ environment }: { environment: string }) => environment === "test").undelivered.exhausted ?? 0).toBe(0);
  });

  it.each([
    ["GET", "/partner/payments?client_reference_id=order-1"],
    ["POST", "/partner/deliveries/resend?env=test"],
    ["GET", "/ops/payments?client_reference_id=order-1"],
    ["POST", `/ops/endpoints/${ENDPOINT}/send-again?since=2026-11-01&til=2026-11-02`],
  ])("%s %s is refused: a misspelt filter is not ignored", async (method, path) => {
    const headers = { "X-Partner-Api-Key": keys.acme, Authorization: "Bearer ops-local", "Content-Type": "application/json" };
    const answer = await send(path, { method, headers });
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(/client_reference_id|\benv\b|\btil\b/)]);
  });

  it("takes the names of a page also where it is a list that is always whole", async () => {
    expect((await get("webhooks?limit=10")).body).toMatchObject({ data: [{}], next: null });
    expect((await get("webhooks?limit=0")).status).toBe(400);
  });

  it("that others suspended the webhook of is refused, and nothing is left of it; nor does a refused resend change its event", async () => {
    await suspend("operator");
    const found = async () => [await countOf(auditLog, { action: "webhook.test" }), await countOf(events, { endpoint_id: ENDPOINT })];
    const before = await found();
    expect((await ask("POST", "webhooks/test/test", {})).status).toBe(409);
    expect(await found()).toEqual(before);
    const id = await recordPayment();
    await updateRows(events, { state: "no_endpoint" }, { id });
    expect((await ask("POST", `deliveries/${id}/resend`)).status).toBe(409);
    expect(await deliveryOf(id)).toMatchObject({ state: "no_endpoint", attempts: 0 });
  });

  it("without a webhook is only in the list", async () => {
    const { body } = await ask("POST", "webhooks/live/test", {}, keys.globex);
    expect(body).toEqual({ success: true, event: expect.stringMatching(/^evt_/), attempt: null });
    const { body: listed } = await get("deliveries?environment=live&state=no_endpoint&limit=1", keys.globex);
    expect(listed.data).toMatchObject([{ event: body.event, state: "no_endpoint" }]);
  });

  it("is audited by its own name", async () => {
    const { body } = await test();
    expect(await audited("webhook.test", body.event)).toEqual([{ actor: expect.stringMatching(/^holder of key_/), partner_id: "acme" }]);
  });

  it("is no payment: neither the figures nor the search for an order know it", async () => {
    const counted = () => cellDeps().db.all(countDeliveriesByDay(["acme"], { from: 0, to: Number.MAX_SAFE_INTEGER }));
    const before = await counted();
    await test({ event: "Processor.checkout.completed" });
    expect(await counted()).toEqual(before);
    const reference = allEvents.find(({ name }) => name === "Processor.checkout.completed")?.example.checkout as {
      client_reference_id: string;
    };
    const found = await send(`/ops/find?q=${reference.client_reference_id}`, { headers: { Authorization: "Bearer ops-local" } });
    expect(found.body.data).toEqual([]);
  });

  it("of an unknown kind is refused, and nothing is sent", async () => {
    const before = await rowsOf(events, {}, { columns: ["id"] });
    expect(await test({ event: "Processor.payment.lost" })).toMatchObject({ status: 400, body: { details: { field: "event" } } });
    expect(await rowsOf(events, {}, { columns: ["id"] })).toHaveLength(before.length);
  });
});

describe("deliveries", () => {
  it("are listed newest first, page by page, each once", async () => {
    const recorded = [await recordPayment({ now: 1_000 }), await recordPayment({ now: 2_000 }), await recordPayment({ now: 2_000 })];
    const found: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body } = await get(`deliveries?environment=test&until=1970-01-02&limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
      found.push(...body.data.map(({ event }: { event: string }) => event));
      cursor = body.next;
    }
    expect(found).toEqual([...recorded.slice(1).toSorted().toReversed(), recorded[0]]);
  });

  it("until a day are those to its end, and without an environment those of both", async () => {
    const id = await recordPayment({ now: 20 * 3_600_000 });
    const idsOf = async (query: string) => (await get(`deliveries?${query}`)).body.data.map(({ event }: { event: string }) => event);
    expect([await idsOf("until=1970-01-01"), await idsOf("until=1970-01-01T19:00:00Z")].map((all) => all.includes(id))).toEqual([
      true,
      false,
    ]);
    expect(await idsOf("environment=live&until=1970-01-01")).not.toContain(id);
  });

  it("are filtered by state, kind and time", async () => {
    const id = await recordPayment({ now: 5_000 });
    await updateRows(events, { state: "exhausted" }, { id });
    const listed = async (query: string) => {
      const { body } = await get(`deliveries?environment=test&until=1970-01-02&${query}`);
      return body.data.some(({ event }: { event: string }) => event === id);
    };
    expect(
      await Promise.all(
        ["state=exhausted", "state=succeeded", "event=Processor.payment.succeeded", "event=Processor.refund.failed"].map(listed),
      ),
    ).toEqual([true, false, true, false]);
    expect(await listed("since=1970-01-01T00:00:05Z")).toBe(true);
    expect(await listed("since=1970-01-01T00:00:06Z")).toBe(false);
  });

  it("are shown with every attempt, and with a request that verifies", async () => {
    const { body: sent } = await test();
    const { body } = await get(`deliveries/${sent.event}`);
    expect(body).toMatchObject({
      event: sent.event,
      state: "succeeded",
      attempts: 1,
      attempt_list: [{ number: 1, status: 200, manual: true }],
    });
    expect(body.request.url).toBe(`${SANDBOX}/inbox/own`);
    expect(JSON.parse(body.request.body)).toEqual(body.message);
    const { headers } = body.request;
    expect(headers["Service-Delivery-Attempt"]).toBe("2");
    const signed = await signDelivery(sent.event, Number(headers["webhook-timestamp"]), body.request.body, [secret]);
    expect([headers["webhook-signature"], headers["Service-Signature"]]).toEqual([signed.standard, signed.service]);
    expect(received("own", sent.event)).toHaveLength(1);
  });

  it("without a webhook are shown without headers", async () => {
    const id = await recordPayment({ partnerId: "globex", environment: "live" });
    const { body } = await get(`deliveries/${id}`, keys.globex);
    expect(body.request).toEqual({ url: null, headers: null, body: expect.stringContaining(id) });
    expect(await ask("POST", `deliveries/${id}/resend`, undefined, keys.globex)).toMatchObject({
      status: 409,
      body: { error_code: "CONFLICT" },
    });
  });

  it("are sent again under their own id, whatever their state", async () => {
    const id = await recordPayment();
    await updateRows(events, { state: "exhausted", attempts: 10 }, { id });
    expect(await ask("POST", `deliveries/${id}/resend`)).toMatchObject({ status: 200, body: { success: true, attempt: { number: 11 } } });
    expect(received("own", id)).toHaveLength(1);
    expect(await audited("delivery.resend", id)).toEqual([{ actor: expect.stringMatching(/^holder of key_/), partner_id: "acme" }]);
    await updateRows(events, { state: "sending", claimed_at: Date.now() }, { id });
    expect(await ask("POST", `deliveries/${id}/resend`)).toMatchObject({ status: 409 });
  });
});

describe("exhausted deliveries", () => {
  const restart = (query = "") => ask("POST", `deliveries/resend?environment=test${query}`);
  const exhausted = async (now: number) => {
    const id = await recordPayment({ now });
    await updateRows(events, { state: "exhausted", attempts: 10 }, { id });
    return id;
  };
  beforeEach(() => updateRows(endpoints, { restarted_at: null }, { id: ENDPOINT }));

  it("since a moment are restarted, and sent", async () => {
    const [early, late] = [await exhausted(1_000), await exhausted(10_000)];
    const { status, body } = await restart("&since=1970-01-01T00:00:10Z");
    expect([status, body.success, body.left]).toEqual([200, true, 0]);
    await until(async () => expect(await deliveryOf(late)).toMatchObject({ state: "succeeded", attempts: 11 }));
    expect(await deliveryOf(early)).toMatchObject({ state: "exhausted", attempts: 10 });
    expect(await audited("endpoint.restart_exhausted", ENDPOINT)).toEqual([
      { actor: expect.stringMatching(/^holder of key_/), partner_id: "acme" },
    ]);
    await updateRows(events, { state: "succeeded" }, { id: early });
  });

  it("are restarted once an hour: before, nothing happens", async () => {
    const at = Date.now();
    await updateRows(endpoints, { restarted_at: at - HOUR + MINUTE }, { id: ENDPOINT });
    const id = await exhausted(Date.now());
    expect(await restart()).toMatchObject({
      status: 409,
      body: { error_code: "CONFLICT", error_message: expect.stringContaining(new Date(at + MINUTE).toISOString()) },
    });
    expect(await deliveryOf(id)).toMatchObject({ state: "exhausted" });
    await updateRows(endpoints, { restarted_at: Date.now() - HOUR }, { id: ENDPOINT });
    expect((await restart()).status).toBe(200);
    await until(async () => expect(await deliveryOf(id)).toMatchObject({ state: "succeeded" }));
  });

  it("that are not there do not begin the hour", async () => {
    const since = new Date(Date.now() + HOUR).toISOString();
    expect((await restart(`&since=${since}`)).body).toEqual({ success: true, restarted: 0, left: 0 });
    expect(await endpointOf(ENDPOINT)).toMatchObject({ restarted_at: null });
  });

  it("of a suspended webhook stay, and the hour does not begin", async () => {
    await suspend("failing");
    expect(await restart()).toMatchObject({ status: 409, body: { error_message: expect.stringContaining("resume it first") } });
    expect(await endpointOf(ENDPOINT)).toMatchObject({ restarted_at: null });
    expect((await ask("POST", "deliveries/resend?environment=live", undefined, keys.globex)).status).toBe(404);
  });

  it("are restarted the oldest first, a thousand at a time", async () => {
    await suspend("operator");
    const insert = env.CELL_1.prepare(
      "INSERT INTO events (id, partner_id, environment, name, cause, payload, endpoint_id, state, next_attempt_at, created_at) VALUES (?1, 'acme', 'test', 'bulk', ?1, '{}', 'ep_acme_test', 'exhausted', 0, ?2)",
    );
    for (const begin of [0, 501])
      await env.CELL_1.batch(Array.from({ length: 501 }, (_, index) => insert.bind(`evt_bulk_${begin + index}`, begin + index)));
    // The statements alone: a sweep would send them.
    await updateRows(endpoints, { status: "active", suspension_reason: null, cooldown_until: Date.now() + HOUR }, { id: ENDPOINT });
    const { body } = await restart();
    expect([body.restarted, body.left]).toEqual([1_000, 2]);
    expect(await deliveryOf("evt_bulk_0")).toMatchObject({ state: "pending" });
    expect([await deliveryOf("evt_bulk_1000"), await deliveryOf("evt_bulk_1001")]).toMatchObject([
      { state: "exhausted" },
      { state: "exhausted" },
    ]);
    await env.CELL_1.prepare("DELETE FROM events WHERE id LIKE 'evt_bulk_%' -- by the test").run();
    await updateRows(endpoints, { cooldown_until: 0 }, { id: ENDPOINT });
  });
});

describe("what a partner has made", () => {
  /** All entries of a list, read one at a time. */
  async function all(list: string, key: string = keys.acme) {
    const found: any[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await get(`${list}?environment=test&limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`, key);
      found.push(...body.data);
      cursor = body.next;
    }
    return found;
  }

  it("links are listed, of carts and of products, newest first, without their checkout URLs", async () => {
    const [{ body: made }, { body: single }] = [await call(CART, cart()), await callV1(LINK, link())];
    const found = await all("links");
    const newest = new Set(found.slice(0, 2).map(({ payment_link_id }) => payment_link_id));
    expect(newest).toEqual(new Set([made.payment_link_id, single.processor_payment_link_id]));
    expect(found.find(({ payment_link_id }) => payment_link_id === made.payment_link_id)).toEqual({
      payment_link_id: made.payment_link_id,
      environment: "test",
      holder: "holder of key_a1",
      short_url: made.short_url,
      state: "open",
      source: "cart",
      mode: "one_time",
      currency: "USD",
      created_at: expect.any(String),
      disabled_at: null,
      completed_sessions: null,
      closes_at: null,
      closed_at: null,
      opened: 0,
      items: [
        { product_id: "prod_acmeTestUsd1", name: "acmeTestUsd1", quantity: 1, unit_amount: 1900 },
        { product_id: "prod_acmeTestUsd2", name: "acmeTestUsd2", quantity: 2, unit_amount: 2900 },
      ],
      amount: 77,
      interval: null,
      interval_count: null,
      sold: [],
      sold_orders: 0,
      last_sold_at: null,
    });
    expect(new Set(found.map(({ payment_link_id }) => payment_link_id)).size).toBe(found.length);
    expect(JSON.stringify(found)).not.toContain("checkout");
    expect((await all("links", keys.globex)).map(({ payment_link_id }) => payment_link_id)).not.toContain(made.payment_link_id);
  });

  it("promotion codes are listed", async () => {
    const { body } = await callV1(CODE, promotion());
    expect((await all("promotion-codes"))[0]).toMatchObject({
      promotion_code_id: body.stripe_promotion_code_id,
      code: body.code,
      product_ids: body.stripe_product_ids,
      percent_off: body.percent_off,
      deactivated_at: null,
    });
    expect(await all("promotion-codes", keys.globex)).toEqual([]);
  });

  it("ruble payments are listed with their status and your order number, without their payment URLs", async () => {
    const { body } = await call(BANK, bankCart({ external_order_id: "order-of-list" }));
    const [newest] = await all("bank-payments");
    expect(newest).toEqual({
      environment: "test",
      holder: "holder of key_a1",
      receipts: [],
      payment_id: body.payment_id,
      order_id: body.order_id,
      external_order_id: "order-of-list",
      status: "NEW",
      amount_rub: body.amount_rub,
      amount_kopecks: body.amount_kopecks,
      created_at: expect.any(String),
      paid_at: null,
      payable_until: new Date(Date.parse(newest.created_at) + 24 * 3_600_000).toISOString(),
    });
    expect(await all("bank-payments", keys.globex)).toEqual([]);
  });

  it("a ruble payment says where it is paid until it is paid or its time is over, to whom may make one", async () => {
    const { body } = await call(BANK, bankCart({ external_order_id: "order-to-pay" }));
    const payLink = (order: string, key: string = keys.acme) => get(`bank-payments/${order}/pay-link`, key);
    const { order_id, payment_url, sbp_url } = body;
    expect((await payLink(order_id)).body).toEqual({ order_id, payment_url, sbp_url, payable_until: expect.stringMatching(/Z$/) });
    expect((await payLink(order_id, keys.globex)).status).toBe(404);
    expect((await payLink(order_id, keyFor("balance_view"))).status).toBe(403);
    expect((await payLink("01none")).status).toBe(404);
    pass(24 * HOUR);
    expect([(await payLink(order_id)).status, (await all("bank-payments"))[0]?.payable_until]).toEqual([409, null]);
    realTime();
    await control("/bank/pay", { order_id });
    await until(async () => expect((await payLink(order_id)).status).toBe(409));
    expect((await payLink(order_id)).body.error_message).toMatch(/^It can no longer be paid: it is CONFIRMED/);
    expect((await all("bank-payments")).find((one) => one.order_id === order_id)?.payable_until).toBeNull();
  });
});

it("products are listed with their moderation, without what only the service knows", async () => {
  const { body } = await get("products?limit=100");
  expect(body.data).toContainEqual(
    expect.objectContaining({
      kind: "card",
      id: "prod_acmeTestUsd1",
      environment: "test",
      amount: 19,
      currency: "USD",
      moderation: "approved",
    }),
  );
  expect(body.data).toContainEqual(expect.objectContaining({ kind: "ruble", id: "1001", environment: null }));
  expect(Object.keys(body.data[0])).not.toContain("terminal");
});

it("an agent's access is listed, and ended by an owner", async () => {
  const { access } = await signIn({ permissions: ["balance_view"] });
  const works = async () => (await callTool(LIST, { environment: "test" }, { Authorization: `Bearer ${access}` })).status;
  expect(await works()).toBe(200);
  const { body } = await get("agents?limit=100");
  const open = body.data.filter(({ revoked_at }: { revoked_at: string | null }) => revoked_at === null);
  for (const { grant_id } of open) expect((await ask("POST", `agents/${grant_id}/revoke`)).body.revoked_at).toEqual(expect.any(String));
  expect(await works()).toBe(401);
});

it("figures are of as many days as asked for, up to today", async () => {
  const { body } = await get("figures?environment=test&days=7");
  expect(body.days).toHaveLength(7);
  expect(body.days.at(-1).day).toBe(new Date().toISOString().slice(0, 10));
  const { body: both } = await get("figures");
  expect([both.environment, both.days.length]).toEqual([null, 60]);
  expect(both.days.slice(-2)).toMatchObject([{ environment: "live" }, { environment: "test" }]);
  expect((await get("figures?environment=test")).body.days).toHaveLength(30);
  expect(await get("figures?days=31")).toMatchObject({ status: 400, body: { details: { field: "days" } } });
});

it("another method is refused with those that there are, and another address as everywhere", async () => {
  const answer = await ask("PUT", "webhooks/test/resume");
  expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "POST"]);
  expect((await get("nothing")).status).toBe(404);
});
