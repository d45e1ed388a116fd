import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { Successors } from "../../src/grants/successors.ts";
import { agentTools } from "../../src/http/mcp/tools.ts";
import { OFFERED } from "../../src/http/oauth/server.ts";
import {
  BANK,
  bankCart,
  CART,
  CODE,
  call,
  cart,
  keys,
  LIST,
  LIVE_LINKS,
  PAYMENT,
  promotion,
  REGISTER,
  ROTATE,
  send,
} from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { DAY, MINUTE, pass, realTime } from "../support/later.ts";
import { loggedBy } from "../support/logged.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { pay, quiet } from "../support/payments.ts";
import { allow, authorizeAddress, bearer, callTool, exchange, RESOURCE, register, signIn, tokens } from "../support/sign-in.ts";
import { objects } from "../support/stack.ts";
import { until } from "../support/until.ts";

afterEach(realTime);

const list = (token: string) => callTool(LIST, { environment: "test" }, bearer(token));
const works = async (token: string) => (await list(token)).status === 200;
const refresh = (clientId: string, token: string, overrides: Record<string, string> = {}) =>
  tokens({ grant_type: "refresh_token", refresh_token: token, client_id: clientId, ...overrides });
const newestGrant = async () =>
  ((await ops("partners/acme/grants?limit=100")).body.data as any[]).toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))[0];

