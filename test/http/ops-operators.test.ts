import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { Deps } from "../../src/deps.ts";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import { createAccessVerifier } from "../../src/operators/access-token.ts";
import { mayCall, type NeededRole, type Role, roles } from "../../src/operators/roles.ts";
import { createRefusalLimit } from "../../src/rate-limits/refusals.ts";
import { buildApp } from "../support/app.ts";
import { cellDeps } from "../support/cells.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { EDGE } from "../support/stack.ts";
import { virtualTime } from "../support/virtual-time.ts";

const TEAM = "partner-payments.cloudflareaccess.com";
const AUDIENCE = "the-application";

let sign: (claims?: object, more?: { issuer?: string; audience?: string; expires?: string; other?: boolean }) => Promise<string>;
let serve: (path: string, init?: RequestInit) => Promise<{ status: number; body: any; headers: Headers }>;

beforeAll(async () => {
  const [ours, others] = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
  const certs = { keys: [{ ...(await exportJWK(ours.publicKey)), kid: "one", alg: "RS256", use: "sig" }] };
  sign = (claims = { email: "Ann@Example.com" }, { issuer = `https://${TEAM}`, audience = AUDIENCE, expires = "5m", other = false } = {}) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(other ? others.privateKey : ours.privateKey);
  const verifyAccessToken = createAccessVerifier({ teamDomain: TEAM, audience: AUDIENCE }, () => Promise.resolve(Response.json(certs)));
  const { fetch } = appWith({ verifyAccessToken });
  serve = fetch;
});

/** The service with other dependencies than those of the tests' Worker. */
function appWith(some: Partial<Deps>) {
  const deps: Deps = { ...cellDeps(), ...some, forRequest: (_request, address) => ({ ...deps, address }) };
  const app = buildApp(deps);
  return {
    async fetch(path: string, init: RequestInit = {}) {
      const response = await app(new Request(`${EDGE}/ops/${path}`, init), createExecutionContext());
      return { status: response.status, body: await response.json<any>(), headers: response.headers };
    },
  };
}

const as = (token: string, init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: {
    "Content-Type": "application/json",
    Origin: EDGE,
    "Cf-Access-Jwt-Assertion": token,
    ...(init.headers as Record<string, string>),
  },
});
const give = (held: readonly Role[], email = "ann@example.com") => change(`operators/${email}`, { roles: held }, "PUT");

describe("a person who signs in", () => {
  it("may do nothing without a role, and looks with any", async () => {
    await give([]);
    const refused = await serve("partners", as(await sign()));
    expect(refused).toMatchObject({ status: 403, body: { success: false, error: expect.stringContaining("operators set") } });
    for (const role of roles) {
      await give([role]);
      expect((await serve("partners", as(await sign()))).status).toBe(200);
    }
  });

  it("is named in the audit log by the address, however it was written", async () => {
    await give(["admin"]);
    const made = await serve("partners", as(await sign(), { method: "POST", body: JSON.stringify({ id: "by-ann", name: "By Ann" }) }));
    expect(made.status).toBe(201);
    expect(await auditOf("by-ann")).toMatchObject([{ actor: "ann@example.com", action: "partner.create" }]);
  });

  it("loses a role at the next request", async () => {
    await give(["moderation"]);
    const token = await sign();
    await give(["support"]);
    const refused = await serve("products/card/none/approve", as(token, { method: "POST" }));
    expect(refused).toMatchObject({ status: 403, body: { error: expect.stringContaining("moderation") } });
  });

  it.each([
    ["of another application", { audience: "another" }],
    ["of another team", { issuer: "https://others.cloudflareaccess.com" }],
    ["that is over", { expires: "-5m" }],
    ["that somebody else signed", { other: true }],
  ])("is refused with a token %s", async (_what, wrong) => {
    await give(["admin"]);
    expect((await serve("partners", as(await sign(undefined, wrong)))).status).toBe(401);
  });

  it.each(["", "nonsense", "a.b.c"])("is refused with the token %j", async (token) => {
    expect((await serve("partners", as(token))).status).toBe(401);
  });

  it("is refused where the token names nobody", async () => {
    expect((await serve("partners", as(await sign({ common_name: "a program" })))).status).toBe(401);
  });

  it("changes nothing from another site's page", async () => {
    await give(["admin"]);
    const init = { method: "POST", body: JSON.stringify({ id: "forged", name: "Forged" }) };
    // Without an origin it comes from no page of ours either.
    const { headers, ...rest } = as(await sign(), init);
    const { Origin: _, ...without } = headers as Record<string, string>;
    expect((await serve("partners", { ...rest, headers: without })).status).toBe(403);
    const forged = await serve("partners", as(await sign(), { ...init, headers: { Origin: "https://evil.example" } }));
    expect(forged.status).toBe(403);
    expect((await ops("partners/forged")).status).toBe(404);
    const { settings } = cellDeps();
    expect((await serve("partners", as(await sign(), { ...init, headers: { Origin: settings.apiOrigin } }))).status).toBe(201);
  });

  it("is nobody where no sign-in is set up", async () => {
    const { fetch } = appWith({ verifyAccessToken: null });
    expect((await fetch("partners", as(await sign()))).status).toBe(401);
  });
});

