import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { localSecrets } from "../../sandbox/local-settings.ts";
import type { Deps } from "../../src/deps.ts";
import { readSettings } from "../../src/settings.ts";
import worker from "../../src/worker.ts";
import { CART, keys, LIST, send } from "../support/api.ts";
import { buildApp } from "../support/app.ts";
import { invitationOf, Person } from "../support/authenticator.ts";
import { cellDeps } from "../support/cells.ts";

const API = "https://api.partner.test";
const SHORT = "https://pay.partner.test";

/** The Worker as it is deployed: the short domain apart from the API. */
const deployed = buildApp(changed({ settings: { ...readSettings(env), local: false, apiOrigin: API, shortLinkOrigin: SHORT } }));

/** The Worker's dependencies with some changed, for each request too. */
function changed(some: Partial<Deps>): Deps {
  const deps: Deps = { ...cellDeps(), ...some, forRequest: () => deps };
  return deps;
}

async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const context = createExecutionContext();
  const response = await deployed(new Request(url, { redirect: "manual", ...init }), context);
  await waitOnExecutionContext(context);
  return response;
}

describe("deployed, with a dashboard of its own", () => {
  const DASHBOARD = "https://dashboard.partner.test";
  const settings = { ...readSettings(env), local: false, apiOrigin: API, shortLinkOrigin: SHORT, dashboardOrigin: DASHBOARD };
  const withDashboard = buildApp(changed({ settings }));
  const at = async (url: string, init: RequestInit = {}) => {
    const context = createExecutionContext();
    const response = await withDashboard(new Request(url, { redirect: "manual", ...init }), context);
    await waitOnExecutionContext(context);
    return response;
  };
  const key = { "X-Partner-Api-Key": keys.acme };
  const json = { "Content-Type": "application/json", Origin: DASHBOARD };

  it("takes keys at the API's host alone, and sessions at the dashboard's alone", async () => {
    expect((await at(`${API}/partner/products`, { headers: key })).status).toBe(200);
    expect((await at(`${DASHBOARD}/partner/products`, { headers: key })).status).toBe(401);
    expect((await at(`${DASHBOARD}/partner/sign-in/challenge`, { method: "POST", headers: json })).status).toBe(200);
    expect((await at(`${API}/partner/sign-in/challenge`, { method: "POST", headers: json })).status).toBe(404);
    const person = new Person();
    await person.accept(await invitationOf("emp_acme_owner"));
    const cookie = { Cookie: person.cookie };
    expect((await at(`${DASHBOARD}/partner/session`, { headers: cookie })).status).toBe(200);
    expect((await at(`${API}/partner/session`, { headers: cookie })).status).toBe(401);
  });

  it("serves nothing else there, and people sign in at no other host", async () => {
    for (const path of [`/${CART}`, "/mcp", "/health", "/docs", "/01acmeLiveUsd1First", "/oauth/authorize"])
      expect([path, (await at(`${DASHBOARD}${path}`)).status]).toEqual([path, 404]);
    for (const host of [SHORT, "https://other.partner.test"])
      expect((await at(`${host}/partner/sign-in/challenge`, { method: "POST", headers: json })).status).toBe(404);
  });

  it("serves the console and its calls there, and its pages at no other host", async () => {
    const page = await at(`${DASHBOARD}/ops/console/`);
    expect([page.status, page.headers.get("Content-Security-Policy")]).toEqual([200, expect.stringContaining("script-src 'self'")]);
    expect((await at(`${DASHBOARD}/ops/partners`)).status).toBe(401);
    for (const host of [API, SHORT]) expect([host, (await at(`${host}/ops/console/`)).status]).toEqual([host, host === API ? 401 : 404]);
  });

  it("has no way in without a passkey, as local development has", async () => {
    const token = await invitationOf("emp_acme_owner");
    for (const host of [API, DASHBOARD, SHORT]) {
      const response = await at(`${host}/dashboard/sign-in-locally/${token}`);
      // The dashboard's host has the same page for every address, which finds none here.
      expect([host, response.status, response.headers.get("Set-Cookie")]).toEqual([host, host === DASHBOARD ? 200 : 404, null]);
    }
    // The same address signs in locally, once.
    const local = await send(`/dashboard/sign-in-locally/${token}`);
    expect([local.status, local.headers.get("Location")]).toEqual([302, "/dashboard?env=test"]);
    const cookie = local.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect((await send("/partner/session", { headers: { Cookie: cookie } })).body.person.id).toBe("emp_acme_owner");
    expect((await send(`/dashboard/sign-in-locally/${token}`)).status).toBe(404);
  });

  it("serves its pages there alone, with a strict content policy", async () => {
    const page = await at(`${DASHBOARD}/dashboard/payments?env=live`);
    expect([page.status, page.headers.get("Content-Type"), page.headers.get("Cache-Control")]).toEqual([
      200,
      expect.stringContaining("text/html"),
      "no-cache",
    ]);
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'"])
      expect(policy).toContain(part);
    expect(policy.match(/script-src[^;]*/)?.[0]).toBe("script-src 'self'");
    expect([(await at(`${DASHBOARD}/`)).status, (await at(`${DASHBOARD}/`)).headers.get("Location")]).toEqual([302, "/dashboard"]);
    expect((await at(`${DASHBOARD}/dashboard/assets/none.js`)).status).toBe(404);
    expect((await at(`${DASHBOARD}/dashboard`, { method: "POST" })).status).toBe(405);
    for (const host of [API, SHORT])
      for (const path of ["/dashboard", "/dashboard/payments", "/dashboard/assets/none.js"])
        expect([host, path, (await at(`${host}${path}`)).status]).toEqual([host, path, 404]);
  });

  it("without a dashboard invites nobody", async () => {
    const none = buildApp(changed({ settings: { ...settings, dashboardOrigin: null } }));
    const context = createExecutionContext();
    const headers = { Authorization: `Bearer ${localSecrets.OPS_TOKEN}` };
    const response = await none(new Request(`${API}/ops/employees/emp_acme_owner/invitation`, { method: "POST", headers }), context);
    expect([response.status, await response.json()]).toMatchObject([409, { error: expect.stringContaining("DASHBOARD_ORIGIN") }]);
  });

  it("says how support is reached where a message sends to support", async () => {
    const deps = changed({ settings: { ...settings, supportContact: "help@partner.test" }, directory: undefined as never });
    const broken = buildApp(deps);
    const context = createExecutionContext();
    const request = new Request(`${API}/${CART}`, { method: "POST", headers: { ...key, "Content-Type": "application/json" }, body: "{}" });
    const body: { error_message: string } = await (await broken(request, context)).json();
    expect(body.error_message).toMatch(/to support\. Support: help@partner\.test$/);
  });
});

