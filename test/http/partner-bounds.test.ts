import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { apiKeys, changeCounts, employees, endpoints, events, sessions } from "../../src/db/schema/index.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { call, keys, REGISTER, send } from "../support/api.ts";
import { Authenticator, invitationOf, Person } from "../support/authenticator.ts";
import { cron } from "../support/cron.ts";
import { DAY, HOUR, MINUTE, pass, realTime } from "../support/later.ts";
import { ALL_RIGHTS, newPerson, signedIn } from "../support/people.ts";
import { SANDBOX } from "../support/stack.ts";
import { countOf, deleteRows, fieldOf, insertRow, rowOf, rowsOf, updateRows } from "../support/tables.ts";

/** What leaves rows has a bound. */

const byKey = (method: string, path: string, body: object = {}) =>
  send(`/partner/${path}`, {
    method,
    headers: { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" },
    ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
  });

const today = () => Date.now() - (Date.now() % DAY);
/** As if so many had been counted in this period. */
async function counted(subject: string, count: number, period = today()): Promise<void> {
  await deleteRows(changeCounts, { subject });
  await insertRow(changeCounts, { subject, period, count });
}

const CHANGES = "changes of acme";

/** Sweeps of an earlier test file, whose clock was ahead, may delete the day's count so often. */
const MOST_SWEPT = 10;

/**
 * The answer to a change on a day that is full. Where a sweep deletes the day's count in between, the change was counted as the first one,
 * and is asked for again. A call that is not counted leaves the count as it was.
 */
async function onFullDay(ask: () => ReturnType<typeof byKey>) {
  for (let tries = 1; ; tries += 1) {
    await counted(CHANGES, limits.selfService.perDay);
    const answer = await ask();
    if (tries === MOST_SWEPT || (await fieldOf(changeCounts, "count", { subject: CHANGES })) === limits.selfService.perDay) return answer;
  }
}

let owner: Person & { id: string };
beforeAll(async () => {
  owner = await signedIn(ALL_RIGHTS);
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/bounds` });
});

const changing = partnerCalls.filter(({ method }) => method !== "GET");
const filled = (path: string) =>
  path
    .replace("/partner/", "")
    .replace("{webhook}", "test")
    .replaceAll(/\{\w+\}/g, "none");

describe.each(changing.map((one) => [one.method, one.path, one] as const))("%s %s", (method, path, { isBounded, permission }) => {
  it.skipIf(isBounded)("draws on the changes of a partner's day, for people and keys together", async () => {
    const refused = {
      status: 429,
      body: { error_code: "RATE_LIMITED", error_message: expect.stringContaining("Try again after midnight UTC") },
    };
    if (permission !== "signed_in") expect(await onFullDay(() => byKey(method, filled(path)))).toMatchObject(refused);
    expect(await onFullDay(() => owner.ask(method, filled(path), {}))).toMatchObject(refused);
    await deleteRows(changeCounts, { subject: CHANGES });
  });
});

it("only what ends access is bounded by something else, what leaves nothing or is counted by person, and what is counted once it is permitted", async () => {
  const others = [
    "agents revoke",
    "confirmations approve",
    "confirmations refuse",
    "keys revoke",
    "operations call",
    "passkeys add",
    "passkeys begin",
    "passkeys remove",
    "people disable",
    "session end",
    "session verify",
    "session verify-begin",
    "sessions end",
    "subscriptions cancel",
  ];
  expect(
    changing
      .filter(({ isBounded }) => isBounded)
      .map(({ command }) => command)
      .toSorted(),
  ).toEqual(others);
  await counted("changes of acme", limits.selfService.perDay);
  expect(await owner.ask("POST", "operations/create-partner-processor-cart-payment-link", {})).toMatchObject({ status: 429 });
  expect((await owner.ask("POST", "operations/get-partner-processor-payment", { payment_intent_id: "pi_none" })).status).not.toBe(429);
  for (const end of ["keys/key_none/revoke", "people/emp_none/disable", "sessions/ses_none/end", "agents/grant_none/revoke"])
    expect([end, (await owner.ask("POST", end, {})).status]).toEqual([end, 404]);
  await deleteRows(changeCounts, { subject: "changes of acme" });
});

describe("the changes of a partner's day", () => {
  it("have a part that keys cannot use up, so that people can still revoke them", async () => {
    await counted("changes of acme", limits.selfService.ofKeys);
    expect((await byKey("POST", "keys", {})).status).toBe(429);
    expect((await owner.ask("POST", "keys", { label: "x", permissions: [] })).status).toBe(201);
    await counted("changes of acme", limits.selfService.ofKeys - 1);
    expect((await byKey("POST", "keys", { label: "x", permissions: [] })).status).toBe(201);
    expect((await rowsOf(changeCounts, { subject: "changes of acme" }))[0]?.count).toBe(limits.selfService.ofKeys);
  });

  it("are anew the next day, and the counts of past days go", async () => {
    await counted("changes of acme", limits.selfService.perDay);
    pass(DAY);
    expect((await byKey("POST", "keys", { label: "x", permissions: [] })).status).toBe(201);
    await cron();
    expect(await rowsOf(changeCounts, { subject: "changes of acme" })).toMatchObject([{ count: 1 }]);
    realTime();
    await deleteRows(changeCounts, { subject: "changes of acme" });
  });
});

describe("what may exist at one time", () => {
  it("is 100 valid keys of a partner; revoked and expired ones do not count", async () => {
    const before = await rowsOf(apiKeys, { partner_id: "acme" }, { columns: ["revoked_at", "expires_at"] });
    const valid = before.filter(({ revoked_at, expires_at }) => revoked_at === null && expires_at === null).length;
    const row = (index: number) => ({ id: `key_many_${index}`, key_hash: `many ${index}`, partner_id: "acme", label: "x", created_at: 1 });
    for (let index = valid; index < limits.live.keys - 1; index += 1) await insertRow(apiKeys, row(index));
    expect((await byKey("POST", "keys", { label: "the last", permissions: ["balance_view"] })).status).toBe(201);
    const permitted = await countOf(apiKeys, { label: "one more" });
    expect(await byKey("POST", "keys", { label: "one more", permissions: ["balance_view"] })).toMatchObject({
      status: 409,
      body: { error_message: "There are 100 valid keys already. Revoke one first." },
    });
    expect(await countOf(apiKeys, { label: "one more" })).toBe(permitted);
    await updateRows(apiKeys, { expires_at: Date.now() - 1 }, { label: "the last" });
    expect((await byKey("POST", "keys", { label: "again", permissions: [] })).status).toBe(201);
    await deleteRows(apiKeys, { label: "x" });
  });

  it("is 200 active people of a partner", async () => {
    const before = await countOf(employees, { partner_id: "acme", status: "active" });
    for (let index = before; index < limits.live.people; index += 1)
      await insertRow(employees, { id: `many-${index}`, partner_id: "acme", name: "Many", created_at: 1 });
    expect(await owner.ask("POST", "people", { name: "One more", permissions: [] })).toMatchObject({
      status: 409,
      body: { error_message: "There are 200 active people already. Disable one first." },
    });
    expect(await countOf(employees, { name: "One more" })).toBe(0);
    await insertRow(employees, { id: "one-disabled", partner_id: "acme", name: "Many", status: "disabled", created_at: 1 });
    expect(await owner.ask("POST", "people/one-disabled/enable", {})).toMatchObject({
      status: 409,
      body: { error_message: "There are 200 active people already. Disable one first." },
    });
    await deleteRows(employees, { name: "Many" });
  });

  it("is 20 open sessions of a person: one more ends the oldest", async () => {
    const person = await signedIn([]);
    const open = async () => (await rowsOf(sessions, { employee_id: person.id })).filter(({ ended_at }) => ended_at === null);
    const [first] = await open();
    await updateRows(sessions, { created_at: 1 }, { id: first?.id });
    for (let index = 1; index <= limits.live.sessions; index += 1) {
      // Each sign-in is of another browser.
      person.cookie = "";
      expect((await person.signIn()).status).toBe(200);
    }
    expect(await open()).toHaveLength(limits.live.sessions);
    expect((await open()).map(({ id }) => id)).not.toContain(first?.id);
  });
});

it("a person signs in 50 times a day at most, and leaves no session beyond", async () => {
  const person = await signedIn([]);
  await counted(`sign-ins of ${person.id}`, limits.signIns.perDay);
  const before = await countOf(sessions, { employee_id: person.id });
  expect(await person.signIn()).toMatchObject({ status: 429, body: { error_message: expect.stringContaining("50 sign-ins") } });
  expect(await countOf(sessions, { employee_id: person.id })).toBe(before);
});

it("a webhook gets 60 test events an hour at most", async () => {
  const hour = Date.now() - (Date.now() % HOUR);
  await counted("test events of ep_acme_test", limits.testEvents.perHour - 1, hour);
  expect((await byKey("POST", "webhooks/test/test")).status).toBe(200);
  const before = await countOf(events, {});
  expect(await byKey("POST", "webhooks/test/test")).toMatchObject({
    status: 429,
    body: { error_message: expect.stringContaining("Try again in the next hour") },
  });
  expect(await countOf(events, {})).toBe(before);
});

// interface G.4
it("a partner schedules 10,000 cancellations a day at most by operation 4", async () => {
  await counted("cancellations of acme", limits.cancellations.perDay);
  const answer = await send("/webhook/cancel_subscription_at_period_end?subscription_id=sub_none", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Partner-Api-Key": keys.acme },
    body: "cancel_at_period_end=true",
  });
  expect(answer).toMatchObject({ status: 429, body: { error: expect.stringContaining("10000 cancellations") } });
});

it("a partner changes its webhook's address without a token a thousand times a day at most, and says the same address as often as it likes", async () => {
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/bounds-a` });
  await counted("registrations of acme", limits.registrations.perDay);
  const another = await call(REGISTER, { test_url: `${SANDBOX}/inbox/bounds-b` });
  expect(another).toMatchObject({ status: 429, body: { error_message: expect.stringContaining("1000 changed webhook addresses") } });
  expect(await fieldOf(endpoints, "url", { id: "ep_acme_test" })).toBe(`${SANDBOX}/inbox/bounds-a`);
  expect((await call(REGISTER, { test_url: `${SANDBOX}/inbox/bounds-a` })).body).toMatchObject({ success: true });
  expect((await call(REGISTER, { test_url: `${SANDBOX}/inbox/bounds-b`, client_token: "bounds-b" })).body).toMatchObject({ success: true });
  await counted("registrations of acme", limits.registrations.perDay - 1);
  expect((await call(REGISTER, { test_url: `${SANDBOX}/inbox/bounds` })).body).toMatchObject({ success: true });
  expect(await fieldOf(changeCounts, "count", { subject: "registrations of acme" })).toBe(limits.registrations.perDay);
});

