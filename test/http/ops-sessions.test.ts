import { afterEach, beforeEach, expect, it } from "vitest";
import { localSecrets } from "../../sandbox/local-settings.ts";
import { limits } from "../../src/core/limits.ts";
import { operatorSessions } from "../../src/db/schema/operators.ts";
import { send } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { HOUR, pass, realTime } from "../support/later.ts";
import { loggedBy } from "../support/logged.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { EDGE } from "../support/stack.ts";
import { countOf, deleteRows, rowsOf, updateRows } from "../support/tables.ts";

beforeEach(() => deleteRows(operatorSessions));
afterEach(realTime);

const begin = (body: object, headers: Record<string, string> = { Origin: EDGE }) =>
  send("/ops/session", { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });
const ANN = { token: localSecrets.OPS_TOKEN, name: "Ann" };

async function signedIn(headers: Record<string, string> = {}): Promise<string> {
  const answer = await begin(ANN, { Origin: EDGE, ...headers });
  expect([answer.status, answer.body]).toEqual([201, { success: true, operator: "Ann" }]);
  return (answer.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
}
const session = (cookie: string) => send("/ops/session", { headers: { Cookie: cookie } });
const isOpen = async (cookie: string) => (await send("/ops/partners", { headers: { Cookie: cookie } })).status === 200;

it("a session says who is signed in, and opens the calls", async () => {
  const cookie = await signedIn();
  expect((await session(cookie)).body).toEqual({
    operator: "Ann",
    roles: ["support", "moderation", "admin"],
    by: "token",
    session: expect.stringMatching(/^opses_[0-9a-f]{16}$/),
  });
  expect(await isOpen(cookie)).toBe(true);
  expect((await session("")).status).toBe(401);
});

it("a session ends at signing out: what the browser kept opens nothing any more", async () => {
  const cookie = await signedIn();
  const { session: name } = (await session(cookie)).body;
  expect((await send("/ops/session", { method: "DELETE", headers: { Cookie: cookie, Origin: EDGE } })).status).toBe(200);
  expect(await auditOf(name)).toMatchObject([
    { action: "operator_session.end", actor: "Ann" },
    { action: "operator_session.start", actor: "Ann" },
  ]);
  expect(await isOpen(cookie)).toBe(false);
  expect(await countOf(operatorSessions)).toBe(0);
});

it.each([{}, { Origin: "https://elsewhere.example" }])("nobody is signed in or out by another site's page: %j", async (headers) => {
  const cookie = await signedIn();
  expect((await send("/ops/session", { method: "DELETE", headers: { Cookie: cookie, ...headers } })).status).toBe(403);
  expect((await begin(ANN, headers)).status).toBe(403);
  expect(await isOpen(cookie)).toBe(true);
});

it("a session changes nothing for another site's page", async () => {
  const cookie = await signedIn();
  const add = (origin: string) =>
    send("/ops/partners", {
      method: "POST",
      headers: { "Content-Type": "application/json", Cookie: cookie, Origin: origin },
      body: JSON.stringify({ id: "by-session", name: "By session" }),
    });
  expect((await add("https://elsewhere.example")).status).toBe(403);
  expect((await add(EDGE)).status).toBe(201);
});

it("the shared token is what a session begins with, and who guesses is counted", async () => {
  const refused = await begin({ ...ANN, token: "wrong" });
  expect([refused.status, refused.body, refused.headers.get("Set-Cookie")]).toEqual([
    401,
    { success: false, error: "This is not the operators' token." },
    null,
  ]);
  expect((await begin({ token: localSecrets.OPS_TOKEN })).body.error).toMatch(/^name: /);
  expect((await begin({ ...ANN, name: "ann@example.com" })).status).toBe(400);
});

it("a session ends after eight hours, and its row goes", async () => {
  const cookie = await signedIn();
  pass(8 * HOUR - 1_000);
  expect(await isOpen(cookie)).toBe(true);
  pass(8 * HOUR);
  expect(await isOpen(cookie)).toBe(false);
  await cron();
  expect(await countOf(operatorSessions)).toBe(0);
});

it("open sessions are listed with their browser and their use, and one is ended by its name, which opens nothing", async () => {
  const stolen = await signedIn({ "User-Agent": "Stolen/1.0" });
  pass(59_000);
  expect(await isOpen(stolen)).toBe(true);
  const [before] = (await ops("sessions")).body.data;
  expect([before.operator, before.browser, before.last_used_at]).toEqual(["Ann", "Stolen/1.0", before.created_at]);
  pass(1_000);
  const own = await signedIn({ "User-Agent": "Own/1.0" });
  expect(await isOpen(stolen)).toBe(true);
  const { data } = (await ops("sessions")).body;
  expect(data.map(({ browser }: { browser: string }) => browser)).toEqual(["Own/1.0", "Stolen/1.0"]);
  expect(data[1].last_used_at > data[1].created_at).toBe(true);
  expect(Date.parse(data[1].expires_at) - Date.parse(data[1].created_at)).toBe(8 * HOUR);
  const name = (await session(stolen)).body.session;
  expect(name).toBe(data[1].session);
  expect(await isOpen(`__Host-ops-session=${name}`)).toBe(false);
  expect((await change(`sessions/${name}/end`)).body).toEqual({ success: true });
  expect([await isOpen(stolen), await isOpen(own)]).toEqual([false, true]);
  for (const unknown of [name, "opses_0000000000000000", "opses_", "opses_%25"])
    expect((await change(`sessions/${unknown}/end`)).status).toBe(404);
  expect(await auditOf(name)).toMatchObject([
    { action: "operator_session.end", actor: "Maria" },
    { action: "operator_session.start", actor: "Ann" },
  ]);
});

it("sessions of a former token are not listed", async () => {
  const cookie = await signedIn();
  expect((await ops("sessions")).body.data).toHaveLength(1);
  await updateRows(operatorSessions, { token_digest: "0123456789abcdef" });
  expect((await ops("sessions")).body.data).toEqual([]);
  expect(await isOpen(cookie)).toBe(false);
});

it("of more than fifty sessions the oldest end", async () => {
  const first = await signedIn();
  const named = (await session(first)).body.session;
  for (let others = 0; others < limits.live.operatorSessions; others += 1) {
    pass(1_000);
    await signedIn();
  }
  expect(await countOf(operatorSessions)).toBe(50);
  expect(await isOpen(first)).toBe(false);
  expect((await auditOf(named)).filter(({ action }) => action === "operator_session.end")).toMatchObject([{ actor: "Ann" }]);
});

it("signing in again ends the session before", async () => {
  const first = await signedIn();
  const second = await signedIn({ Cookie: first });
  expect([await isOpen(first), await isOpen(second)]).toEqual([false, true]);
});

it.each(["the service", "Holder of key_a1"])("nobody with the shared token can call themselves %s", async (name) => {
  const headers = { Authorization: `Bearer ${localSecrets.OPS_TOKEN}`, "X-Operator": encodeURIComponent(name) };
  expect((await send("/ops/partners", { headers })).status).toBe(400);
});

it("a session ends with the shared token that began it", async () => {
  const cookie = await signedIn();
  await updateRows(operatorSessions, { token_digest: "0123456789abcdef" });
  expect(await isOpen(cookie)).toBe(false);
});

it("the database has no cookie, and an invented cookie costs no query", async () => {
  const cookie = await signedIn();
  const [token = ""] = decodeURIComponent(cookie.replace("__Host-ops-session=", "")).split(".");
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(await rowsOf(operatorSessions))).not.toContain(token);
  const lines = await loggedBy(() => send("/ops/session", { headers: { Cookie: `__Host-ops-session=${token}.${"A".repeat(43)}%3D` } }));
  expect(lines.map((text) => JSON.parse(text))).toContainEqual(expect.objectContaining({ message: "request", trips: 0, status: 401 }));
});

