import { beforeAll, describe, expect, it } from "vitest";
import { auditLog, changeCounts, employees, invitations, passkeys, sessions } from "../../src/db/schema/index.ts";
import { keyFor, keys, send } from "../support/api.ts";
import { Authenticator, invitationOf, Person, tokenIn } from "../support/authenticator.ts";
import { HOUR, MINUTE } from "../support/later.ts";
import { ALL_RIGHTS, newPerson, signedIn } from "../support/people.ts";
import { rowsOf, updateRows } from "../support/tables.ts";

/** People of a partner: invitations, passkeys, sessions, and what an owner may do with them. */

const ops = (method: string, path: string, body?: object) =>
  send(`/ops/${path}`, {
    method,
    headers: { Authorization: "Bearer ops-local", "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

let owner: Person & { id: string };
beforeAll(async () => {
  owner = await signedIn(ALL_RIGHTS);
});

const sessionOf = async (person: Person) => (await person.get("session")).body;

describe("an invitation", () => {
  it("says who is invited, makes a passkey, and signs in", async () => {
    const person = new Person();
    const id = await newPerson(["balance_view"]);
    const token = await invitationOf(id);
    const { body } = await person.ask("POST", "invitation/challenge", { token });
    expect(body).toMatchObject({ person: "A person", partner: "Acme", options: { rp: { id: "localhost" }, attestation: "none" } });
    expect(body.options.authenticatorSelection).toMatchObject({ residentKey: "required", userVerification: "required" });
    expect((await person.accept(token)).status).toBe(201);
    expect(await sessionOf(person)).toMatchObject({
      person: { id, name: "A person" },
      partner: { id: "acme", name: "Acme" },
      permissions: ["balance_view"],
    });
    expect((await rowsOf(passkeys, { employee_id: id }))[0]).toMatchObject({ label: "My phone" });
  });

  it("works once: neither its link nor the same answer makes a second session", async () => {
    const person = new Person();
    const token = await invitationOf(await newPerson([]));
    const { body } = await person.ask("POST", "invitation/challenge", { token });
    const accepting = { token, response: await person.device.create(body.options) };
    expect((await person.ask("POST", "invitation", accepting)).status).toBe(201);
    expect((await new Person().ask("POST", "invitation", accepting)).status).toBe(401);
    expect((await new Person().ask("POST", "invitation/challenge", { token })).status).toBe(404);
  });

  it("that two browsers accept at the same moment makes one passkey and one session", async () => {
    const id = await newPerson([]);
    const token = await invitationOf(id);
    const accepted = await Promise.all([new Person().accept(token), new Person().accept(token)].map((one) => one.catch(() => null)));
    expect(accepted.filter((one) => one?.status === 201)).toHaveLength(1);
    expect(await rowsOf(passkeys, { employee_id: id })).toHaveLength(1);
    expect((await rowsOf(sessions, { employee_id: id })).filter(({ ended_at }) => ended_at === null)).toHaveLength(1);
  });

  it("ends after 72 hours, at a new invitation, and when its person is disabled", async () => {
    const id = await newPerson([]);
    const first = await invitationOf(id);
    const second = await invitationOf(id);
    const open = async (token: string) => (await new Person().ask("POST", "invitation/challenge", { token })).status;
    expect([await open(first), await open(second)]).toEqual([404, 200]);
    const [row] = await rowsOf(invitations, { employee_id: id });
    expect(Number(row?.expires_at) - Number(row?.created_at)).toBe(72 * HOUR);
    await updateRows(invitations, { expires_at: Date.now() }, { employee_id: id });
    expect(await open(second)).toBe(404);
    const third = await invitationOf(id);
    await ops("POST", `employees/${id}/disable`);
    await ops("POST", `employees/${id}/enable`);
    expect(await open(third)).toBe(404);
    await ops("POST", `employees/${id}/disable`);
    expect((await ops("POST", `employees/${id}/invitation`)).status).toBe(409);
  });

  it.each(["", "0".repeat(64), "x"])("that was guessed (%j) opens nothing", async (token) => {
    expect((await new Person().ask("POST", "invitation/challenge", { token })).status).toBeGreaterThanOrEqual(400);
    const person = new Person();
    const { body } = await person.ask("POST", "sign-in/challenge");
    const response = await person.device.create(body.options);
    expect((await person.ask("POST", "invitation", { token, response })).status).toBeGreaterThanOrEqual(400);
    expect(person.cookie).toBe("");
  });

  it("is stored as a digest, and its link keeps the token out of what servers log", async () => {
    const { body } = await ops("POST", `employees/${await newPerson([])}/invitation`);
    expect(new URL(body.url)).toMatchObject({ pathname: "/dashboard/invitation", search: "" });
    const token = tokenIn(body.url);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(await rowsOf(invitations, {}))).not.toContain(token);
  });

  it("after a lost device ends the passkeys and sessions from before", async () => {
    const person = await signedIn([]);
    const finder = new Person();
    Object.assign(finder, { device: person.device });
    const again = new Person();
    await again.accept(await invitationOf(person.id));
    expect((await again.get("session")).status).toBe(200);
    expect((await person.get("session")).status).toBe(401);
    expect((await finder.signIn()).status).toBe(401);
  });

  it.each([
    ["another origin", { origin: "https://dashboard.example.org" }],
    ["another host", { host: "example.org" }],
    ["a person who was not verified", { flags: 0x41 }],
  ])("is not accepted with an answer for %s", async (_what, claims) => {
    const id = await newPerson([]);
    const token = await invitationOf(id);
    expect((await new Person().accept(token, claims)).status).toBe(401);
    expect(await rowsOf(passkeys, { employee_id: id })).toEqual([]);
    expect((await new Person().accept(token)).status).toBe(201);
  });
});

describe("a sign-in", () => {
  it("needs the passkey, and gives a cookie that no script and no other site can use", async () => {
    const person = await signedIn(["balance_view"]);
    person.cookie = "";
    const answer = await person.signIn();
    expect(answer.status).toBe(200);
    const cookie = answer.headers.getSetCookie()[0] ?? "";
    for (const part of [/^__Host-session=[0-9a-f]{64};/, /HttpOnly/, /Secure/, /SameSite=Strict/, /Path=\//]) expect(cookie).toMatch(part);
    expect(cookie).not.toContain("Domain");
    expect(answer.text).not.toContain(person.cookie.split("=")[1]);
    expect(JSON.stringify(await rowsOf(sessions, {}))).not.toContain(person.cookie.split("=")[1]);
  });

  it.each([
    ["of an unknown passkey", {}, true],
    ["with a forged signature", { forged: true }, false],
    ["for another origin", { origin: "https://dashboard.example.org" }, false],
    ["for another host", { host: "example.org" }, false],
    ["without the person", { flags: 0x01 }, false],
    ["with a counter that went back, as that of a copy", { step: -1 }, false],
  ])("%s is refused, and no session starts", async (_what, claims, isUnknown) => {
    const person = await signedIn([]);
    await person.signIn();
    if (isUnknown) {
      const stranger = new Authenticator();
      await stranger.create({ challenge: "" });
      Object.assign(person, { device: stranger });
    }
    person.cookie = "";
    const before = await rowsOf(sessions, { employee_id: person.id });
    expect(await person.signIn(claims)).toMatchObject({ status: 401, body: { success: false, error_code: "AUTH_REQUIRED" } });
    expect(person.cookie).toBe("");
    expect(await rowsOf(sessions, { employee_id: person.id })).toEqual(before);
  });

  it("cannot be replayed, not even after signing out", async () => {
    const person = new Person();
    // An authenticator that does not count: only the challenge tells a replay.
    const personId = await newPerson([]);
    await person.accept(await invitationOf(personId), { counter: 0 });
    const { body } = await person.ask("POST", "sign-in/challenge");
    const response = await person.device.get(body.options, { counter: 0 });
    const signing = { response };
    expect((await person.ask("POST", "sign-in", signing)).status).toBe(200);
    expect((await new Person().ask("POST", "sign-in", signing)).status).toBe(401);
    await person.ask("POST", "session/end");
    expect((await new Person().ask("POST", "sign-in", signing)).status).toBe(401);
    // Nor does it use up what the person may sign in that day.
    const [counted] = await rowsOf(changeCounts, { subject: `sign-ins of ${personId}` });
    expect(counted).toMatchObject({ count: 1 });
  });

  it("takes only our challenges, for ten minutes, and for this purpose", async () => {
    const person = await signedIn([]);
    const ask = async (challenge: string) =>
      (await new Person().ask("POST", "sign-in", { response: await person.device.get({ challenge }) })).status;
    expect(await ask("bm90IG91cnM")).toBe(401);
    const { body } = await person.ask("POST", "passkeys/challenge");
    expect(await ask(body.options.challenge)).toBe(401);
    const { body: own } = await person.ask("POST", "sign-in/challenge");
    const text = atob(own.options.challenge.replaceAll("-", "+").replaceAll("_", "/"));
    const until = Number(text.split(".")[1]);
    expect(Math.abs(until - Date.now() - 10 * MINUTE)).toBeLessThan(MINUTE);
    const prolonged = btoa(text.replace(String(until), String(until + HOUR))).replaceAll("=", "");
    expect(await ask(prolonged)).toBe(401);
    expect(await ask(own.options.challenge)).toBe(200);
  });
});

describe("a session", () => {
  it("ends by signing out: a stolen cookie is worth nothing afterwards", async () => {
    const person = await signedIn(["balance_view"]);
    const stolen = Object.assign(new Person(), { cookie: person.cookie });
    expect((await stolen.get("session")).status).toBe(200);
    const { headers } = await person.ask("POST", "session/end");
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-session=;.*Max-Age=0/);
    expect(await stolen.get("session")).toMatchObject({ status: 401, body: { error_code: "AUTH_REQUIRED" } });
    expect((await stolen.get("figures")).status).toBe(401);
  });

  it("ends after eight hours without use, and after seven days", async () => {
    const person = await signedIn([]);
    const where = { employee_id: person.id };
    await updateRows(sessions, { last_used_at: Date.now() - 8 * HOUR + MINUTE }, where);
    expect((await person.get("session")).status).toBe(200);
    expect(Number((await rowsOf(sessions, where))[0]?.last_used_at)).toBeGreaterThan(Date.now() - MINUTE);
    await updateRows(sessions, { last_used_at: Date.now() - 8 * HOUR - 1 }, where);
    expect((await person.get("session")).status).toBe(401);
    const [row] = await rowsOf(sessions, where);
    expect(Number(row?.expires_at) - Number(row?.created_at)).toBe(7 * 24 * HOUR);
    await updateRows(sessions, { last_used_at: Date.now(), expires_at: Date.now() }, where);
    expect((await person.get("session")).status).toBe(401);
  });

  it("writes its use at most once a minute", async () => {
    const person = await signedIn([]);
    const [before] = await rowsOf(sessions, { employee_id: person.id });
    await person.get("session");
    expect((await rowsOf(sessions, { employee_id: person.id }))[0]).toEqual(before);
  });

  it.each([
    ["person", (id: string) => `employees/${id}`],
    ["partner", () => "partners/globex"],
  ])("ends for good when its %s is disabled", async (_what, path) => {
    const person = await signedIn(["balance_view"], "globex");
    expect((await ops("POST", `${path(person.id)}/disable`)).status).toBe(200);
    expect((await person.get("session")).status).toBe(401);
    expect((await person.signIn()).status).toBe(401);
    expect((await ops("POST", `${path(person.id)}/enable`)).status).toBe(200);
    expect((await person.get("session")).status).toBe(401);
    expect((await person.signIn()).status).toBe(200);
  });

  it.each([
    ["a page of another site", { Origin: "https://evil.example" }],
    ["an empty origin", { Origin: "" }],
    ["a form", { "Content-Type": "text/plain" }],
  ])("changes nothing for %s", async (_what, headers) => {
    const before = await rowsOf(sessions, { employee_id: owner.id });
    const answer = await owner.ask("POST", "session/end", undefined, headers);
    expect(answer).toMatchObject({ status: 403, body: { error_code: "PERMISSION_DENIED" } });
    expect(await rowsOf(sessions, { employee_id: owner.id })).toEqual(before);
    expect((await owner.ask("POST", "sign-in/challenge", undefined, headers)).status).toBe(403);
  });

  it("changes nothing without an origin", async () => {
    const headers = { Cookie: owner.cookie, "Content-Type": "application/json" };
    expect((await send("/partner/session/end", { method: "POST", headers })).status).toBe(403);
    expect((await send("/partner/sign-in/challenge", { method: "POST", headers })).status).toBe(403);
    expect((await owner.get("session")).status).toBe(200);
  });

  it("is read by no page of another site, and an invented cookie opens none", async () => {
    expect((await owner.ask("GET", "session", undefined, { Origin: "https://evil.example" })).status).toBe(403);
    for (const token of ["x", "0".repeat(64)])
      expect((await Object.assign(new Person(), { cookie: `__Host-session=${token}` }).get("session")).status).toBe(401);
  });

  it("makes the calls of its permissions, and no other", async () => {
    const person = await signedIn(["products_view"]);
    expect((await person.get("products")).status).toBe(200);
    expect(await person.get("figures")).toMatchObject({
      status: 403,
      body: { error_message: "You do not have the permission balance_view. An owner of your account can give it to you." },
    });
    await ops("PUT", `employees/${person.id}/permissions`, { permissions: ["balance_view"] });
    expect([(await person.get("products")).status, (await person.get("figures")).status]).toEqual([403, 200]);
  });

  it("is no key, and a key is no person", async () => {
    const answer = await send("/partner/session", { headers: { "X-Partner-Api-Key": keys.acme } });
    expect(answer).toMatchObject({ status: 403, body: { error_message: expect.stringContaining("for people") } });
  });

  it("is listed for owners of its own partner, and ended one by one", async () => {
    const person = await signedIn([]);
    const foreign = await signedIn([], "globex");
    const { body } = await owner.get("sessions?limit=100");
    type Listed = { session: string; person: { id: string }; is_this: boolean; browser: string };
    const listed: Listed[] = body.data;
    expect(listed.find((one) => one.person.id === owner.id)?.is_this).toBe(true);
    expect(listed.some((one) => one.person.id === foreign.id)).toBe(false);
    const own = listed.find((one) => one.person.id === person.id);
    expect(own).toMatchObject({ is_this: false, browser: "A browser of the tests" });
    expect((await owner.ask("POST", `sessions/${own?.session}/end`)).status).toBe(200);
    expect((await person.get("session")).status).toBe(401);
    expect((await owner.ask("POST", `sessions/${own?.session}/end`)).status).toBe(404);
    const theirs = (await sessionOf(foreign)).session;
    expect((await owner.ask("POST", `sessions/${theirs}/end`)).status).toBe(404);
    expect((await foreign.get("session")).status).toBe(200);
  });
});

describe("a passkey", () => {
  it("of a second device signs in too, and either can be removed, but not the last", async () => {
    const person = await signedIn([]);
    const second = new Authenticator();
    const { body } = await person.ask("POST", "passkeys/challenge");
    expect(body.options.excludeCredentials).toHaveLength(1);
    const response = await second.create(body.options);
    const { status, body: added } = await person.ask("POST", "passkeys", { response, label: "A security key" });
    expect([status, added.label]).toEqual([201, "A security key"]);
    expect((await person.ask("POST", "passkeys", { response, label: "Again" })).status).toBe(409);
    const { body: listed } = await person.get("passkeys");
    expect(listed.data.map(({ label }: { label: string }) => label)).toEqual(["My phone", "A security key"]);
    const elsewhere = Object.assign(new Person(), { device: person.device });
    expect((await elsewhere.signIn()).status).toBe(200);
    expect((await person.ask("DELETE", `passkeys/${listed.data[0].passkey}`, {})).status).toBe(200);
    expect([(await elsewhere.get("session")).status, (await person.get("session")).status]).toEqual([401, 200]);
    expect((await Object.assign(new Person(), { device: person.device }).signIn()).status).toBe(401);
    expect((await Object.assign(new Person(), { device: second }).signIn()).status).toBe(200);
    expect((await person.ask("DELETE", `passkeys/${added.passkey}`, {})).status).toBe(409);
    expect((await person.ask("DELETE", "passkeys/none", {})).status).toBe(404);
    expect((await owner.ask("DELETE", `passkeys/${added.passkey}`, {})).status).toBe(404);
  });
});

describe("a passkey that is added", () => {
  it("needs a fresh sign-in, and a session that is still open", async () => {
    const person = await signedIn([]);
    const { body } = await person.ask("POST", "passkeys/challenge");
    const response = await new Authenticator().create(body.options);
    await updateRows(sessions, { created_at: Date.now() - 15 * MINUTE }, { employee_id: person.id });
    expect(await person.ask("POST", "passkeys", { response })).toMatchObject({
      status: 403,
      body: { error_code: "PASSKEY_REQUIRED", error_message: expect.stringContaining("Use your passkey first") },
    });
    await updateRows(sessions, { created_at: Date.now() - 14 * MINUTE }, { employee_id: person.id });
    expect((await person.ask("POST", "passkeys", { response })).status).toBe(201);
  });
});

describe("an owner", () => {
  it("invites a colleague, who signs in with what the owner gave", async () => {
    const { status, body } = await owner.ask("POST", "people", { name: "A colleague", permissions: ["balance_view"] });
    expect(status).toBe(201);
    const colleague = new Person();
    await colleague.accept(tokenIn(body.url));
    expect((await sessionOf(colleague)).permissions).toEqual(["balance_view"]);
    const { body: people } = await owner.get("people?limit=100");
    expect(people.data.find(({ id }: { id: string }) => id === body.id)).toMatchObject({
      passkeys: 1,
      invited_until: null,
      status: "active",
    });
  });

  it("gives nothing that the owner has not, neither by permission nor by invitation nor by key", async () => {
    const poor = await signedIn(["owner", "balance_view"]);
    const rich = await newPerson(["bank_payment"]);
    const refused = { status: 403, body: { error_message: expect.stringContaining("bank_payment") } };
    expect(await poor.ask("POST", "people", { name: "X", permissions: ["bank_payment"] })).toMatchObject(refused);
    expect(await poor.ask("PUT", `people/${poor.id}/permissions`, { permissions: ["owner", "bank_payment"] })).toMatchObject(refused);
    expect(await poor.ask("POST", `people/${rich}/invitation`)).toMatchObject(refused);
    expect(await poor.ask("POST", "keys", { label: "x", permissions: ["bank_payment"] })).toMatchObject(refused);
    // What a person has already may stay.
    expect((await poor.ask("PUT", `people/${rich}/permissions`, { permissions: ["bank_payment", "balance_view"] })).status).toBe(200);
  });

  it("gives nothing by an invitation either that the person got later", async () => {
    const poor = await signedIn(["owner", "balance_view"]);
    const { body } = await poor.ask("POST", "people", { name: "X", permissions: ["balance_view"] });
    expect((await owner.ask("PUT", `people/${body.id}/permissions`, { permissions: ["balance_view", "bank_payment"] })).status).toBe(200);
    expect((await new Person().ask("POST", "invitation/challenge", { token: tokenIn(body.url) })).status).toBe(404);
  });

  it("enables nobody whose keys may do more, and permits no key more", async () => {
    const poor = await signedIn(["owner", "balance_view"]);
    const id = await newPerson([]);
    const refused = { status: 403, body: { error_message: expect.stringContaining("bank_payment") } };
    const { body: key } = await owner.ask("POST", "keys", { label: "of the person", permissions: ["bank_payment"], employee_id: id });
    await owner.ask("POST", `people/${id}/disable`);
    expect(await poor.ask("POST", `people/${id}/enable`)).toMatchObject(refused);
    expect((await owner.ask("POST", `people/${id}/enable`)).status).toBe(200);
    const { body: other } = await owner.ask("POST", "keys", { label: "other", permissions: [] });
    expect(await poor.ask("PUT", `keys/${other.key_id}/permissions`, { permissions: ["bank_payment"] })).toMatchObject(refused);
    expect((await poor.ask("PUT", `keys/${key.key_id}/permissions`, { permissions: ["bank_payment", "balance_view"] })).status).toBe(200);
    await owner.ask("POST", `people/${id}/disable`);
    expect((await owner.ask("POST", "keys", { label: "dead", permissions: [], employee_id: id })).status).toBe(409);
  });

  it("leaves no key behind that is an owner after the person is none", async () => {
    const person = await signedIn(["owner"]);
    const { body: key } = await person.ask("POST", "keys", { label: "mine", permissions: ["owner"] });
    expect(key.employee_id).toBe(person.id);
    const list = async () => (await send("/partner/keys", { headers: { "X-Partner-Api-Key": key.key } })).status;
    expect(await list()).toBe(200);
    await owner.ask("PUT", `people/${person.id}/permissions`, { permissions: ["balance_view"] });
    expect(await list()).toBe(403);
    const byKey = await send("/partner/keys", {
      method: "POST",
      headers: { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" },
      body: JSON.stringify({ label: "by a key", permissions: ["owner"] }),
    });
    expect(byKey).toMatchObject({ status: 403, body: { error_message: expect.stringContaining("signed in") } });
  });

  it("makes no key with owner for another person, which would outlast the right of its maker", async () => {
    const [person, other] = [await signedIn(["owner"]), await signedIn(["owner"])];
    const wanted = { label: "theirs", permissions: ["owner"], employee_id: other.id };
    expect(await person.ask("POST", "keys", wanted)).toMatchObject({
      status: 409,
      body: { error_message: expect.stringContaining("belongs to you") },
    });
    expect((await person.ask("POST", "keys", { ...wanted, employee_id: person.id })).status).toBe(201);
  });

  it("a key with owner makes no owner: not by an invitation, nor by permissions, nor by enabling one", async () => {
    const person = await signedIn(["owner"]);
    const { body: key } = await owner.ask("POST", "keys", { label: "for programs", permissions: ALL_RIGHTS });
    const by = (method: string, path: string, body?: object) =>
      send(`/partner/${path}`, {
        method,
        headers: { "X-Partner-Api-Key": key.key, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const refused = { status: 403, body: { error_message: expect.stringContaining("A key gives no one `owner`") } };
    const cannotInvite = { status: 403, body: { error_message: expect.stringContaining("A key cannot invite people") } };
    expect(await by("POST", "people", { name: "Another", permissions: [] })).toMatchObject(cannotInvite);
    const plain = await newPerson([]);
    expect(await by("PUT", `people/${plain}/permissions`, { permissions: ["owner"] })).toMatchObject(refused);
    expect(await by("POST", `people/${person.id}/invitation`)).toMatchObject(cannotInvite);
    expect((await by("POST", `people/${person.id}/disable`)).status).toBe(200);
    expect(await by("POST", `people/${person.id}/enable`)).toMatchObject(refused);
    expect(await by("POST", `people/${plain}/invitation`)).toMatchObject(cannotInvite);
  });

  it("makes, permits and revokes keys, each from the next request on", async () => {
    const { status, body } = await owner.ask("POST", "keys", { label: "shop", permissions: ["balance_view"] });
    expect(status).toBe(201);
    const by = (key: string, path: string) => send(`/partner/${path}`, { headers: { "X-Partner-Api-Key": key } });
    expect((await by(body.key, "figures")).status).toBe(200);
    await owner.ask("PUT", `keys/${body.key_id}/permissions`, { permissions: ["products_view"] });
    expect([(await by(body.key, "figures")).status, (await by(body.key, "products")).status]).toEqual([403, 200]);
    const { body: listed, text } = await owner.get("keys?limit=100");
    expect(listed.data.find(({ key_id }: { key_id: string }) => key_id === body.key_id)).toMatchObject({
      hint: body.key.slice(-4),
      label: "shop",
    });
    expect(text).not.toContain(body.key);
    expect((await owner.ask("POST", `keys/${body.key_id}/revoke`)).status).toBe(200);
    expect((await by(body.key, "products")).status).toBe(401);
    expect((await owner.ask("PUT", `keys/${body.key_id}/permissions`, { permissions: [] })).status).toBe(409);
  });

  it("may be a key that was given the right, and no other key", async () => {
    const list = (key: string) => send("/partner/keys", { headers: { "X-Partner-Api-Key": key } });
    expect((await list(keys.acme)).status).toBe(200);
    expect((await list(keyFor("webhook_config"))).status).toBe(403);
  });

  it("sees nothing of another partner's people and keys", async () => {
    const foreign = await newPerson(["owner"], "globex");
    for (const [method, path] of [
      ["PUT", `people/${foreign}/permissions`],
      ["POST", `people/${foreign}/disable`],
      ["POST", `people/${foreign}/enable`],
      ["POST", `people/${foreign}/invitation`],
    ] as const) {
      const body = method === "PUT" ? { permissions: [] } : undefined;
      const [theirs, none] = [await owner.ask(method, path, body), await owner.ask(method, path.replace(foreign, "emp_none"), body)];
      expect(theirs.status).toBe(404);
      expect(theirs.body).toEqual(none.body);
    }
    expect((await rowsOf(employees, { id: foreign }))[0]).toMatchObject({ status: "active", rights: '["owner"]' });
    const { body } = await send("/ops/partners/globex/keys", { headers: { Authorization: "Bearer ops-local" } });
    const key = body.data[0].key_id;
    expect((await owner.ask("POST", `keys/${key}/revoke`)).status).toBe(404);
    expect((await owner.ask("PUT", `keys/${key}/permissions`, { permissions: [] })).status).toBe(404);
    const { text } = await owner.get("people?limit=100");
    expect(text).not.toContain(foreign);
  });

  it("is never the last to go", async () => {
    const others = (await rowsOf(employees, { partner_id: "globex" })).filter(({ rights }) => String(rights).includes("owner"));
    for (const { id } of others) await ops("POST", `employees/${id}/disable`);
    const last = await signedIn(["owner"], "globex");
    const refused = { status: 409, body: { error_message: expect.stringContaining("only active owner") } };
    expect(await last.ask("POST", `people/${last.id}/disable`)).toMatchObject(refused);
    expect(await last.ask("PUT", `people/${last.id}/permissions`, { permissions: [] })).toMatchObject(refused);
    expect((await last.get("people")).status).toBe(200);
    // A second owner who has not accepted the invitation cannot sign in.
    const second = await newPerson(["owner"], "globex");
    expect(await last.ask("PUT", `people/${last.id}/permissions`, { permissions: [] })).toMatchObject(refused);
    await new Person().accept(await invitationOf(second));
    expect((await last.ask("PUT", `people/${last.id}/permissions`, { permissions: [] })).status).toBe(200);
    expect((await rowsOf(employees, { id: second }))[0]).toMatchObject({ status: "active" });
    expect((await last.get("people")).status).toBe(403);
  });

  it("reads who did what, and of operators only that it was support", async () => {
    const id = await newPerson(["balance_view"]);
    await owner.ask("POST", `people/${id}/disable`);
    const { body, text } = await owner.get(`audit?target=${id}`);
    expect(body.data).toMatchObject([
      { actor: `person ${owner.id}`, action: "employee.disable", before: { status: "active" }, after: { status: "disabled" } },
      { actor: "support", action: "employee.create" },
    ]);
    expect(text).not.toContain("operator");
    const globex = await newPerson([], "globex");
    expect((await owner.get(`audit?target=${globex}`)).body.data).toEqual([]);
  });

  it("finds what support did by that word, and no operator by name", async () => {
    const id = await newPerson(["balance_view"]);
    await owner.ask("POST", `people/${id}/disable`);
    const [created] = await rowsOf(auditLog, { target: id, action: "employee.create" });
    const by = async (actor: string) =>
      (await owner.get(`audit?target=${id}&actor=${encodeURIComponent(actor)}`)).body.data.map(({ action }: { action: string }) => action);
    expect(await by("support")).toEqual(["employee.create"]);
    expect(await by(`person ${owner.id}`)).toEqual(["employee.disable"]);
    expect(await by(String(created?.actor))).toEqual([]);
    // A name that only begins like the service's is an operator's.
    await updateRows(auditLog, { actor: "the service desk" }, { target: id, action: "employee.create" });
    expect(await by("support")).toEqual(["employee.create"]);
    await updateRows(auditLog, { actor: "the service" }, { target: id, action: "employee.create" });
    expect([await by("support"), await by("the service")]).toEqual([[], ["employee.create"]]);
  });

  it("reads of what support did to other things only that it did", async () => {
    await ops("PUT", "partners/acme", { name: "Acme" });
    const { body } = await owner.get("audit?target=acme&limit=100");
    for (const entry of body.data) expect(entry).toMatchObject({ actor: "support", before: null, after: null });
  });

  it("leaves an audit row for each sign-in and each end of a session", async () => {
    const person = await signedIn([]);
    await person.ask("POST", "session/end");
    const rows = await rowsOf(auditLog, { actor: `person ${person.id}` }, { columns: ["action", "partner_id"] });
    expect(rows.map(({ action }) => String(action)).toSorted()).toEqual(["employee.accept_invitation", "session.end", "session.start"]);
    expect(rows.every(({ partner_id }) => partner_id === "acme")).toBe(true);
  });
});