describe("a lasting way in, and what moves events or shows their secret,", () => {
  const asked: readonly (readonly [string, string, object])[] = [
    ["POST", "keys", { label: "x", permissions: [] }],
    ["POST", "people", { name: "x", permissions: [] }],
    ["POST", "people/{self}/invitation", {}],
    ["POST", "people/{other}/enable", {}],
    ["PUT", "people/{other}/permissions", { permissions: ["owner"] }],
    ["PUT", "keys/{key}/permissions", { permissions: ["balance_view", "payment_read"] }],
    ["POST", "passkeys/challenge", {}],
    ["POST", "webhooks/test/secret", {}],
    ["PUT", "chat", { kind: "webhook", webhook_url: "https://chat.example/x" }],
    ["POST", "operations/register-partner-notifications-webhook", { test_url: `${SANDBOX}/inbox/bounds` }],
    ["POST", "operations/rotate-partner-webhook-secret", { environment: "test", client_token: "stale" }],
  ];

  it("DELETE passkeys: needs one that was used, too: a stolen cookie must not leave its thief the only way in", async () => {
    const person = await signedIn(ALL_RIGHTS);
    await updateRows(sessions, { created_at: 1, verified_at: null }, { employee_id: person.id });
    expect(await person.ask("DELETE", "passkeys/none", {})).toMatchObject({ status: 403, body: { error_code: "PASSKEY_REQUIRED" } });
  });

  it.each(asked)("%s %s: needs a passkey used within 15 minutes, and then goes on", async (method, path, body) => {
    const person = await signedIn(ALL_RIGHTS);
    const { body: key } = await person.ask("POST", "keys", { label: "x", permissions: ["balance_view"] });
    const other = await newPerson([]);
    if (path.endsWith("enable")) await updateRows(employees, { status: "disabled" }, { id: other });
    const at = path.replace("{self}", person.id).replace("{other}", other).replace("{key}", key.key_id);
    await updateRows(sessions, { created_at: Date.now() - 15 * MINUTE }, { employee_id: person.id });
    expect(await person.ask(method, at, body)).toMatchObject({ status: 403, body: { error_code: "PASSKEY_REQUIRED" } });
    expect((await person.verify()).body).toEqual({ success: true });
    expect((await person.ask(method, at, body)).status).toBeLessThan(300);
  });

  it("needs none where nothing gets wider, to revoke, to read, and to sell", async () => {
    const person = await signedIn(ALL_RIGHTS);
    const { body: key } = await person.ask("POST", "keys", { label: "x", permissions: ["balance_view", "payment_read"] });
    await updateRows(sessions, { created_at: Date.now() - HOUR }, { employee_id: person.id });
    expect((await person.ask("PUT", `keys/${key.key_id}/permissions`, { permissions: ["balance_view"] })).status).toBe(200);
    expect((await person.ask("POST", `keys/${key.key_id}/revoke`)).status).toBe(200);
    expect((await person.get("people")).status).toBe(200);
  });
});