describe("roles", () => {
  it("are given and taken, on record, and listed", async () => {
    expect((await give(["support", "admin"], "Bob@Example.com")).body).toEqual({ email: "bob@example.com", roles: ["support", "admin"] });
    expect((await ops("operators?limit=100")).body.data).toContainEqual({
      email: "bob@example.com",
      roles: ["support", "admin"],
      since: expect.stringMatching(/Z$/),
    });
    for (const _ of [1, 2]) await give([], "bob@example.com");
    expect((await ops("operators?limit=100")).body.data).not.toContainEqual(expect.objectContaining({ email: "bob@example.com" }));
    expect(await auditOf("bob@example.com")).toMatchObject([
      { action: "operator.set_roles", before: { roles: ["support", "admin"] }, after: { roles: [] } },
      { before: null, after: { roles: ["support", "admin"] } },
    ]);
    expect((await change("operators/nobody", { roles: [] }, "PUT")).status).toBe(400);
    expect((await give(["owner" as Role])).status).toBe(400);
  });

  const allowed: Record<NeededRole, readonly Role[]> = {
    any: ["support", "moderation", "admin"],
    support: ["support", "admin"],
    moderation: ["moderation", "admin"],
    admin: ["admin"],
  };
  it.each(Object.keys(allowed) as NeededRole[])("that a call of %s takes", (needed) => {
    for (const role of roles) expect([role, mayCall(new Set([role]), needed)]).toEqual([role, allowed[needed].includes(role)]);
    expect(mayCall(new Set(), needed)).toBe(false);
    expect(mayCall(new Set(["support", "moderation"]), needed)).toBe(needed !== "admin");
  });

  it.each(opsCalls.map((call) => [call.method, call.path, call] as const))(
    "are asked for by %s %s before anything else",
    async (method, path, call) => {
      const held = roles.find((role) => !mayCall(new Set([role]), call.role));
      await give(held === undefined ? [] : [held]);
      const address = path.replace("/ops/", "").replaceAll(/\{\w+\}/g, "none");
      const refused = await serve(address, as(await sign(), { method, ...(method === "GET" ? {} : { body: "not JSON" }) }));
      expect([refused.status, refused.body]).toEqual([403, { success: false, error: expect.stringContaining("role") }]);
    },
  );

  it("of changes are never those of looking", () => {
    for (const { method, role, path } of opsCalls)
      expect([path, method === "GET", role === "any"]).toEqual([path, method === "GET", method === "GET"]);
  });
});

