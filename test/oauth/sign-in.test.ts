import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CART, cart, keyFor, keys, send } from "../support/api.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import {
  allow,
  authorizeAddress,
  Browser,
  backOf,
  bearer,
  CALLBACK,
  callTool,
  exchange,
  held,
  register,
  signIn,
} from "../support/sign-in.ts";

let clientId = "";
beforeEach(async () => {
  clientId = (await register()).body.client_id;
});
afterEach(realTime);

const asking = async (overrides: Record<string, string> = {}, browser = new Browser()) =>
  browser.get(await authorizeAddress(clientId, overrides));
const grantsOf = async (partner: string) => (await ops(`partners/${partner}/grants?limit=100`)).body.data as Record<string, unknown>[];

describe("the page that asks for a key", () => {
  it("says who asks and where the access goes, loads nothing, and cannot be framed", async () => {
    const page = await asking();
    expect(page.status).toBe(200);
    for (const words of ["Test host asks for access", "It is not verified", "127.0.0.1", "app on this computer"])
      expect(page.text).toContain(words);
    expect(page.headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w-]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers.get("X-Frame-Options")).toBe("DENY");
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    expect(page.headers.get("Set-Cookie")).toMatch(/^__Host-.*; Path=\/; Secure; HttpOnly; SameSite=Lax/);
  });

  it("shows a name as text, whatever stands in it", async () => {
    clientId = (await register({ client_name: "<script>alert(1)</script>" })).body.client_id;
    const { text } = await asking();
    expect(text).not.toContain("<script>");
    expect(text).toContain("&lt;script&gt;");
  });

  it.each<[string, Record<string, string>]>([
    ["an address that was not registered", { redirect_uri: "https://evil.example/callback" }],
    ["an address that only begins like the registered one", { redirect_uri: `${CALLBACK}.evil.example/` }],
    ["a longer path", { redirect_uri: `${CALLBACK}/more` }],
    ["a script as address", { redirect_uri: "javascript:alert(1)" }],
    ["no address", { redirect_uri: "" }],
    ["an unknown host", { client_id: "nobody" }],
  ])("leads nobody away for %s", async (_what, overrides) => {
    const page = await asking(overrides);
    expect([page.status, page.headers.get("Location")]).toEqual([400, null]);
    expect(page.text).toContain("This cannot go on");
  });

  it.each<[string, Record<string, string>]>([
    ["no proof key", { code_challenge: "" }],
    ["a plain proof key", { code_challenge_method: "plain" }],
    ["an implicit grant", { response_type: "token" }],
    ["something that we do not serve", { resource: "https://other.example/mcp" }],
  ])("leads nobody away for %s, though the address is registered: anybody can register one", async (_what, overrides) => {
    const page = await asking(overrides);
    expect([page.status, page.headers.get("Location"), page.text.includes("This cannot go on")]).toEqual([400, null, true]);
  });

  it("demands the proof key of hosts with a secret too", async () => {
    clientId = (await register({ token_endpoint_auth_method: "client_secret_post" })).body.client_id;
    const query = new URLSearchParams({ response_type: "code", client_id: clientId, redirect_uri: CALLBACK });
    const page = await new Browser().get(`/oauth/authorize?${query.toString()}`);
    expect([page.status, page.text.includes("code_challenge")]).toEqual([400, true]);
  });

  it("cuts a name, and takes out what would change how the page reads", async () => {
    clientId = (await register({ client_name: `Pay\u202eever\nsafe ${"x".repeat(500)}` })).body.client_id;
    const title = /<h1>(.*?)<\/h1>/s.exec((await asking()).text)?.[1] ?? "";
    expect(title).toMatch(/^Pay ever safe x{50,70}… asks for access$/);
  });

  it.each(["HEAD"])("begins nothing for %s", async (method) => {
    const { status, headers } = await send(await authorizeAddress(clientId), { method });
    expect([status, headers.get("Set-Cookie")]).toEqual([200, null]);
  });

  it.each<[string, RequestInit, number]>([
    ["no form", {}, 400],
    ["JSON", { headers: { "Content-Type": "application/json" }, body: "{}" }, 400],
    ["a form that is none", { headers: { "Content-Type": "multipart/form-data; boundary=x" }, body: "--y" }, 400],
    ["too much", { headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: `handle=${"x".repeat(70_000)}` }, 413],
  ])("answers %s with a clear error", async (_what, init, status) => {
    for (const path of ["/oauth/authorize", "/oauth/grant?state=x"]) {
      expect([path, (await send(path, { method: "POST", ...init })).status]).toEqual([path, status]);
    }
  });

  it.each([
    ["unknown", "d0000000-0000-4000-8000-000000000009"],
    ["revoked", keys.revoked],
    ["a former employee's", keys.formerEmployee],
    ["a disabled partner's", keys.disabledPartner],
    ["no key at all", "hello"],
  ])("asks again for a key that is %s", async (_what, key) => {
    const browser = new Browser();
    const first = await asking({}, browser);
    const again = await browser.post("/oauth/authorize", [
      ["handle", held(first).handle],
      ["key", key],
      ["decision", "go_on"],
    ]);
    expect([again.status, again.text.includes("The API key is not valid")]).toEqual([403, true]);
    expect(again.text).not.toContain(key);
    const right = await browser.post("/oauth/authorize", [
      ["handle", held(again).handle],
      ["key", keys.acme],
      ["decision", "go_on"],
    ]);
    expect([right.status, held(right).state === ""]).toEqual([200, false]);
  });

  it("asks for another key where this one has nothing to give", async () => {
    const browser = new Browser();
    const again = await browser.post("/oauth/authorize", [
      ["handle", held(await asking({}, browser)).handle],
      ["key", keys.powerless],
      ["decision", "go_on"],
    ]);
    expect([again.status, again.text.includes("Use another key")]).toEqual([403, true]);
  });

  it("takes the answer of no other browser, none twice, and none that nobody was asked for", async () => {
    const browser = new Browser();
    const { handle } = held(await asking({}, browser));
    const fields = [
      ["handle", handle],
      ["key", keys.acme],
      ["decision", "go_on"],
    ] as const;
    expect((await new Browser().post("/oauth/authorize", fields)).text).toContain("This cannot go on");
    expect((await browser.post("/oauth/authorize", fields)).status).toBe(200);
    expect((await browser.post("/oauth/authorize", fields)).status).toBe(400);
    expect(
      (
        await browser.post("/oauth/authorize", [
          ["handle", "invented"],
          ["key", keys.acme],
          ["decision", "go_on"],
        ])
      ).status,
    ).toBe(400);
    expect((await browser.post("/oauth/authorize", [])).status).toBe(400);
  });

  it("is over after ten minutes", async () => {
    const browser = new Browser();
    const { handle } = held(await asking({}, browser));
    pass(10 * MINUTE + 1);
    const late = await browser.post("/oauth/authorize", [
      ["handle", handle],
      ["key", keys.acme],
      ["decision", "go_on"],
    ]);
    expect(late.status).toBe(400);
  });

  it("sends the host back where the person refuses", async () => {
    const browser = new Browser();
    const refused = await browser.post("/oauth/authorize", [
      ["handle", held(await asking({}, browser)).handle],
      ["decision", "refuse"],
    ]);
    const back = backOf(refused);
    expect([back.origin + back.pathname, back.searchParams.get("error"), back.searchParams.get("state")]).toEqual([
      CALLBACK,
      "access_denied",
      "the-state",
    ]);
    expect([back.searchParams.get("code"), back.searchParams.get("iss")]).toEqual([null, "http://localhost:8787"]);
  });
});