it("what a person may not do, or has no fresh passkey for, uses up nothing of the day", async () => {
  const [powerless, stale] = [await signedIn([]), await signedIn(ALL_RIGHTS)];
  await updateRows(sessions, { created_at: 1, verified_at: null }, { employee_id: stale.id });
  await deleteRows(changeCounts, { subject: CHANGES });
  const cart = "operations/create-partner-processor-cart-payment-link";
  const rotate = "operations/rotate-partner-webhook-secret";
  expect((await powerless.ask("POST", cart, {})).status).toBe(403);
  expect((await stale.ask("POST", rotate, { environment: "test", client_token: "stale" })).status).toBe(403);
  const cancel = await powerless.ask("PUT", "subscriptions/sub_none/cancel-at-period-end", { cancel_at_period_end: true });
  expect(cancel.status).toBe(403);
  expect((await powerless.ask("POST", "confirmations/conf_none/approve", {})).status).toBe(404);
  expect((await powerless.ask("POST", "passkeys/challenge", {})).status).toBe(200);
  expect(await rowsOf(changeCounts, { subject: CHANGES })).toEqual([]);
  await owner.ask("POST", cart, {});
  expect(await rowsOf(changeCounts, { subject: CHANGES })).toMatchObject([{ count: 1 }]);
});