describe("what says how to sign in", () => {
  it("is found from the address of the tools", async () => {
    for (const path of ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"]) {
      expect((await send(path)).body).toMatchObject({ resource: RESOURCE, authorization_servers: ["http://localhost:8787"] });
    }
    expect((await send("/.well-known/oauth-authorization-server")).body).toMatchObject({
      issuer: "http://localhost:8787",
      authorization_endpoint: "http://localhost:8787/oauth/authorize",
      token_endpoint: "http://localhost:8787/oauth/token",
      registration_endpoint: "http://localhost:8787/oauth/register",
      code_challenge_methods_supported: ["S256"],
      response_types_supported: ["code"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });

  it("is asked for by hosts in a browser", async () => {
    const headers = {
      Origin: "https://host.example",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type",
    };
    for (const path of [
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/oauth-authorization-server",
      "/oauth/token",
      "/oauth/register",
    ]) {
      const { status, headers: answered } = await send(path, { method: "OPTIONS", headers });
      expect([path, status, answered.get("Access-Control-Allow-Origin")]).toEqual([
        path,
        204,
        expect.stringMatching(/^\*$|^https:\/\/host\.example$/),
      ]);
    }
  });

  it("comes with the first request already, at the address for hosts that wait for it", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const init = {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
      body: JSON.stringify(message),
    };
    const { status, headers } = await send("/mcp?sign_in=1", init);
    expect([status, headers.get("WWW-Authenticate")]).toEqual([401, expect.stringContaining("oauth-protected-resource/mcp")]);
    expect((await send("/mcp?sign_in=1", { ...init, headers: { ...init.headers, "X-Partner-Api-Key": keys.acme } })).status).toBe(200);
    expect((await send("/mcp", init)).status).toBe(200);
  });

  it("comes with the error of a call without key and token, and with no other", async () => {
    const without = await callTool(CART, cart(), {});
    expect([without.status, without.headers.get("WWW-Authenticate")]).toEqual([
      401,
      'Bearer realm="partner-payments", resource_metadata="http://localhost:8787/.well-known/oauth-protected-resource/mcp"',
    ]);
    expect(without.body.result).toMatchObject({ isError: true, structuredContent: { success: false, error_code: "AUTH_REQUIRED" } });
    const wrongKey = await callTool(CART, cart(), { "X-Partner-Api-Key": keys.revoked });
    expect([wrongKey.status, wrongKey.headers.get("WWW-Authenticate")]).toEqual([200, null]);
    const keyAsToken = await callTool(CART, cart(), bearer(keys.acme));
    expect([keyAsToken.status, keyAsToken.body.result.structuredContent.error_message]).toEqual([
      401,
      expect.stringContaining("Authorization: Bearer is not read"),
    ]);
  });
});

describe("what can be given", () => {
  it("is what the tools need, and nothing else", () => {
    const needed = new Set(agentTools.flatMap(({ operation }) => operation.permission ?? []));
    expect(Object.keys(OFFERED).toSorted()).toEqual([...needed].toSorted());
  });
});

describe("a token", () => {
  it("does what was ticked, for the partner of the key", async () => {
    const { access } = await signIn({ permissions: ["product_create", "balance_view"] });
    const made = await callTool(CART, cart(), bearer(access));
    expect(made.body.result.structuredContent).toMatchObject({ success: true, short_url: expect.any(String) });
    expect(await works(access)).toBe(true);
  });

  it("does not do what was not ticked, with the operation's own error", async () => {
    const { access } = await signIn({ permissions: ["balance_view"] });
    const { status, body } = await callTool(CART, cart(), bearer(access));
    expect([status, body.result.structuredContent]).toEqual([
      200,
      { success: false, error_code: "PERMISSION_DENIED", error_message: "This agent was not given the permission product_create." },
    ]);
  });

  it("loses what its key loses", async () => {
    const { key, key_id } = (await change("partners/acme/keys", { label: "less", permissions: ["balance_view", "products_view"] })).body;
    const { access } = await signIn({ key, permissions: ["balance_view", "products_view"] });
    await change(`keys/${key_id}/permissions`, { permissions: ["products_view"] }, "PUT");
    expect((await list(access)).body.result.structuredContent).toMatchObject({ error_code: "PERMISSION_DENIED" });
  });

  it("is not read where a key is sent, which counts alone", async () => {
    const { access } = await signIn({ permissions: ["balance_view"] });
    const both = await callTool(CART, cart(), { ...bearer(access), "X-Partner-Api-Key": keys.acme });
    expect(both.body.result.structuredContent).toMatchObject({ success: true });
    const wrong = await callTool(LIST, {}, { ...bearer(access), "X-Partner-Api-Key": keys.revoked });
    expect(wrong.body.result.structuredContent).toMatchObject({ error_code: "INVALID_API_KEY" });
  });

  it("opens nothing but the tools", async () => {
    const { access } = await signIn();
    const headers = { ...bearer(access), "Content-Type": "application/json" };
    expect((await send(`/${LIST}`, { method: "POST", headers, body: "{}" })).body).toMatchObject({ error_code: "INVALID_API_KEY" });
    expect((await send("/ops/partners", { headers })).status).toBe(401);
  });

  const everything = ["product_create", "balance_view", "products_view", "bank_payment", "webhook_config"];
  const refusedFor = (name: string, environment: string) => {
    const message = `This agent only has access to the other environment, not to ${environment}.`;
    return { success: false, error_code: name === CODE ? "forbidden" : "PERMISSION_DENIED", error_message: message };
  };
  const live: [string, object][] = [
    [CART, { items: [{ stripe_product_id: "prod_acmeLiveUsd1", unit_amount: 1900, quantity: 1 }], client_token: "live-by-agent" }],
    [CODE, promotion({ stripe_product_ids: ["prod_acmeLiveUsd1"] })],
    [BANK, bankCart({ environment: "live" })],
    [BANK, bankCart({ environment: undefined })],
    [LIST, { environment: "live" }],
    [LIST, {}],
    [LIVE_LINKS, {}],
    [REGISTER, { live_url: "https://receiver.example/hook" }],
    [REGISTER, { live_url: "https://receiver.example/hook", test_url: "https://receiver.example/hook" }],
    [ROTATE, { environment: "live", client_token: crypto.randomUUID() }],
  ];

  it.each(live)("for test alone cannot do with live money: %s", async (name, body) => {
    const made = async () => Promise.all(["payment_links", "coupons", "promotion_codes"].map(async (kind) => (await objects(kind)).length));
    const before = await made();
    const { access } = await signIn({ permissions: everything, environment: "test" });
    expect((await callTool(name, body, bearer(access))).body.result.structuredContent).toEqual(refusedFor(name, "live"));
    expect(await made()).toEqual(before);
  });

  it.each<[string, object]>([
    [CART, cart()],
    [CODE, promotion()],
    [BANK, bankCart()],
    [LIST, { environment: "test" }],
    [REGISTER, { test_url: "https://receiver.example/hook" }],
    [ROTATE, { environment: "test", client_token: crypto.randomUUID() }],
  ])("for live alone cannot do with test money: %s", async (name, body) => {
    const { access } = await signIn({ permissions: everything, environment: "live" });
    expect((await callTool(name, body, bearer(access))).body.result.structuredContent).toEqual(refusedFor(name, "test"));
  });

  it("for one environment is shown what is sold in both, such as ruble products, and nothing of the other", async () => {
    for (const environment of ["live", "test"] as const) {
      const { access } = await signIn({ permissions: everything, environment });
      const { structuredContent } = (await callTool("list-partner-products", { limit: 100 }, bearer(access))).body.result;
      const found = new Set(structuredContent.data.map((one: { environment: string | null }) => one.environment));
      expect([environment, found]).toEqual([environment, new Set([environment, null])]);
      // It is not told how many there are of the other.
      const { body } = await send(`/partner/products?environment=${environment}`, { headers: { "X-Partner-Api-Key": keys.acme } });
      expect(structuredContent.count).toBe(body.count);
    }
  });

  it("for one environment gets no repeat of an order in the other", async () => {
    const order = {
      items: [{ stripe_product_id: "prod_acmeLiveUsd1", unit_amount: 2100, quantity: 1 }],
      client_token: crypto.randomUUID(),
    };
    expect((await call(CART, order)).body.success).toBe(true);
    const { access } = await signIn({ permissions: everything, environment: "test" });
    expect((await callTool(CART, order, bearer(access))).body.result.structuredContent).toMatchObject({ error_code: "PERMISSION_DENIED" });
  });

  it("for both does both", async () => {
    const { access } = await signIn({ permissions: everything, environment: "both" });
    for (const [name, body] of [
      [LIST, {}],
      [LIVE_LINKS, {}],
    ] as const)
      expect((await callTool(name, body, bearer(access))).body.result.structuredContent).toMatchObject({ success: true });
  });

  it("for one environment does not see a payment of the other", async () => {
    const { payment_intent: payment_intent_id } = await pay(["TestUsd1"]);
    await quiet();
    const seen = async (environment: string) => {
      const { access } = await signIn({ permissions: ["balance_view"], environment });
      return (await callTool(PAYMENT, { payment_intent_id }, bearer(access))).body.result.structuredContent;
    };
    await until(async () => expect(await seen("test")).toMatchObject({ success: true, count: 1 }));
    expect(await seen("live")).toEqual(refusedFor(PAYMENT, "test"));
  });

  it("sees a missing payment as everybody does", async () => {
    const { access } = await signIn();
    expect((await callTool(PAYMENT, { payment_intent_id: "pi_none" }, bearer(access))).body.result.structuredContent).toMatchObject({
      error_code: "PAYMENT_NOT_FOUND",
    });
  });

  it.each(["nonsense", "a:b:c", "key_a1:grant:secret", "a:b:c:d", "%00", "x".repeat(5_000)])(
    "that is none gets 401, whatever is asked: %s",
    async (token) => {
      for (const answer of [
        await list(token),
        await send("/mcp", {
          method: "POST",
          headers: { ...bearer(token), "Content-Type": "application/json" },
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        }),
      ]) {
        expect([answer.status, answer.headers.get("WWW-Authenticate")]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
        expect(answer.body).toMatchObject({ error: { message: "The token is invalid or has expired. Sign in again." } });
      }
    },
  );

  it("ends after a quarter of an hour, and a new one is given for the refresh token", async () => {
    const { clientId, access, refresh: first } = await signIn();
    pass(limits.grant.tokenMinutes * MINUTE + 1_000);
    expect(await works(access)).toBe(false);
    const { status, body } = await refresh(clientId, first);
    expect([status, body.expires_in]).toEqual([200, 900]);
    expect(await works(body.access_token)).toBe(true);
  });

  it("says in the log by which grant it was used, each time", async () => {
    const { access } = await signIn({ permissions: ["balance_view"] });
    const { grant_id } = await newestGrant();
    const lines = await loggedBy(() => list(access));
    expect(lines.filter((line) => line.includes(`"grant":"${grant_id}"`) && line.includes(LIST))).toHaveLength(1);
    expect(lines.join()).not.toContain(access);
  });
});

describe("a grant ends", () => {
  it("with its key, from the next request on", async () => {
    const { key, key_id } = (await change("partners/acme/keys", { label: "agent", permissions: ["balance_view"] })).body;
    const { clientId, access, refresh: again } = await signIn({ key, permissions: ["balance_view"] });
    expect(await works(access)).toBe(true);
    await change(`keys/${key_id}/revoke`);
    expect(await works(access)).toBe(false);
    expect((await refresh(clientId, again)).body).toMatchObject({ error: "invalid_grant" });
  });

  it("with its partner, and is there again with it, also where it was refreshed in between", async () => {
    const { clientId, access, refresh: again } = await signIn();
    const { grant_id } = await newestGrant();
    await change("partners/acme/disable");
    expect(await works(access)).toBe(false);
    expect(await refresh(clientId, again)).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
    await change("partners/acme/enable");
    // So does a repeat of a refresh that was answered before.
    const answered = (await refresh(clientId, again)).body;
    await change("partners/acme/disable");
    expect(await refresh(clientId, again)).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
    await change("partners/acme/enable");
    expect(await works(answered.access_token)).toBe(true);
    expect(await works(access)).toBe(true);
    expect(await works((await refresh(clientId, again)).body.access_token)).toBe(true);
    expect(await newestGrant()).toMatchObject({ grant_id, revoked_at: null });
  });

  it("with the person whose key it was", async () => {
    const { id } = (await change("partners/acme/employees", { name: "Ann" })).body;
    const { key } = (await change("partners/acme/keys", { label: "Ann's", permissions: ["balance_view"], employee_id: id })).body;
    const { access } = await signIn({ key, permissions: ["balance_view"] });
    await change(`employees/${id}/disable`);
    expect(await works(access)).toBe(false);
  });

  it("where an operator ends it, once, on record; the key goes on working", async () => {
    const { clientId, access, refresh: again } = await signIn();
    const { grant_id } = await newestGrant();
    for (const _ of [1, 2])
      expect((await change(`grants/${grant_id}/revoke`)).body).toMatchObject({ grant_id, revoked_at: expect.any(String) });
    expect(await works(access)).toBe(false);
    expect((await refresh(clientId, again)).body).toMatchObject({ error: "invalid_grant" });
    expect((await auditOf(grant_id)).map(({ action, actor }) => [action, actor])).toEqual([
      ["grant.revoke", "Maria"],
      ["grant.give", "holder of key_a1"],
    ]);
    expect((await call(LIST, {})).body.success).toBe(true);
    expect((await change("grants/grant_none/revoke")).status).toBe(404);
    expect((await ops(`find?q=${grant_id}`)).body.data).toMatchObject([{ kind: "grant", id: grant_id, partner_id: "acme" }]);
    expect((await ops("find?q=grant_none")).body.data).toEqual([]);
  });

  it("after ninety days, also where it was refreshed all the time", async () => {
    const { clientId, refresh: again } = await signIn();
    // The library gives no token for less than a minute.
    pass(limits.grant.days * DAY - 2 * MINUTE);
    const { body } = await refresh(clientId, again);
    expect(await works(body.access_token)).toBe(true);
    pass(3 * MINUTE);
    expect(await works(body.access_token)).toBe(false);
    expect((await refresh(clientId, body.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
  });
});

/** The audit row of a grant that its host ended. */
const GIVEN_BACK = {
  action: "grant.revoke",
  actor: "the service",
  partner_id: "acme",
  after: { reason: "its host gave it back, or its code was used twice" },
};

describe("a code", () => {
  let clientId = "";
  let code = "";
  beforeEach(async () => {
    clientId = (await register()).body.client_id;
    code = (await allow({ clientId })).searchParams.get("code") ?? "";
  });

  it("is good once; used again, it ends what it gave", async () => {
    const first = await exchange(clientId, code);
    expect([first.status, await works(first.body.access_token)]).toEqual([200, true]);
    expect((await exchange(clientId, code)).body).toMatchObject({ error: "invalid_grant" });
    expect(await works(first.body.access_token)).toBe(false);
    // Operators see that it has ended, and why.
    const { grant_id: id, revoked_at } = await newestGrant();
    expect(revoked_at).toEqual(expect.any(String));
    expect(await auditOf(id)).toContainEqual(expect.objectContaining(GIVEN_BACK));
  });

  it("is good once of many at the same moment", async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => exchange(clientId, code)));
    expect(all.map(({ status }) => String(status)).toSorted()).toEqual(["200", "400", "400", "400", "400", "400"]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["with another proof key", { code_verifier: "another-verifier-that-has-forty-three-characters-x" }, "invalid_grant"],
    ["without one", { code_verifier: "" }, "invalid_request"],
    ["for another address", { redirect_uri: "http://127.0.0.1:33418/other" }, "invalid_grant"],
    ["for something that we do not serve", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["that is none", { code: "key_a1:grant:nonsense" }, "invalid_grant"],
  ])("is refused %s", async (_what, overrides, error) => {
    const { status, body } = await exchange(clientId, code, overrides);
    expect([status, body.error]).toEqual([400, error]);
  });

  it("is refused from another host", async () => {
    const other = (await register({ client_name: "Other" })).body.client_id;
    expect((await exchange(other, code)).body).toMatchObject({ error: "invalid_grant" });
    expect((await exchange("nobody", code)).body).toMatchObject({ error: "invalid_client" });
  });

  it("is over after ten minutes", async () => {
    pass(10 * MINUTE + 1_000);
    expect((await exchange(clientId, code)).body).toMatchObject({ error: "invalid_grant" });
  });
});

describe("a refresh token", () => {
  it("gives one answer to many at the same moment", async () => {
    const { clientId, refresh: first } = await signIn();
    const all = await Promise.all(Array.from({ length: 4 }, () => refresh(clientId, first)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(all.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  it("cannot bring back a grant that was given back meanwhile", async () => {
    const { clientId, access, refresh: first } = await signIn();
    await Promise.all([refresh(clientId, first), tokens({ token: first, client_id: clientId })]);
    expect(await works(access)).toBe(false);
    const [left] = (
      await env.DIRECTORY.prepare("SELECT count(*) AS count FROM oauth_entries WHERE key LIKE 'grant:%' AND value LIKE ? -- by the test")
        .bind(`%${(await newestGrant()).grant_id}%`)
        .all()
    ).results;
    expect(left).toEqual({ count: 0 });
  });

  it("may ask for a token that does less", async () => {
    const { clientId, refresh: first } = await signIn({ permissions: ["balance_view", "product_create"] });
    const { body } = await refresh(clientId, first, { scope: "balance_view" });
    expect(body.scope).toBe("balance_view");
    expect(await works(body.access_token)).toBe(true);
    expect((await callTool(CART, cart(), bearer(body.access_token))).body.result.structuredContent).toMatchObject({
      error_code: "PERMISSION_DENIED",
    });
  });

  it("gives all processes of a host the same successor, so that none replaces the token of another", async () => {
    const { clientId, refresh: first } = await signIn();
    const [one, other] = [(await refresh(clientId, first)).body, (await refresh(clientId, first)).body];
    expect({ ...other, expires_in: 900 }).toEqual({ ...one, expires_in: 900 });
    expect(await works(other.access_token)).toBe(true);
    // Each goes on by itself, at the end of its own token.
    pass(14 * MINUTE);
    const next = (await refresh(clientId, one.refresh_token)).body;
    pass(MINUTE);
    const late = (await refresh(clientId, other.refresh_token)).body;
    expect({ ...late, expires_in: 900 }).toEqual({ ...next, expires_in: 900 });
    expect(Math.abs(late.expires_in - (next.expires_in - 60))).toBeLessThan(10);
    expect([await works(next.access_token), await works(late.access_token)]).toEqual([true, true]);
  });

  it("gives no successor to a request that differs, and none of an access that has ended", async () => {
    const { clientId, refresh: first } = await signIn({ permissions: ["balance_view", "product_create"] });
    const all = (await refresh(clientId, first)).body;
    const less = (await refresh(clientId, first, { scope: "balance_view" })).body;
    expect([all.scope.split(" ").toSorted(), less.scope]).toEqual([["balance_view", "product_create"], "balance_view"]);
    const { clientId: id, refresh: again } = await signIn();
    const { access_token } = (await refresh(id, again)).body;
    await change(`grants/${(await newestGrant()).grant_id}/revoke`);
    expect((await refresh(id, again)).body).toMatchObject({ error: "invalid_grant", error_description: expect.stringContaining("ended") });
    expect(await works(access_token)).toBe(false);
  });

  it("is claimed for ten seconds by a request that dies", async () => {
    const { clientId, refresh: first } = await signIn();
    const dead = new Error("dead");
    const die = vi.spyOn(Successors.prototype, "keep").mockRejectedValueOnce(dead);
    const release = vi.spyOn(Successors.prototype, "release").mockRejectedValueOnce(dead);
    expect((await refresh(clientId, first)).status).toBe(500);
    expect([die, release].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    vi.restoreAllMocks();
    expect((await refresh(clientId, first)).body).toMatchObject({ error: "temporarily_unavailable" });
    pass(10_000);
    expect(await works((await refresh(clientId, first)).body.access_token)).toBe(true);
  });

  it("is replaced by each use; presented a quarter of an hour after that, it ends its grant, on record and in the log", async () => {
    const { clientId, refresh: first } = await signIn();
    const second = (await refresh(clientId, first)).body.refresh_token;
    const third = (await refresh(clientId, second)).body.refresh_token;
    expect(new Set([first, second, third]).size).toBe(3);
    expect((await refresh(clientId, first)).body.refresh_token).toBe(second);
    pass(limits.grant.tokenMinutes * MINUTE);
    const lines = await loggedBy(async () => {
      expect((await refresh(clientId, first)).body).toMatchObject({
        error: "invalid_grant",
        error_description: expect.stringContaining("Sign in again"),
      });
    });
    const { grant_id: id } = await newestGrant();
    expect(lines.map((text) => JSON.parse(text))).toContainEqual(
      expect.objectContaining({ level: "error", grant: id, message: "a replaced refresh token was presented: its grant is ended" }),
    );
    expect(await auditOf(id)).toContainEqual(
      expect.objectContaining({
        action: "grant.revoke",
        actor: "the service",
        after: { reason: "a replaced refresh token was presented" },
      }),
    );
    expect((await refresh(clientId, third)).body).toMatchObject({ error: "invalid_grant" });
  });

  it("may be sent again where its answer was lost", async () => {
    const { clientId, refresh: first } = await signIn();
    await refresh(clientId, first);
    const { status, body } = await refresh(clientId, first);
    expect([status, await works(body.access_token)]).toEqual([200, true]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["for something that we do not serve", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["that is none", { refresh_token: "key_a1:grant:nonsense" }, "invalid_grant"],
  ])("is refused %s", async (_what, overrides, error) => {
    const { clientId, refresh: first } = await signIn();
    expect((await refresh(clientId, first, overrides)).body).toMatchObject({ error });
  });

  it("is taken for our address with a slash behind it, as some hosts write it", async () => {
    const { clientId, refresh: first } = await signIn();
    const { status, body } = await refresh(clientId, first, { resource: `${RESOURCE}/` });
    expect([status, body.resource, await works(body.access_token)]).toEqual([200, RESOURCE, true]);
    expect((await send(await authorizeAddress(clientId, { resource: `${RESOURCE}/` }))).status).toBe(200);
    expect((await send(await authorizeAddress(clientId, { resource: `${RESOURCE}/more` }))).status).toBe(400);
  });

  it("is refused from another host", async () => {
    const { refresh: first } = await signIn();
    const other = (await register({ client_name: "Other" })).body.client_id;
    expect((await refresh(other, first)).body).toMatchObject({ error: "invalid_grant" });
  });

  it("can be given back by its host", async () => {
    const { clientId, access, refresh: first } = await signIn();
    expect((await tokens({ token: first, client_id: clientId })).status).toBe(200);
    expect(await works(access)).toBe(false);
    const { grant_id: id, revoked_at } = await newestGrant();
    expect(revoked_at).toEqual(expect.any(String));
    const ends = (await auditOf(id)).filter(({ action }) => action === "grant.revoke");
    expect(ends).toEqual([expect.objectContaining(GIVEN_BACK)]);
    // What has ended is not ended again.
    expect((await tokens({ token: first, client_id: clientId })).status).toBe(200);
    expect((await auditOf(id)).filter(({ action }) => action === "grant.revoke")).toHaveLength(1);
  });
});

describe("what is stored of tokens", () => {
  it("holds no token, no code and no key, and is let go of when it has expired", async () => {
    const { access, refresh: again } = await signIn();
    const stored = JSON.stringify((await env.DIRECTORY.prepare("SELECT * FROM oauth_entries -- by the test").all()).results);
    for (const secret of [access, again, access.split(":")[2] ?? "", again.split(":")[2] ?? "", keys.acme])
      expect(stored).not.toContain(secret);
    pass(2 * limits.grant.days * DAY);
    await cron();
    const left = (await env.DIRECTORY.prepare("SELECT key FROM oauth_entries -- by the test").all()).results;
    expect(left).toEqual([]);
  });
});

describe("the endpoints of hosts", () => {
  it.each(["token", "register"])("refuse too much and other methods: %s", async (name) => {
    const headers = { "Content-Type": name === "token" ? "application/x-www-form-urlencoded" : "application/json" };
    const { status, body } = await send(`/oauth/${name}`, { method: "POST", headers, body: `{"a":"${"x".repeat(70_000)}"}` });
    expect([status, body.error]).toEqual([413, "invalid_request"]);
    expect((await send(`/oauth/${name}`)).status).toBe(405);
  });
});

describe("registration", () => {
  it.each<[string, Record<string, unknown>]>([
    ["no address", { redirect_uris: [] }],
    ["a script as address", { redirect_uris: ["javascript:alert(1)"] }],
    ["an address of another machine without https", { redirect_uris: ["http://host.example/callback"] }],
    ["a way to sign in that we do not have", { token_endpoint_auth_method: "tls_client_auth" }],
  ])("refuses %s", async (_what, overrides) => {
    expect([(await register(overrides)).status, (await register(overrides)).body.client_id]).toEqual([400, undefined]);
  });
});