describe("the page that lets a person choose", () => {
  async function choosing(key: string = keys.acme, authorize: Record<string, string> = {}, browser = new Browser()) {
    const first = await asking(authorize, browser);
    return browser.post("/oauth/authorize", [
      ["handle", held(first).handle],
      ["key", key],
      ["decision", "go_on"],
    ]);
  }
  const ticked = (text: string) => [...text.matchAll(/value="(\w+)" checked/g)].map(([, value]) => value);

  it("shows whose key it is and what it has, ticks what only looks, and chooses test", async () => {
    const page = await choosing();
    for (const words of ["Acme", "What may Test host do?", "balance_view", "bank_payment", "(UTC)"]) expect(page.text).toContain(words);
    expect(ticked(page.text)).toEqual(["balance_view", "products_view", "test"]);
    expect(page.text).not.toContain(keys.acme);
  });

  it("offers only what the key has, and ticks nothing more where the host asks for it", async () => {
    const page = await choosing(keyFor("product_create"), { scope: "product_create balance_view colour" });
    expect(ticked(page.text)).toEqual(["test"]);
    expect(page.text).toContain("product_create");
    expect(page.text).not.toContain("balance_view");
  });

  it.each<[string, [string, string][]]>([
    ["nothing is ticked", [["environment", "test"]]],
    [
      "only what the key does not have is ticked",
      [
        ["permission", "balance_view"],
        ["environment", "test"],
      ],
    ],
    [
      "what is ticked does not exist",
      [
        ["permission", "colour"],
        ["environment", "test"],
      ],
    ],
    ["no environment is chosen", [["permission", "product_create"]]],
    [
      "the environment does not exist",
      [
        ["permission", "product_create"],
        ["environment", "colour"],
      ],
    ],
  ])("asks again where %s, and gives nothing", async (_what, fields) => {
    const before = (await grantsOf("acme")).length;
    const browser = new Browser();
    const page = await choosing(keyFor("product_create"), {}, browser);
    const again = await browser.post(`/oauth/grant?state=${held(page).state}`, [...fields, ["decision", "allow"]]);
    expect([again.status, again.text.includes("Tick at least one permission")]).toEqual([400, true]);
    expect(await grantsOf("acme")).toHaveLength(before);
    const right = await browser.post(`/oauth/grant?state=${held(again).state}`, [
      ["permission", "product_create"],
      ["environment", "test"],
      ["decision", "allow"],
    ]);
    expect(backOf(right).searchParams.get("code")).not.toBeNull();
  });

  it("takes the answer of no other browser, and none twice", async () => {
    const browser = new Browser();
    const { state } = held(await choosing(keys.acme, {}, browser));
    const fields = [
      ["permission", "balance_view"],
      ["environment", "test"],
      ["decision", "allow"],
    ] as const;
    expect((await new Browser().post(`/oauth/grant?state=${state}`, fields)).status).toBe(400);
    expect(backOf(await browser.post(`/oauth/grant?state=${state}`, fields)).searchParams.get("code")).not.toBeNull();
    expect((await browser.post(`/oauth/grant?state=${state}`, fields)).status).toBe(400);
    expect((await browser.post("/oauth/grant", fields)).status).toBe(400);
    expect((await send("/oauth/grant")).status).toBe(405);
  });

  it("gives nothing where the key was revoked meanwhile", async () => {
    const { key, key_id } = (await change("partners/acme/keys", { label: "short", permissions: ["balance_view"] })).body;
    const browser = new Browser();
    const { state } = held(await choosing(key, {}, browser));
    await change(`keys/${key_id}/revoke`);
    const answer = await browser.post(`/oauth/grant?state=${state}`, [
      ["permission", "balance_view"],
      ["environment", "test"],
      ["decision", "allow"],
    ]);
    expect([answer.status, answer.text.includes("no longer works")]).toEqual([400, true]);
  });

  it("sends the host back where the person refuses", async () => {
    const browser = new Browser();
    const { state } = held(await choosing(keys.acme, {}, browser));
    const refused = await browser.post(`/oauth/grant?state=${state}`, [["decision", "refuse"]]);
    expect(backOf(refused).searchParams.get("error")).toBe("access_denied");
  });

  it("puts what was given on record, with the key's id and without the key", async () => {
    const { access } = await signIn({ permissions: ["product_create", "bank_payment"], environment: "test" });
    const grant = (await grantsOf("acme")).find(({ permissions }) => JSON.stringify(permissions) === '["product_create","bank_payment"]');
    expect(grant).toMatchObject({
      key_id: "key_a1",
      client_name: "Test host",
      environments: ["test"],
      revoked_at: null,
    });
    expect(await auditOf(String(grant?.grant_id))).toMatchObject([{ action: "grant.give", actor: "holder of key_a1", partner_id: "acme" }]);
    expect(JSON.stringify(await auditOf(String(grant?.grant_id)))).not.toContain(keys.acme);
    expect((await callTool(CART, cart(), bearer(access))).body.result.structuredContent).toMatchObject({ success: true });
  });
});