it("a person adds fifty passkeys a day, whatever their colleagues do, and removes as many as there are", async () => {
  const person = await signedIn([]);
  await counted(`passkeys of ${person.id}`, limits.signIns.perDay);
  const { options } = (await person.ask("POST", "passkeys/challenge", {})).body;
  expect(await person.ask("POST", "passkeys", { response: await new Authenticator().create(options), label: "One more" })).toMatchObject({
    status: 429,
    body: { error_message: expect.stringContaining("new passkeys of yours") },
  });
  expect((await person.ask("DELETE", "passkeys/none", {})).status).toBe(404);
});

describe("what a key or a person made outlives it", () => {
  const key = async (by: Person | string, permissions: readonly string[] = ["owner", "balance_view"]) => {
    const body = { label: "made", permissions };
    const answer =
      typeof by === "string"
        ? await send("/partner/keys", {
            method: "POST",
            headers: { "X-Partner-Api-Key": by, "Content-Type": "application/json" },
            body: JSON.stringify(body),
          })
        : await by.ask("POST", "keys", body);
    expect(answer.status).toBe(201);
    return { id: answer.body.key_id as string, key: answer.body.key as string };
  };
  const works = async (text: string) => (await send("/partner/session", { headers: { "X-Partner-Api-Key": text } })).status !== 401;

  it("a revoked key's keys are shown, and end with it where that is asked, through all that they made", async () => {
    const first = await key(owner);
    const second = await key(first.key, ["balance_view"]);
    const third = await key(first.key, ["balance_view"]);
    const shown = (await owner.ask("POST", `keys/${first.id}/revoke`)).body;
    expect(shown.made).toEqual({ keys: [second.id, third.id].toSorted(), people: [] });
    expect(await works(second.key)).toBe(true);
    const ended = (await owner.ask("POST", `keys/${first.id}/revoke`, { and_made: true })).body;
    expect(ended.made).toEqual({ keys: [], people: [] });
    expect([await works(second.key), await works(third.key)]).toEqual([false, false]);
  });

  it("a narrowed key's keys are shown, and narrowed with it where that is asked", async () => {
    const first = await key(owner, ["owner", "balance_view", "product_create"]);
    const second = await key(first.key, ["balance_view", "product_create"]);
    const permit = async (more: object) =>
      (await owner.ask("PUT", `keys/${first.id}/permissions`, { permissions: ["balance_view"], ...more })).body.made;
    expect(await permit({})).toEqual({ keys: [second.id], people: [] });
    expect(await permit({ and_made: true })).toEqual({ keys: [], people: [] });
    const { data } = (await owner.ask("GET", "keys?limit=100")).body;
    expect(data.find((one: { key_id: string }) => one.key_id === second.id).permissions).toEqual(["balance_view"]);
  });

  it("a narrowed person's own keys are shown too, also those that others made, and narrowed where that is asked", async () => {
    const bob = await signedIn(["balance_view", "payment_read"]);
    const body = { label: "Of Bob", permissions: ["payment_read"], employee_id: bob.id };
    const { key_id: id } = (await owner.ask("POST", "keys", body)).body;
    const permit = async (more: object) =>
      (await owner.ask("PUT", `people/${bob.id}/permissions`, { permissions: ["balance_view"], ...more })).body.made;
    expect(await permit({})).toEqual({ keys: [id], people: [] });
    expect(await permit({ and_made: true })).toEqual({ keys: [], people: [] });
  });

  it("the invitations that a person made for others end with them, with their rights, and with a passkey that they removed", async () => {
    const ends = async (change: (thief: Person & { id: string }) => Promise<{ readonly status: number }>) => {
      const thief = await signedIn(ALL_RIGHTS);
      const token = async (of: string) => String((await thief.ask("POST", `people/${of}/invitation`, {})).body.url).split("#")[1] ?? "";
      const tokens = [await token((await signedIn(["owner"])).id), await token(thief.id)];
      expect((await change(thief)).status).toBeLessThan(300);
      for (const one of tokens) await expect(new Person().accept(one)).rejects.toThrow("not open");
    };
    await ends((thief) => owner.ask("POST", `people/${thief.id}/disable`, {}));
    await ends((thief) => owner.ask("PUT", `people/${thief.id}/permissions`, { permissions: ["owner"] }));
    await ends(async (thief) => new Person().accept(await invitationOf(thief.id)));
    await ends(async (thief) => {
      const { options } = (await thief.ask("POST", "passkeys/challenge", {})).body;
      const { body } = await thief.ask("POST", "passkeys", { response: await new Authenticator().create(options), label: "Second" });
      return thief.ask("DELETE", `passkeys/${body.passkey}`, {});
    });
  });

  it("no invitation that a person made ends where they only get further rights", async () => {
    const inviter = await signedIn(["owner", "balance_view"]);
    const link = (await inviter.ask("POST", `people/${(await signedIn(["balance_view"])).id}/invitation`, {})).body.url;
    await owner.ask("PUT", `people/${inviter.id}/permissions`, { permissions: ["owner", "balance_view", "payment_read"] });
    expect((await new Person().accept(String(link).split("#")[1] ?? "")).status).toBe(201);
  });

  it("never the one who asks, nor what they made", async () => {
    const maker = await signedIn(ALL_RIGHTS);
    const { body: added } = await maker.ask("POST", "people", { name: "Owner", permissions: ALL_RIGHTS });
    const asker = new Person();
    await asker.accept(added.url.split("#")[1]);
    const own = await key(asker, ["balance_view"]);
    const { body: other } = await maker.ask("POST", "people", { name: "Friend", permissions: ["owner"] });
    const { status, body } = await asker.ask("POST", `people/${maker.id}/disable`, { and_made: true });
    expect([status, body.made]).toEqual([200, { keys: [], people: [] }]);
    expect((await asker.ask("GET", "session")).status).toBe(200);
    expect(await works(own.key)).toBe(true);
    expect(await rowOf(employees, { id: other.id })).toMatchObject({ status: "disabled" });
    expect(await rowOf(employees, { id: added.id })).toMatchObject({ status: "active" });
  });

  it("a disabled person's keys and people, and what those made, end with them where that is asked", async () => {
    const thief = await signedIn(ALL_RIGHTS);
    const direct = await key(thief, ["balance_view"]);
    const { body } = await thief.ask("POST", "people", { name: "Friend", permissions: ["owner", "balance_view"] });
    const friend = new Person();
    await friend.accept(body.url.split("#")[1]);
    const later = await key(friend, ["balance_view"]);
    const shown = (await owner.ask("POST", `people/${thief.id}/disable`)).body;
    expect(shown.made).toEqual({ keys: [direct.id, later.id].toSorted(), people: [body.id] });
    expect(await works(later.key)).toBe(true);
    const ended = (await owner.ask("POST", `people/${thief.id}/disable`, { and_made: true })).body;
    expect(ended.made).toEqual({ keys: [], people: [] });
    expect([await works(direct.key), await works(later.key), (await friend.get("session")).status]).toEqual([false, false, 401]);
  });

  it("loses what its maker loses, where that is asked, and is shown otherwise", async () => {
    const person = await signedIn(ALL_RIGHTS);
    const [wide, narrow] = [await key(person, ["balance_view", "payment_read"]), await key(person, ["balance_view"])];
    const permit = (body: object) => owner.ask("PUT", `people/${person.id}/permissions`, { permissions: ["balance_view"], ...body });
    expect((await permit({})).body.made).toEqual({ keys: [wide.id], people: [] });
    expect((await permit({ and_made: true })).body.made).toEqual({ keys: [], people: [] });
    const { body } = await owner.get("keys?limit=100");
    const permissionsOf = (id: string) => body.data.find(({ key_id }: { key_id: string }) => key_id === id)?.permissions;
    expect([permissionsOf(wide.id), permissionsOf(narrow.id)]).toEqual([["balance_view"], ["balance_view"]]);
  });
});