describe("deployed", () => {
  it("serves the API on the API's host, and short links nowhere", async () => {
    expect((await ask(`${API}/health`)).status).toBe(200);
    const listed = await ask(`${API}/${LIST}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    expect(await listed.json()).toMatchObject({ error_code: "INVALID_API_KEY" });
    for (const host of [API, SHORT]) {
      const slug = await ask(`${host}/01acmeLiveUsd1First`);
      expect(slug.status).toBe(404);
      expect(await slug.json()).toMatchObject({ success: false });
    }
  });

  it("has placeholders in its samples for what only a local stack has", async () => {
    const sample =
      "curl http://localhost:8787/x -H 'X-Partner-Api-Key: a0000000-0000-4000-8000-000000000001' " +
      '-d \'{"items": ["prod_acmeTestUsd1", "prod_acmeTestUsd2"], "test_url": "http://localhost:8788/inbox/acme"}\'';
    const assets = { fetch: () => Promise.resolve(new Response(sample, { headers: { "Content-Type": "text/html" } })) };
    const settings = { ...readSettings(env), local: false, apiOrigin: API, shortLinkOrigin: SHORT };
    const app = buildApp(changed({ settings, assets: assets as unknown as Deps["assets"] }));
    const read = async (path: string) => (await app(new Request(`${API}${path}`), createExecutionContext())).text();
    expect(await read("/docs/payment-links")).toBe(
      `curl ${API}/x -H 'X-Partner-Api-Key: YOUR_API_KEY' ` +
        '-d \'{"items": ["prod_YOURS1", "prod_YOURS2"], "test_url": "https://your-shop.example/hook"}\'',
    );
    // The pages about the service on one's own machine keep its keys, and name the addresses that it has there.
    for (const page of ["test-data", "quickstart", "local", "testing-your-receiver"]) {
      const shown = await read(`/docs/${page}`);
      expect(shown).toContain("a0000000-0000-4000-8000-000000000001");
      expect([shown.includes("http://localhost:8790/x"), shown.includes("http://localhost:8791/inbox/acme")]).toEqual([true, true]);
    }
  });

  it("has each page of the file of all pages as the page itself is", async () => {
    const sample = "curl http://localhost:8787/x -H 'X-Partner-Api-Key: a0000000-0000-4000-8000-000000000001'";
    const whole = ["payment-links", "quickstart"].map((page) => `<!-- /docs/${page}.md -->\n${sample}`).join("\n\n");
    const assets = { fetch: () => Promise.resolve(new Response(whole, { headers: { "Content-Type": "text/plain" } })) };
    const settings = { ...readSettings(env), local: false, apiOrigin: API, shortLinkOrigin: SHORT };
    const app = buildApp(changed({ settings, assets: assets as unknown as Deps["assets"] }));
    const shown = await (await app(new Request(`${API}/llms-full.txt`), createExecutionContext())).text();
    expect(shown.split("\n").filter((line) => line.startsWith("curl"))).toEqual([
      `curl ${API}/x -H 'X-Partner-Api-Key: YOUR_API_KEY'`,
      "curl http://localhost:8790/x -H 'X-Partner-Api-Key: a0000000-0000-4000-8000-000000000001'",
    ]);
  });

  it("keeps a published package for ever, and asks for what they are each time", async () => {
    const assets = { fetch: () => Promise.resolve(new Response("packed", { headers: { "Content-Type": "application/gzip" } })) };
    const settings = { ...readSettings(env), local: false, apiOrigin: API, shortLinkOrigin: SHORT };
    const app = buildApp(changed({ settings, assets: assets as unknown as Deps["assets"] }));
    const kept = async (path: string) => (await app(new Request(`${API}${path}`), createExecutionContext())).headers.get("Cache-Control");
    expect(await kept("/packages/ppay-sdk-1.0.0.tgz")).toBe("public, max-age=31536000, immutable");
    expect(await kept("/packages/ppay-1.0.0-py3-none-any.whl")).toBe("public, max-age=31536000, immutable");
    expect(await kept("/packages/index.json")).toBe("no-store");
  });

  it("lets agents in on the API's host, and of browsers' pages its own alone", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const listed = async (origin: string | null, host = API) => {
      const headers = {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...(origin === null ? {} : { Origin: origin }),
      };
      const response = await ask(`${host}/mcp`, { method: "POST", headers, body: JSON.stringify(message) });
      await response.text();
      return response.status;
    };
    expect([await listed(null), await listed(API)]).toEqual([200, 200]);
    for (const origin of ["https://evil.example", "http://localhost", SHORT, `${API}.evil.example`]) expect(await listed(origin)).toBe(403);
    expect([await listed(null, SHORT), await listed(null, "https://elsewhere.test")]).toEqual([404, 404]);
  });

  it("serves the documentation on the API's host", async () => {
    for (const path of ["/docs", "/docs/errors", "/openapi.json", "/llms.txt", "/robots.txt"]) {
      const response = await ask(`${API}${path}`);
      await response.text();
      expect([path, response.status]).toEqual([path, 200]);
    }
  });

  it("serves nothing on a host that it does not know", async () => {
    for (const path of ["/health", "/01acmeLiveUsd1First", `/${CART}`]) {
      const response = await ask(`https://elsewhere.test${path}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ success: false });
    }
  });
});