describe("an app with a scheme of its own", () => {
  const APP = "example-editor://vendor.extension/oauth/callback";
  const registered = async (redirect_uri: string) =>
    (await register({ client_name: "Editor", redirect_uris: [redirect_uri] })).body.client_id as string;

  it("signs in, is named by its scheme, and is led back to", async () => {
    const id = await registered(APP);
    const page = await new Browser().get(await authorizeAddress(id, { redirect_uri: APP }));
    expect(page.status).toBe(200);
    for (const words of ["opens addresses with <strong>example-editor:</strong>", "app on this computer"])
      expect(page.text).toContain(words);
    const back = await allow({ clientId: id, authorize: { redirect_uri: APP } });
    expect([back.protocol, back.host, back.searchParams.get("state")]).toEqual(["example-editor:", "vendor.extension", "the-state"]);
    const { status, body } = await exchange(id, back.searchParams.get("code") ?? "", { redirect_uri: APP });
    expect([status, body.token_type]).toEqual([200, "bearer"]);
  });

  it.each(["editor://vendor.extension/callback", "com.example.app:/oauth", "my-app://oauth"])("may be %s", async (address) => {
    const page = await new Browser().get(await authorizeAddress(await registered(address), { redirect_uri: address }));
    expect([page.status, page.text.includes(`<strong>${new URL(address).protocol}</strong>`)]).toEqual([200, true]);
  });

  it.each([
    "tel:123",
    "ms-settings:about",
    "intent://x/#Intent;end",
    "view-source:https://evil.example/",
    "about:blank",
    "ws://evil.example/",
  ])("is not led to %s", async (address) => {
    const { status, body } = await register({ client_name: "Editor", redirect_uris: [address] });
    if (status === 400) return;
    const page = await new Browser().get(await authorizeAddress(body.client_id, { redirect_uri: address }));
    expect([page.status, page.headers.get("Location"), page.text.includes("This cannot go on")]).toEqual([400, null, true]);
  });

  it("is not led to another address of its scheme", async () => {
    const id = await registered(APP);
    const page = await new Browser().get(await authorizeAddress(id, { redirect_uri: "example-editor://evil/oauth/callback" }));
    expect([page.status, page.text.includes("This cannot go on")]).toEqual([400, true]);
  });
});

