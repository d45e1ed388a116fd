import { afterEach, beforeEach, expect, it } from "vitest";
import { localSecrets } from "../../sandbox/local-settings.ts";
import { operatorSessions } from "../../src/db/schema/operators.ts";
import { send } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { HOUR, pass, realTime } from "../support/later.ts";
import { loggedBy } from "../support/logged.ts";
import { EDGE } from "../support/stack.ts";
import { countOf, deleteRows, rowsOf, updateRows } from "../support/tables.ts";

beforeEach(() => deleteRows(operatorSessions));
afterEach(realTime);

const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
  body: new URLSearchParams(fields).toString(),
});

async function signedIn(): Promise<string> {
  const answer = await send("/ops/login", form({ token: localSecrets.OPS_TOKEN, name: "Ann" }, { Origin: EDGE }));
  expect(answer.status).toBe(302);
  return (answer.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
}
const isOpen = async (cookie: string) => (await send("/ops/", { headers: { Cookie: cookie } })).status === 200;

it("a session ends at signing out: what the browser kept opens nothing any more", async () => {
  const cookie = await signedIn();
  expect(await isOpen(cookie)).toBe(true);
  const out = await send("/ops/logout", { method: "POST", headers: { Cookie: cookie, Origin: EDGE } });
  expect([out.status, out.headers.get("Location")]).toEqual([302, "/ops/login"]);
  expect(await isOpen(cookie)).toBe(false);
  expect(await countOf(operatorSessions)).toBe(0);
});

it.each([{}, { Origin: "https://elsewhere.example" }])("nobody is signed out by another site's form: %j", async (headers) => {
  const cookie = await signedIn();
  expect((await send("/ops/logout", { method: "POST", headers: { Cookie: cookie, ...headers } })).status).toBe(403);
  expect(await isOpen(cookie)).toBe(true);
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

it("signing in again ends the session before", async () => {
  const first = await signedIn();
  const again = await send("/ops/login", form({ token: localSecrets.OPS_TOKEN, name: "Ann" }, { Origin: EDGE, Cookie: first }));
  const second = (again.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
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
  const [token = ""] = decodeURIComponent(cookie.replace("ops_session=", "")).split(".");
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(await rowsOf(operatorSessions))).not.toContain(token);
  const lines = await loggedBy(() => send("/ops/", { headers: { Cookie: `ops_session=${token}.${"A".repeat(43)}%3D` } }));
  expect(lines.map((text) => JSON.parse(text))).toContainEqual(expect.objectContaining({ message: "request", trips: 0, status: 302 }));
});

it("no page of this host shares a window with the operators' pages", async () => {
  for (const path of ["/ops/login", "/ops/partners"]) {
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
  expect(sources).toBe(`${EDGE}/docs/`);
  // A worker of the page's script could answer for pages, with a policy of its own.
  for (const path of ["/docs", "/docs/reference", "/openapi.json"])
    expect((await send(path)).headers.get("Content-Security-Policy")).toContain("worker-src 'none'");
  expect([ofReference.get("Cross-Origin-Opener-Policy"), ofReference.get("Cross-Origin-Embedder-Policy")]).toEqual(["same-origin", null]);
});