it("no page of this host shares a window with the operators' calls", async () => {
  for (const path of ["/ops/session", "/ops/partners"]) {
    const { headers } = await send(path);
    expect([headers.get("Cross-Origin-Opener-Policy"), headers.get("Cross-Origin-Embedder-Policy")]).toEqual([
      "same-origin",
      "require-corp",
    ]);
    expect([headers.get("X-Content-Type-Options"), headers.get("Content-Security-Policy")]).toEqual([
      "nosniff",
      expect.stringContaining("default-src 'none'"),
    ]);
  }
  const { headers: ofReference } = await send("/docs/reference");
  const [, sources = ""] = /connect-src ([^;]+)/.exec(ofReference.get("Content-Security-Policy") ?? "") ?? [];
  // Its console calls the operations, which take a key alone: never what takes a session.
  const [pages, ...called] = sources.split(" ");
  expect(pages).toBe(`${EDGE}/docs/`);
  expect(called).toContain(`${EDGE}/create-partner-processor-cart-payment-link`);
  for (const one of called) expect(one).not.toMatch(/\/(?:ops|partner|dashboard|mcp)\b|\/$/);
  // A worker of the page's script could answer for pages, with a policy of its own.
  for (const path of ["/docs", "/docs/reference", "/openapi.json"])
    expect((await send(path)).headers.get("Content-Security-Policy")).toContain("worker-src 'none'");
  expect([ofReference.get("Cross-Origin-Opener-Policy"), ofReference.get("Cross-Origin-Embedder-Policy")]).toEqual(["same-origin", null]);
});