describe("a host that describes itself on the web", () => {
  const DESCRIPTION = "https://assistant.example/client.json";
  let others: typeof fetch;
  beforeEach(() => {
    others = globalThis.fetch;
  });
  const describedBy = (body: object, status = 200) => {
    globalThis.fetch = async (input, init) => {
      const { url } = new Request(input, init);
      return url === DESCRIPTION ? Response.json(body, { status }) : others(input, init);
    };
  };
  afterEach(() => {
    globalThis.fetch = others;
  });
  const right = {
    client_id: DESCRIPTION,
    client_name: "Assistant",
    redirect_uris: ["https://assistant.example/callback"],
    token_endpoint_auth_method: "none",
  };
  const there = { redirect_uri: "https://assistant.example/callback" };

  it("needs no registration, and is shown with its domain", async () => {
    describedBy(right);
    const page = await new Browser().get(await authorizeAddress(DESCRIPTION, there));
    expect([page.status, page.text.includes("It was published by assistant.example")]).toEqual([200, true]);
    const back = await allow({ clientId: DESCRIPTION, authorize: there });
    const { status, body } = await exchange(DESCRIPTION, back.searchParams.get("code") ?? "", there);
    expect([status, body.token_type]).toEqual([200, "bearer"]);
  });

  it("leaves nothing open where its description is gone at the end", async () => {
    describedBy(right);
    const browser = new Browser();
    const first = await browser.get(await authorizeAddress(DESCRIPTION, there));
    const second = await browser.post("/oauth/authorize", [
      ["handle", held(first).handle],
      ["key", keys.globex],
      ["decision", "go_on"],
    ]);
    let asked = 0;
    const before = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      asked += 1;
      return asked === 1 ? before(input, init) : Response.json({}, { status: 500 });
    };
    const end = await browser.post(`/oauth/grant?state=${held(second).state}`, [
      ["permission", "balance_view"],
      ["environment", "test"],
      ["decision", "allow"],
    ]);
    expect(end.status).toBe(400);
    expect((await grantsOf("globex")).filter(({ revoked_at }) => revoked_at === null)).toEqual([]);
  });

  it.each<[string, object, number]>([
    ["cannot be had", right, 500],
    ["is another's", { ...right, client_id: "https://other.example/client.json" }, 200],
    ["has no addresses", { ...right, redirect_uris: [] }, 200],
  ])("is refused if its description %s", async (_what, body, status) => {
    describedBy(body, status);
    const page = await new Browser().get(await authorizeAddress(DESCRIPTION, there));
    expect([page.status, page.headers.get("Location")]).toEqual([400, null]);
  });
});