describe("the shared token", () => {
  const withToken = (token: string, address = "192.0.2.1") => ({
    headers: { Authorization: `Bearer ${token}`, "CF-Connecting-IP": address },
  });

  it("may be tried ten times a minute from one address; then even the right one must wait", async () => {
    const refusals = new Map<string, number>();
    const binding = {
      limit({ key }: { key: string }) {
        refusals.set(key, (refusals.get(key) ?? 0) + 1);
        return Promise.resolve({ success: (refusals.get(key) ?? 0) <= 10 });
      },
    };
    const { clock } = cellDeps();
    const { fetch } = appWith({
      rateLimits: { ...cellDeps().rateLimits, operatorLogins: createRefusalLimit(binding, 1, clock) },
    });
    for (let tried = 1; tried <= 10; tried += 1) expect((await fetch("partners", withToken("wrong"))).status).toBe(401);
    expect((await fetch("partners", withToken("ops-local"))).status).toBe(200);
    expect((await fetch("partners", withToken("wrong"))).status).toBe(401);
    // From now on a wrong token waits for its turn, and the right one works at once.
    virtualTime();
    expect((await fetch("partners", withToken("ops-local"))).status).toBe(200);
    const many = await Promise.all(Array.from({ length: 22 }, () => fetch("partners", withToken("wrong"))));
    expect(many.map(({ status }) => status).filter((status) => status === 401)).toHaveLength(20);
    const waits = many.find(({ status }) => status === 429);
    expect(Number(waits?.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(waits?.body).toEqual({ success: false, error: expect.stringContaining("Try again in") });
    realTime();
    expect((await fetch("partners", withToken("ops-local", "192.0.2.2"))).status).toBe(200);
    pass(MINUTE);
    expect((await fetch("partners", withToken("ops-local"))).status).toBe(200);
    realTime();
  });

  it("is counted by the platform's binding, each address by itself", async () => {
    const limit = createRefusalLimit(env.OPERATOR_LOGINS, 1, cellDeps().clock);
    // Ten are let through in a period, and another period may begin meanwhile.
    for (let tried = 1; tried <= 21; tried += 1) await limit.refuse("192.0.2.3");
    expect([limit.waitOf("192.0.2.3") > 0, limit.waitOf("192.0.2.4")]).toEqual([true, 0]);
  });
});

it("somebody with the shared token cannot take the name of one who signs in", async () => {
  const refused = await ops("partners", {
    method: "POST",
    body: { id: "as-ann", name: "x" },
    headers: { "X-Operator": "ann%40example.com" },
  });
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining("without @") } });
});

/** The service with another verifier of tokens, and the addresses whose logins it refused. */
function countingRefusals(verifyAccessToken: Deps["verifyAccessToken"]) {
  const refusals: string[] = [];
  const operatorLogins = {
    waitForSlot: () => Promise.resolve(0),
    waitOf: () => 0,
    refuse: (address: string) => Promise.resolve(void refusals.push(address)),
  };
  return { ...appWith({ verifyAccessToken, rateLimits: { ...cellDeps().rateLimits, operatorLogins } }), refusals };
}

it("keys of the sign-in that cannot be fetched are nobody's fault, and count against nobody", async () => {
  const verifyAccessToken = createAccessVerifier({ teamDomain: TEAM, audience: AUDIENCE }, () =>
    Promise.resolve(new Response("out", { status: 503 })),
  );
  const { fetch, refusals } = countingRefusals(verifyAccessToken);
  expect((await fetch("partners", as(await sign()))).status).toBe(500);
  expect(refusals).toEqual([]);
});

it.each([
  ["no key id where the sign-in has two keys", { alg: "RS256" }],
  ["the id of a key that is not there", { alg: "RS256", kid: "three" }],
  ["an extension that is not known", { alg: "RS256", kid: "one", crit: ["strange"], strange: 1 }],
])("a token with %s is a refused login that counts", async (_what, header) => {
  const pairs = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
  const keys = await Promise.all(
    pairs.map(async ({ publicKey }, index) => ({ ...(await exportJWK(publicKey)), kid: ["one", "two"][index], alg: "RS256" })),
  );
  const verifyAccessToken = createAccessVerifier({ teamDomain: TEAM, audience: AUDIENCE }, () => Promise.resolve(Response.json({ keys })));
  const { fetch, refusals } = countingRefusals(verifyAccessToken);
  const base64 = (value: object) => btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const claims = { email: "ann@example.com", iss: `https://${TEAM}`, aud: AUDIENCE, exp: Math.floor(Date.now() / 1_000) + 60 };
  const { status } = await fetch("partners", as(`${base64(header)}.${base64(claims)}.${"A".repeat(342)}`));
  expect([status, refusals.length]).toEqual([401, 1]);
});

describe("the description of the calls", () => {
  it("has each of them once, and is for operators", async () => {
    const { body } = await ops("openapi.json");
    const described = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const session = ["DELETE", "GET", "POST"].map((method) => `${method} /ops/session`);
    expect(described.toSorted()).toEqual([...opsCalls.map(({ method, path }) => `${method} ${path}`), ...session].toSorted());
    expect(new Set(opsCalls.map(({ command }) => command)).size).toBe(opsCalls.length);
    expect((await ops("openapi.json", { headers: { Authorization: "" } })).status).toBe(401);
  });

  it("says the methods of a path, and that there is no other call", async () => {
    const wrong = await ops("partners", { method: "DELETE" });
    expect([wrong.status, wrong.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST"]);
    expect((await ops("nothing")).status).toBe(404);
  });
});