it("keeps robots away", async () => {
  const robots = await ask(`${API}/robots.txt`);
  expect(await robots.text()).toContain("Disallow: /");
});

describe("where it is deployed", () => {
  it("the API is refused without https, and says that the key is spent", async () => {
    const response = await ask(`${API.replace("https:", "http:")}/${LIST}`, { method: "POST", body: "{}" });
    expect([response.status, response.headers.get("X-Request-Id")]).toEqual([403, expect.stringMatching(/^[0-9a-f]{16}$/)]);
    expect(await response.json()).toEqual({ success: false, error: expect.stringContaining("Use https") });
    expect((await ask("http://elsewhere.test/health")).status).toBe(403);
  });

  it.each(["/health", "/nothing", `/${LIST}`, "/ops/partners", "/docs", "/mcp"])(
    "%s is kept by nobody, and asked for by https",
    async (path) => {
      const { headers } = await ask(`${API}${path}`);
      expect(headers.get("Strict-Transport-Security")).toBe("max-age=15552000; includeSubDomains");
      if (path !== "/docs") expect(headers.get("Cache-Control")).toBe("no-store");
    },
  );
});

describe("a target in KV, in local development", () => {
  it("is followed to the checkout only: another address is not, and D1 says where the link leads", async () => {
    const slug = "01acmeLiveUsd1First";
    for (const url of ["https://evil.example/pay", "http://sandbox.test:8788.evil.example/", "javascript:alert(1)"]) {
      await env.SHORT_LINKS.put(slug, `acme ${url}`);
      const app = buildApp(changed({ checkoutOrigins: ["http://sandbox.test:8788"] }));
      const context = createExecutionContext();
      const response = await app(new Request(`http://localhost:8787/${slug}`), context);
      await waitOnExecutionContext(context);
      expect([response.status, response.headers.get("Location")]).toEqual([302, expect.stringMatching(/^http:\/\/sandbox\.test:8788\//)]);
      expect(await env.SHORT_LINKS.get(slug)).toMatch(/^acme http:\/\/sandbox\.test:8788\//);
    }
  });
});

// interface G.5
describe("outside any operation", () => {
  it.each(["/", "/no-such-operation", "/webhook/nothing", "/short", "/ingest/processor", "/ingest/processor/other"])(
    "%s is a plain 404",
    async (path) => {
      const answer = await send(path, { method: "POST", body: "{}" });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ success: false, error: expect.any(String) });
    },
  );

  it("names the methods that a path takes", async () => {
    const answer = await send("/health", { method: "DELETE" });
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    const ingest = await send("/ingest/processor/live");
    expect([ingest.status, ingest.headers.get("Allow")]).toEqual([405, "POST"]);
  });
});

describe("settings", () => {
  /** 32 bytes, as they may come by chance. */
  const RANDOM = String.fromCharCode(...Array.from({ length: 32 }, (_, index) => (index * 149 + 37) % 256));
  const production = {
    DEPLOYMENT: "production",
    API_ORIGIN: API,
    SHORT_LINK_ORIGIN: SHORT,
    PROCESSOR_API_BASE: "https://processor.example",
    CHECKOUT_ORIGINS: "https://buy.example, https://pay.brand.example/",
    PROCESSOR_KEY_LIVE: "sk_live_x",
    PROCESSOR_KEY_TEST: "sk_test_x",
    PROCESSOR_EVENT_SECRET_LIVE: "whsec_kT7vQ2mX9bR4cW8nZ1yL",
    PROCESSOR_EVENT_SECRET_TEST: "whsec_hJ5pD0sF6gA3uE2iO7wB",
    BANK_API_BASE: "https://relay.example/bank/",
    BANK_TERMINALS: JSON.stringify({
      live: { first: { terminal_key: "1", password: "q8Zr3Tn5vB1m", taxation: "osn", settlementDays: 1 } },
      test: {},
    }),
    OPS_TOKEN: "kT7vQ2mX9bR4cW8nZ1yLhJ5pD0sF6gA3uE2iO7wB",
    SECRET_ENCRYPTION_KEYS: JSON.stringify({ current: "k1", keys: { k1: btoa(RANDOM) } }),
  };

  it("are read once they are complete", () => {
    expect(readSettings(production)).toMatchObject({
      local: false,
      apiOrigin: API,
      processor: { checkoutOrigins: ["https://buy.example", "https://pay.brand.example"] },
      encryptionKeys: { current: "k1" },
      bank: {
        base: "https://relay.example/bank",
        terminals: { live: { first: { terminalKey: "1", password: "q8Zr3Tn5vB1m", taxation: "osn", settlementDays: 1 } }, test: {} },
      },
    });
  });

  it.each(Object.entries(localSecrets))("with the local value of %s are refused where deployed", (name, value) => {
    expect(() => readSettings({ ...production, [name]: value })).toThrow(name);
  });

  it.each(Object.keys(production))("without %s are refused by its name", (name) => {
    expect(() => readSettings({ ...production, [name]: undefined })).toThrow(name);
  });

  it.each([
    ["SECRET_ENCRYPTION_KEYS", "not json"],
    ["SECRET_ENCRYPTION_KEYS", '{"current":"gone","keys":{}}'],
    ["SECRET_ENCRYPTION_KEYS", '{"current":"k","keys":{"k":"c2hvcnQ="}}'],
    ["SECRET_ENCRYPTION_KEYS", JSON.stringify({ current: "k", keys: { k: btoa("k".repeat(32)) } })],
    ["SECRET_ENCRYPTION_KEYS", JSON.stringify({ current: "k", keys: { k: btoa("0123456789abcdefghijklmnopqrstu") } })],
    ["SECRET_ENCRYPTION_KEYS", JSON.stringify({ current: "k", keys: { k: btoa("correct horse battery staple 123") } })],
    ["SECRET_ENCRYPTION_KEYS", JSON.stringify({ current: "k", keys: { k: btoa("\u0001\u0002".repeat(16)) } })],
    // The local key, in another spelling of the same bytes.
    ["SECRET_ENCRYPTION_KEYS", JSON.stringify({ current: "k", keys: { k: "bG9jYWwtZGV2ZWxvcG1lbnQta2V5LTMyLWJ5dGVzISF=" } })],
    ["PROCESSOR_EVENT_SECRET_TEST", "whsec_kT7vQ2mX9bR4cW8nZ1yL"],
    ["PROCESSOR_EVENT_SECRET_TEST", "whsec_x"],
    ["PROCESSOR_EVENT_SECRET_LIVE", `whsec_${"ab".repeat(20)}`],
    ["PROCESSOR_EVENT_SECRET_TEST", "whsec_b\n"],
    ["PROCESSOR_EVENT_SECRET_TEST", "b"],
    ["PROCESSOR_KEY_LIVE", "sk_live_x\n"],
    ["OPS_TOKEN", "a token of thirty-two characters, or more"],
    ["RECORDS_PER_DAY", "999"],
    ["DATABASE_REGION", "nowhere"],
    ["CHECKOUT_ORIGINS", ""],
    ["CHECKOUT_ORIGINS", "http://buy.example"],
    ["CHECKOUT_ORIGINS", "https://buy.example/path"],
    ["OPS_TOKEN", "x".repeat(31)],
    ["OPS_TOKEN", "a".repeat(32)],
    ["OPS_TOKEN", "password".repeat(4)],
    ["OPS_TOKEN", "kT7vQ2mX9bR4cW8nZ1yLhJ5pD0sF6gA"],
    ["OPS_TOKEN", "abcdefghijklmnopqrstuvwxyz012345"],
    ["API_ORIGIN", "api.partner.test"],
    ["API_ORIGIN", "localhost:8787"],
    ["API_ORIGIN", "http://api.partner.test"],
    ["SHORT_LINK_ORIGIN", "https://pay.partner.test/path"],
    ["SHORT_LINK_ORIGIN", API],
    ["SHORT_LINK_ORIGIN", `${API}:8443`],
    ["SHORT_LINK_HOSTS", "https://behind.partner.test"],
    ["PROCESSOR_API_BASE", "http://processor.example"],
    ["BANK_API_BASE", "http://relay.example"],
    ["BANK_API_BASE", "https://relay.example/?bank"],
    ["BANK_TERMINALS", "{}"],
    ["BANK_TERMINALS", '{"live":{"a":{"terminal_key":"1","password":"","taxation":"osn"}},"test":{}}'],
    ["BANK_TERMINALS", '{"live":{"a":{"terminal_key":"1","password":"x1","taxation":"osn"}},"test":{}}'],
    ["BANK_TERMINALS", '{"live":{"a":{"terminal_key":"1","password":"pw","taxation":"flat"}},"test":{}}'],
    [
      "BANK_TERMINALS",
      '{"live":{"a":{"terminal_key":"1","password":"pw","taxation":"osn"}},"test":{"a":{"terminal_key":"1","password":"qw","taxation":"osn"}}}',
    ],
    ["PROCESSOR_KEY_LIVE", "sk_test_x"],
    ["PROCESSOR_KEY_TEST", "rk_live_x"],
  ])("with a wrong %s are refused", (name, value) => {
    expect(() => readSettings({ ...production, [name]: value })).toThrow(name);
  });

  it("may call a deployed Worker local on no account", () => {
    expect(() => readSettings({ ...production, DEPLOYMENT: "local" })).toThrow("API_ORIGIN");
  });

  it("that are local serve this machine's own names alone", async () => {
    const local = buildApp(cellDeps());
    const statusOf = async (url: string) => (await local(new Request(url), createExecutionContext())).status;
    expect(await statusOf("http://127.0.0.1:8787/health")).toBe(200);
    expect(await statusOf("http://[::1]:8787/health")).toBe(200);
    expect(await statusOf("https://elsewhere.test/health")).toBe(404);
  });

  it("that are wrong keep the Worker from serving, without a word of why to the caller", async () => {
    const response = await worker.fetch?.(
      new Request(`${API}/health`) as never,
      Object.assign({}, env, production, { OPS_TOKEN: "ops-local" }),
      createExecutionContext(),
    );
    expect(response?.status).toBe(503);
    expect(await response?.text()).not.toContain("OPS_TOKEN");
  });
});

it("leads from the front of the API's host to the documentation", async () => {
  const front = await ask(`${API}/`);
  expect([front.status, front.headers.get("Location")]).toEqual([302, "/docs"]);
});