describe("the use of a passkey in a session", () => {
  const stale = async () => {
    const person = await signedIn(ALL_RIGHTS);
    await updateRows(sessions, { created_at: Date.now() - HOUR }, { employee_id: person.id });
    return person;
  };
  const isFresh = async (person: Person) => (await person.ask("POST", "passkeys/challenge")).status === 200;

  it("counts once: its answer cannot be sent again when its time is over", async () => {
    // A passkey that does not count its uses.
    const person = new Person();
    await person.accept(await invitationOf(await newPerson(ALL_RIGHTS)), { counter: 0 });
    const { body } = await person.ask("POST", "session/verification/challenge");
    const response = await person.device.get(body.options, { counter: 0 });
    expect((await person.ask("POST", "session/verification", { response })).status).toBe(200);
    expect((await person.ask("POST", "session/verification", { response })).status).toBe(409);
  });

  it("is that of the person in this session: neither another's passkey, nor the answer of a sign-in or of another session", async () => {
    const [person, other] = [await stale(), await stale()];
    const { body } = await person.ask("POST", "session/verification/challenge");
    expect((await person.ask("POST", "session/verification", { response: await other.device.get(body.options) })).status).toBe(409);
    const { body: signIn } = await person.ask("POST", "sign-in/challenge");
    expect((await person.ask("POST", "session/verification", { response: await person.device.get(signIn.options) })).status).toBe(409);
    const { body: ofOther } = await other.ask("POST", "session/verification/challenge");
    expect((await person.ask("POST", "session/verification", { response: await person.device.get(ofOther.options) })).status).toBe(409);
    expect(await isFresh(person)).toBe(false);
  });

  it.each([[{ crossOrigin: true }], [{ topOrigin: "https://evil.example" }], [{ forged: true }], [{ origin: "https://evil.example" }]])(
    "is refused with %o, and starts no session either",
    async (claims) => {
      const person = await stale();
      expect((await person.verify(claims)).status).toBe(409);
      expect(await isFresh(person)).toBe(false);
      expect((await person.signIn(claims)).status).toBe(401);
    },
  );
});

it("a passkey with an attestation, or made in a frame, is refused before it is read", async () => {
  const person = await signedIn([]);
  for (const claims of [{ fmt: "packed" }, { fmt: "tpm" }, { crossOrigin: true }]) {
    const { body } = await person.ask("POST", "passkeys/challenge");
    const response = await person.device.create(body.options, claims);
    expect((await person.ask("POST", "passkeys", { response, label: "x" })).status).toBe(409);
  }
});
