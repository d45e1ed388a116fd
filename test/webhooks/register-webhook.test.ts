import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { endpoints } from "../../src/db/schema/index.ts";
import { call, keyFor, keys, REGISTER } from "../support/api.ts";
import { fieldOf, rowsOf } from "../support/tables.ts";

const live_url = "https://shop.example/live";
const test_url = "http://shop.example/test";

describe("registering", () => {
  // interface T.8, 10.3, 10.4
  it("issues a secret per environment, and returns the same ones afterwards", async () => {
    const first = await call(REGISTER, { live_url, test_url });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      success: true,
      registered: [
        {
          environment: "live",
          webhook_url: live_url,
          secret_status: "issued",
          signing_secret: expect.stringMatching(/^whsec_live_[0-9a-f]{64}$/),
        },
        {
          environment: "test",
          webhook_url: test_url,
          secret_status: "issued",
          signing_secret: expect.stringMatching(/^whsec_test_[0-9a-f]{64}$/),
        },
      ],
    });
    const [live, test] = first.body.registered;
    const again = await call(REGISTER, { live_url, test_url });
    expect(again.body.registered).toEqual([
      { ...live, secret_status: "returned" },
      { ...test, secret_status: "returned" },
    ]);
    const one = await call(REGISTER, { test_url }, keyFor("webhook_config"));
    expect(one.body.registered).toEqual([{ ...test, secret_status: "returned" }]);
  });

  // interface T.8, 10.3
  it("moves the endpoint and keeps its secret, there and back", async () => {
    const secret = (await call(REGISTER, { live_url })).body.registered[0].signing_secret;
    const url = () => fieldOf(endpoints, "url", { id: "ep_acme_live" });
    for (const next of ["https://shop.example/moved", live_url]) {
      const { body } = await call(REGISTER, { live_url: next });
      expect(body.registered).toEqual([{ environment: "live", webhook_url: next, secret_status: "returned", signing_secret: secret }]);
      expect(await url()).toBe(next);
    }
  });

  // interface K.7
  it("keeps partners apart", async () => {
    const acme = (await call(REGISTER, { live_url })).body.registered[0];
    const globex = (await call(REGISTER, { live_url }, keys.globex)).body.registered[0];
    expect(globex.signing_secret).not.toBe(acme.signing_secret);
    const rows = await rowsOf(endpoints, { url: live_url }, { columns: ["partner_id"] });
    expect(rows).toEqual(expect.arrayContaining([{ partner_id: "acme" }, { partner_id: "globex" }]));
  });

  it("makes one secret of many requests at once", async () => {
    await env.CELL_1.exec("DELETE FROM endpoint_secrets WHERE endpoint_id = 'ep_globex_test'");
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(REGISTER, { test_url }, keys.globex)));
    const registered = answers.map(({ body }) => body.registered[0]);
    expect(new Set(registered.map(({ signing_secret }) => signing_secret)).size).toBe(1);
    expect(registered.filter(({ secret_status }) => secret_status === "issued")).toHaveLength(1);
  });
});

describe("with a client_token", () => {
  // interface T.3
  it("replays, with the current secret and without moving the endpoint again", async () => {
    const body = { live_url: "https://shop.example/token", client_token: crypto.randomUUID() };
    const first = await call(REGISTER, body);
    await call(REGISTER, { live_url });
    const again = await call(REGISTER, body);
    expect(again.body.registered).toEqual([{ ...first.body.registered[0], secret_status: "returned" }]);
    expect(await fieldOf(endpoints, "url", { id: "ep_acme_live" })).toBe(live_url);
  });

  // interface E.7, T.4
  it("refuses the token for another URL", async () => {
    const client_token = crypto.randomUUID();
    await call(REGISTER, { live_url, client_token });
    expect((await call(REGISTER, { live_url: "https://shop.example/other", client_token })).body).toMatchObject({
      error_code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD",
    });
    expect((await call(REGISTER, { live_url, test_url, client_token })).body).toMatchObject({
      error_code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD",
    });
  });

  it("gives every concurrent request the result: this operation knows no `in progress`", async () => {
    const body = { live_url: "https://shop.example/concurrent", client_token: crypto.randomUUID() };
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(REGISTER, body)));
    expect(answers.every((answer) => answer.body.success === true)).toBe(true);
  });
});

// interface 10.1, 10.2
describe("refused", () => {
  it.each<[string, object]>([
    ["live_url", {}],
    ["live_url", { live_url: "http://shop.example/" }],
    ["live_url", { live_url: "https://localhost/hook" }],
    ["live_url", { live_url: "https://printer.local/hook" }],
    ["live_url", { live_url: "https://127.0.0.1/" }],
    ["live_url", { live_url: `https://shop.example/${"a".repeat(2048)}` }],
    ["live_url", { live_url: "" }],
    ["live_url", { live_url: null }],
    ["live_url", { live_url: ["https://shop.example/"] }],
    ["test_url", { test_url: "ftp://shop.example/" }],
    ["test_url", { live_url, test_url: "shop.example" }],
    ["client_token", { live_url, client_token: "" }],
  ])("with %s named, and nothing changed: %j", async (field, body) => {
    const rows = () =>
      env.CELL_1.prepare(
        "SELECT (SELECT count(*) FROM idempotency_records) AS records, (SELECT json_group_array(url) FROM endpoints) AS urls",
      ).first();
    const before = await rows();
    expect((await call(REGISTER, body)).body).toEqual({
      success: false,
      error_code: "INVALID_INPUT",
      error_message: expect.stringMatching(/.{10}/),
      details: { field },
    });
    expect(await rows()).toEqual(before);
  });
});
