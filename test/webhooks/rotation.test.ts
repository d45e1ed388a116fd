import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { endpointSecrets } from "../../src/db/schema/index.ts";
import { resendEvent } from "../../src/webhooks/admin/resend.ts";
import { attemptDelivery } from "../../src/webhooks/delivery/deliver.ts";
import { signDelivery } from "../../src/webhooks/delivery/signature.ts";
import { ANNA } from "../support/actor.ts";
import { call, keyFor, keys, REGISTER, ROTATE } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { received, recordPayment } from "../support/deliveries.ts";
import { DAY, pass, SECOND } from "../support/later.ts";
import { aroundEffects, objectAtWork, resetEffects } from "../support/observe.ts";
import { SANDBOX } from "../support/stack.ts";
import { rowsOf } from "../support/tables.ts";

const deps = cellDeps();
const test_url = `${SANDBOX}/inbox/rotation`;
const live_url = "https://shop.example/rotation";

beforeAll(() => call(REGISTER, { test_url, live_url }));
afterEach(() => vi.useRealTimers());

const token = () => crypto.randomUUID();
const rotate = (body: object, key: string = keys.acme) => call(ROTATE, { environment: "test", client_token: token(), ...body }, key);
const secretNow = async (key?: string) => (await call(REGISTER, { test_url }, key)).body.registered[0].signing_secret as string;
const stored = async (endpoint = "ep_acme_test") =>
  await rowsOf(endpointSecrets, { endpoint_id: endpoint }, { columns: ["id", "encrypted", "expires_at"] });

/** The signature of a delivery that is made now, and those that each of these secrets would give. */
async function signatures(...secrets: string[]): Promise<{ given: string[]; right: string[] }> {
  const id = await recordPayment();
  await attemptDelivery(deps, id);
  const [came] = received("rotation", id);
  const timestamp = Number(came?.headers["service-timestamp"]);
  const right = await Promise.all(secrets.map(async (secret) => (await signDelivery(id, timestamp, came?.body ?? "", [secret])).service));
  return { given: (came?.headers["service-signature"] ?? "").split(" "), right };
}

describe("the state of a signing secret", () => {
  // interface W.4, 10.4, 11.2
  it("current, rotated with a new token: a new one, and the old one signs too for seven days, in that order", async () => {
    const old = await secretNow();
    const before = Date.now();
    const { status, body } = await rotate({});
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        environment: "test",
        rotated: true,
        secret_status: "issued",
        signing_secret: expect.stringMatching(/^whsec_test_[0-9a-f]{64}$/),
        previous_valid_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    ]);
    expect(body.signing_secret).not.toBe(old);
    const validFor = Date.parse(body.previous_valid_until) - before;
    expect(validFor).toBeGreaterThanOrEqual(7 * DAY);
    expect(validFor).toBeLessThan(7 * DAY + 30 * SECOND);
    expect(await secretNow()).toBe(body.signing_secret);
    const both = await signatures(body.signing_secret, old);
    expect(both.given).toEqual(both.right);
  });

  // interface T.3, 11.3
  it("current, rotated with a used token: unchanged, and the current secret is returned", async () => {
    const client_token = token();
    const first = (await rotate({ client_token })).body;
    const again = (await rotate({ client_token })).body;
    expect(again).toEqual({ ...first, rotated: false, secret_status: "returned" });
    expect(await stored()).toHaveLength(2);
  });

  // interface 11.3
  it("a used token gives the secret that is current by now, when another has been made since", async () => {
    const client_token = token();
    await rotate({ client_token });
    const second = (await rotate({})).body;
    expect((await rotate({ client_token })).body).toEqual({ ...second, rotated: false, secret_status: "returned" });
  });

  // interface W.4, 11.4
  it("previous, when its time is over: only the current one signs, and the old one is forgotten", async () => {
    const old = await secretNow();
    const { body } = await rotate({});
    const until = Date.parse(body.previous_valid_until);
    pass(until - Date.now() - 5 * SECOND);
    const before = await signatures(body.signing_secret, old);
    expect(before.given).toEqual(before.right);
    pass(until - Date.now());
    const after = await signatures(body.signing_secret);
    expect(after.given).toEqual(after.right);
    await cron.sweep("deliveries");
    expect(await stored()).toMatchObject([{ expires_at: null }]);
    expect(await secretNow()).toBe(body.signing_secret);
  });

  it("previous, when it is rotated again: the older one is dropped at once", async () => {
    const oldest = await secretNow();
    const middle = (await rotate({})).body.signing_secret;
    const { signing_secret, previous_valid_until } = (await rotate({})).body;
    const { given, right } = await signatures(signing_secret, middle, oldest);
    expect(given).toEqual(right.slice(0, 2));
    expect(Date.parse(previous_valid_until)).toBeGreaterThan(Date.now() + 6 * DAY);
  });

  // interface 11.1
  it("none: there is nothing to rotate, and the token is as it was once there is", async () => {
    const client_token = token();
    const refused = await rotate({ client_token }, keys.globex);
    expect(refused.body).toMatchObject({ success: false, error_code: "INVALID_INPUT", details: { field: "environment" } });
    expect(refused.body.error_message).toContain("register");
    await call(REGISTER, { test_url: "https://globex.example/hook" }, keys.globex);
    expect((await rotate({ client_token }, keys.globex)).body).toMatchObject({ success: true, rotated: true });
  });
});

