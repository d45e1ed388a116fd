import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY } from "../../src/core/clock.ts";
import { limits } from "../../src/core/limits.ts";
import { grants, oauthEntries } from "../../src/db/schema/grants.ts";
import { changeCounts } from "../../src/db/schema/index.ts";
import { keys, LIST } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { loggedBy } from "../support/logged.ts";
import { allow, authorizeAddress, Browser, bearer, callTool, exchange, register, signIn, tokens } from "../support/sign-in.ts";
import { countOf, deleteRows, insertRow, rowOf, rowsOf } from "../support/tables.ts";

beforeEach(() => deleteRows(oauthEntries));
afterEach(realTime);

const entryOf = (clientId: string) => rowOf(oauthEntries, { key: `client:${clientId}` });
/** D1 round trips of the requests of some work, as their lines in the log say them. */
async function tripsOf(work: () => Promise<unknown>): Promise<number[]> {
  const lines = await loggedBy(work);
  return lines.map((text) => JSON.parse(text)).flatMap(({ message, trips }) => (message === "request" ? [trips] : []));
}

describe("what an unknown caller has stored", () => {
  it("is a registration of an hour, with the beginning of its name", async () => {
    const { body } = await register({ client_name: "N".repeat(1_000) });
    const entry = await entryOf(body.client_id);
    expect(JSON.parse(entry?.value ?? "{}").clientName).toHaveLength(limits.unproven.nameCharacters);
    expect(entry?.expires_at - Date.now()).toBeLessThanOrEqual(limits.unproven.minutes * MINUTE);
    pass(61 * MINUTE);
    await cron();
    expect(await entryOf(body.client_id)).toBeNull();
  });

  it("is kept as long as grants are once a person has signed in with it, also where it is renewed", async () => {
    const { clientId, refresh } = await signIn();
    const isKept = async () => (await entryOf(clientId))?.expires_at - Date.now() > (limits.grant.days - 1) * DAY;
    expect(await isKept()).toBe(true);
    expect(await entryOf(clientId)).toMatchObject({ unproven_since: null });
    pass(50 * DAY);
    expect((await tokens({ grant_type: "refresh_token", refresh_token: refresh, client_id: clientId })).status).toBe(200);
    expect(await isKept()).toBe(true);
  });

  it("is no registration of more than two kilobytes", async () => {
    const redirect_uris = Array.from({ length: 40 }, (_, index) => `https://host.example/a-long-callback-address/${index}`);
    expect(await register({ redirect_uris })).toMatchObject({ status: 400, body: { error: "invalid_client_metadata" } });
    expect(await countOf(oauthEntries)).toBe(0);
  });

  it("is no page for more than two kilobytes", async () => {
    const { body } = await register();
    const page = await new Browser().get(await authorizeAddress(body.client_id, { state: "s".repeat(2_000) }));
    expect([page.status, page.text.includes("2048 bytes")]).toEqual([400, true]);
    expect(await countOf(oauthEntries)).toBe(1);
    for (const { value } of await rowsOf(oauthEntries)) expect(value.length).toBeLessThanOrEqual(limits.unproven.bytes);
  });

  it("is so many entries at most: the oldest unused go first, and those that are used stay", async () => {
    const used = await signIn();
    const { entries } = limits.unproven;
    await env.DIRECTORY.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO oauth_entries (key, value, expires_at, unproven_since) SELECT 'client:many' || i, '{}', ?, ? + i FROM n`,
    )
      .bind(entries, Date.now() + MINUTE, Date.now() - DAY)
      .run();
    const { body } = await register();
    const left = await rowsOf(oauthEntries);
    const unproven = left.filter(({ unproven_since }) => unproven_since !== null);
    expect(unproven).toHaveLength(entries);
    const names = new Set(left.map(({ key }) => key));
    expect([names.has(`client:${body.client_id}`), names.has(`client:${used.clientId}`)]).toEqual([true, true]);
    expect([names.has("client:many1"), names.has("client:many2")]).toEqual([false, true]);
  });
});

describe("an invented", () => {
  it("token costs no query", async () => {
    const { access } = await signIn();
    const [sealedToken = "", seal = ""] = access.split(".");
    const forged = seal.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    for (const token of ["key_1:grant:secret", `a:b:c.${"0".repeat(24)}`, `${sealedToken}x.${seal}`, `${sealedToken}.${forged}`]) {
      expect(await tripsOf(() => callTool(LIST, {}, bearer(token)))).toEqual([0]);
    }
    expect(await tripsOf(() => callTool(LIST, { environment: "test" }, bearer(access)))).not.toEqual([0]);
  });

  it.each<[string, Record<string, string>]>([
    ["code", { grant_type: "authorization_code", code: "key_1:grant:secret", client_id: "nobody" }],
    ["refresh token", { grant_type: "refresh_token", refresh_token: "key_1:grant:secret", client_id: "nobody" }],
    ["token that is given back", { token: "key_1:grant:secret", client_id: "nobody" }],
    ["client without a code", { grant_type: "authorization_code", client_id: "nobody" }],
    ["kind of grant", { grant_type: "password", client_id: "nobody" }],
  ])("%s costs no query", async (_what, fields) => {
    expect(await tripsOf(() => tokens(fields))).toEqual([0]);
  });

  it("refresh token of a grant that is known ends nothing: it has no seal of ours", async () => {
    const { clientId, access, refresh } = await signIn();
    const invented = refresh.replace(/[^:]+$/, `x.${refresh.split(".")[1]}`);
    for (const refresh_token of [invented, refresh.split(".")[0] ?? ""])
      expect((await tokens({ grant_type: "refresh_token", refresh_token, client_id: clientId })).body).toMatchObject({
        error: "invalid_grant",
      });
    expect((await callTool(LIST, { environment: "test" }, bearer(access))).status).toBe(200);
  });

  it("second carrier is refused: the one that is checked is the one that is used", async () => {
    const { clientId, refresh } = await signIn();
    const both = { grant_type: "refresh_token", refresh_token: refresh, code: "a:b:c", client_id: clientId };
    expect(await tripsOf(() => tokens(both))).toEqual([0]);
    expect((await tokens(both)).body).toMatchObject({ error: "invalid_request" });
  });

  it("code of a grant that is known is answered as one that was never given", async () => {
    const clientId = (await register()).body.client_id;
    const back = await allow({ clientId, key: keys.acme });
    const code = back.searchParams.get("code") ?? "";
    expect((await exchange(clientId, code.replace(/[^:]+$/, "invented"))).body).toMatchObject({ error: "invalid_grant" });
    expect((await exchange(clientId, code)).status).toBe(200);
  });
});

it("the keys of an account give access to two hundred apps a day at most, also where it is ended at once", async () => {
  const { clientId } = await signIn();
  await deleteRows(changeCounts, { subject: "grants of acme" });
  const period = Date.now() - (Date.now() % DAY);
  await insertRow(changeCounts, { subject: "grants of acme", period, count: limits.grant.perDay - 1 });
  const before = await countOf(grants);
  expect((await allow({ clientId })).searchParams.get("code")).not.toBeNull();
  expect((await allow({ clientId })).href).toBe("about:blank");
  expect(await countOf(grants)).toBe(before + 1);
  await deleteRows(changeCounts, { subject: "grants of acme" });
});

it("a key gives access to fifty apps at most", async () => {
  const { clientId } = await signIn();
  const [grant] = await rowsOf(grants);
  const others = Array.from({ length: limits.grant.perKey }, (_, index) => ({ ...grant, id: `grant_many${index}` }));
  for (const one of others) {
    const names = Object.keys(one);
    const marks = names.map(() => "?").join();
    await env.DIRECTORY.prepare(`INSERT INTO grants (${names.join()}) VALUES (${marks})`)
      .bind(...Object.values(one))
      .run();
  }
  expect((await allow({ clientId })).href).toBe("about:blank");
  await deleteRows(grants, { partner_id: "acme" });
});