describe("a rotation", () => {
  it("is of one environment, and leaves the other alone", async () => {
    const live = await stored("ep_acme_live");
    await rotate({});
    expect(await stored("ep_acme_live")).toEqual(live);
    const test = await stored();
    const { body } = await rotate({ environment: "live" });
    expect(body).toMatchObject({ environment: "live", signing_secret: expect.stringMatching(/^whsec_live_[0-9a-f]{64}$/) });
    expect(await stored()).toEqual(test);
  });

  // interface E.7, T.4
  it("of another environment under the same token is another payload, registered or not", async () => {
    const client_token = token();
    await rotate({ client_token });
    const other = await rotate({ client_token, environment: "live" });
    expect(other.body).toMatchObject({ success: false, error_code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD" });
    await call(REGISTER, { test_url: "https://globex.example/hook" }, keys.globex);
    const ofGlobex = token();
    await rotate({ client_token: ofGlobex }, keys.globex);
    const unregistered = await rotate({ client_token: ofGlobex, environment: "live" }, keys.globex);
    expect(unregistered.body).toMatchObject({ error_code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD" });
  });

  // interface 11.2
  it("asked for many times at once under one token is made once", async () => {
    const client_token = token();
    const before = await secretNow();
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate({ client_token })));
    const made = answers.filter(({ body }) => body.rotated === true);
    expect(made).toHaveLength(1);
    const kinds = new Set(answers.map(({ body }) => body.error_code ?? body.secret_status));
    expect([...kinds].every((kind) => ["issued", "returned", "OPERATION_IN_PROGRESS"].includes(kind))).toBe(true);
    const { given, right } = await signatures(made[0]?.body.signing_secret, before);
    expect(given).toEqual(right);
  });

  // interface E.8, T.2
  it("that is asked for again while it is being made is refused", async () => {
    const client_token = token();
    let trips = 0;
    let second: unknown;
    aroundEffects(async (effect, perform) => {
      if (effect !== "d1" || !objectAtWork()) return perform();
      trips += 1;
      // The record is open, and what completes it is about to be written.
      if (trips === 2) second = (await rotate({ client_token })).body;
      return perform();
    });
    expect((await rotate({ client_token })).body).toMatchObject({ success: true, rotated: true });
    resetEffects();
    expect(second).toMatchObject({ success: false, error_code: "OPERATION_IN_PROGRESS" });
  });

  it("under many tokens at once is made as often, and leaves one current secret and one before it", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate({})));
    const issued = answers.filter(({ body }) => body.rotated === true).map(({ body }) => body.signing_secret);
    // Each answers the secret that it made; one whose secret later rotations have replaced says so.
    expect(issued.length).toBeGreaterThan(0);
    expect(new Set(issued).size).toBe(issued.length);
    for (const { body } of answers) expect(body.secret_status).toBe(body.rotated ? "issued" : "returned");
    const secrets = await stored();
    expect(secrets.filter(({ expires_at }) => expires_at === null)).toHaveLength(1);
    expect(secrets).toHaveLength(2);
  });

  // interface 11.2
  it("that two others overtake before it is answered says that its secret is over, and returns the current one", async () => {
    let trips = 0;
    let last: Record<string, unknown> = {};
    aroundEffects(async (effect, perform) => {
      const done = await perform();
      if (effect !== "d1" || !objectAtWork()) return done;
      trips += 1;
      // The rotation has just been stored; its secret is read next.
      if (trips === 2) {
        await rotate({});
        last = (await rotate({})).body;
      }
      return done;
    });
    const { body } = await rotate({});
    resetEffects();
    expect(body).toEqual({ ...last, rotated: false, secret_status: "returned" });
  });

  it("that runs beside another gets its own secret, and both sign", async () => {
    const answers = await Promise.all([rotate({}), rotate({})]);
    const made = answers.map(({ body }) => body.signing_secret as string);
    expect(new Set(made).size).toBe(2);
    const { given, right } = await signatures(...made);
    expect(given.toSorted()).toEqual(right.toSorted());
  });

  it("signs what is sent again manually, though it happened before", async () => {
    const id = await recordPayment();
    const { signing_secret } = (await rotate({})).body;
    await resendEvent(deps, id, ANNA);
    const [came] = received("rotation", id);
    const [first] = (came?.headers["service-signature"] ?? "").split(" ");
    const { service } = await signDelivery(id, Number(came?.headers["service-timestamp"]), came?.body ?? "", [signing_secret]);
    expect(first).toBe(service);
  });

  // interface K.7, T.7
  it("belongs to its partner alone, under the very same token", async () => {
    await call(REGISTER, { test_url: "https://globex.example/hook" }, keys.globex);
    const client_token = token();
    const acme = (await rotate({ client_token })).body;
    const globex = (await rotate({ client_token }, keys.globex)).body;
    expect(globex).toMatchObject({ success: true, rotated: true });
    expect(globex.signing_secret).not.toBe(acme.signing_secret);
  });

  it("needs webhook_config, and no more", async () => {
    expect((await rotate({}, keyFor("webhook_config"))).body.success).toBe(true);
    expect((await rotate({}, keyFor("product_create"))).body.error_code).toBe("PERMISSION_DENIED");
  });

  // interface 11.1
  it.each([
    [{ environment: undefined }, "environment"],
    [{ environment: "production" }, "environment"],
    [{ environment: "LIVE" }, "environment"],
    [{ client_token: undefined }, "client_token"],
    [{ client_token: "" }, "client_token"],
    [{ client_token: "x".repeat(256) }, "client_token"],
    [{ client_token: "ключ" }, "client_token"],
    [{ client_token: 7 }, "client_token"],
    // interface T.7
  ])("refuses %j and changes nothing", async (body, field) => {
    const before = await stored();
    const refused = await rotate(body);
    expect(refused.body).toMatchObject({ success: false, error_code: "INVALID_INPUT", details: { field } });
    expect(refused.body.error_message).not.toContain("Invalid input");
    expect(await stored()).toEqual(before);
  });

  // interface T.7
  it("takes a token of 255 characters", async () => {
    expect((await rotate({ client_token: `${token()}${"x".repeat(219)}` })).body.rotated).toBe(true);
  });
});

it("no secret lies anywhere in the clear: not in its row, and not in an idempotency record", async () => {
  const { signing_secret } = (await rotate({})).body;
  const first = (await call(REGISTER, { test_url, client_token: token() })).body.registered[0];
  expect(first.signing_secret).toBe(signing_secret);
  const tables = ["endpoint_secrets", "idempotency_records", "endpoints", "audit_log"];
  const everything = await Promise.all(
    tables.map(async (table) => JSON.stringify((await env.CELL_1.prepare(`SELECT * FROM ${table}`).all()).results)),
  );
  for (const rows of everything) {
    expect(rows).not.toContain(signing_secret);
    expect(rows).not.toContain("whsec_");
  }
  for (const { encrypted } of await stored()) expect(encrypted).toMatch(/^[a-z0-9-]+\.[A-Za-z0-9+/=]+\.[A-Za-z0-9+/=]+$/);
});
