import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { isCode } from "../../src/chats/addresses.ts";
import { createMailer } from "../../src/chats/mailer.ts";
import { auditLog, endpointSecrets, endpoints, events } from "../../src/db/schema/index.ts";
import { sweepDueEvidence } from "../../src/disputes/sweep.ts";
import { attemptDelivery } from "../../src/webhooks/delivery/deliver.ts";
import { invitationOf, Person } from "../support/authenticator.ts";
import { cellDeps } from "../support/cells.ts";
import { attemptsOf, deliveryOf } from "../support/deliveries.ts";
import { DAY, pass, realTime } from "../support/later.ts";
import { change } from "../support/ops.ts";
import { pay, quiet } from "../support/payments.ts";
import { control, world } from "../support/stack.ts";
import { countOf, deleteRows, rowOf, rowsOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

/** E-mail addresses that hear of disputes and of webhooks that fail: confirmed by a code, which is sent to them. */

const owner = new Person();
const deps = cellDeps();

beforeAll(async () => {
  await owner.accept(await invitationOf("emp_acme_owner"));
  await owner.signIn();
});
beforeEach(async () => {
  world.state.inboxes.mail = undefined as never;
  delete world.state.inboxes.mail;
  for (const { email } of (await owner.get("emails")).body.data) await owner.ask("DELETE", `emails/${email}`, {});
});
afterEach(realTime);

const mails = (): { to: string; subject: string; text: string }[] =>
  (world.state.inboxes.mail?.received ?? []).map(({ body }) => JSON.parse(body));
const codeIn = (text = "") => /The code is ([0-9a-f]+)/.exec(text)?.[1] ?? "";
const add = (address: string, more: object = {}) => owner.ask("POST", "emails", { address, environment: "test", ...more });

/** Adds an address as its owner does. @returns its name */
async function added(address: string): Promise<string> {
  expect((await add(address)).body).toEqual({ success: true, state: "code_sent", email: null });
  const { body } = await add(address, { code: codeIn(mails().at(-1)?.text) });
  return body.email.email;
}

const endpointId = async (): Promise<string> => (await rowsOf(endpoints, { channel: "email" })).at(-1)?.id ?? "";
const newestMail = async (): Promise<string> =>
  (await rowsOf(events, { endpoint_id: await endpointId(), name: "Processor.dispute.opened" }))
    .toSorted((one, other) => one.created_at - other.created_at)
    .at(-1)?.id ?? "";

describe("an address", () => {
  it("is added by the code that was sent to it, and shown; before, nothing is stored", async () => {
    const before = await countOf(endpoints);
    const { status, body } = await add("Ops@Example.com");
    expect([status, body]).toEqual([200, { success: true, state: "code_sent", email: null }]);
    expect(await countOf(endpoints)).toBe(before);
    const [mail] = mails();
    expect(mail).toMatchObject({ to: "ops@example.com", subject: expect.stringMatching(/Confirm this address$/) });
    const second = await add("ops@example.com", { code: ` ${codeIn(mail?.text).toUpperCase()} ` });
    expect(second.body).toEqual({
      success: true,
      state: "added",
      email: {
        email: expect.stringMatching(/^test\.[0-9a-f]{5}$/),
        environment: "test",
        address: "ops@example.com",
        state: "active",
        failing_since: null,
        added_at: expect.stringMatching(/Z$/),
      },
    });
    expect((await owner.get("emails")).body).toEqual({ available: true, data: [second.body.email], next: null });
    expect((await add("ops@example.com")).status).toBe(409);
  });

  it("is stored encrypted, and stands in no row of the audit log and in no other table", async () => {
    await added("secret-person@example.com");
    const stored = [await rowsOf(endpoints), await rowsOf(endpointSecrets), await rowsOf(auditLog), await rowsOf(events)];
    expect(JSON.stringify(stored)).not.toContain("secret-person");
    expect((await rowsOf(auditLog, { action: "email.add" })).at(-1)).toMatchObject({
      target: expect.stringMatching(/^ep_acme_test\.[0-9a-f]{5}$/),
      actor: "person emp_acme_owner",
    });
  });

  it.each(["0000000000", "abc", "0".repeat(40)])("is not added by another code: %s", async (code) => {
    await add("ops@example.com");
    expect((await add("ops@example.com", { code })).status).toBe(400);
    expect((await owner.get("emails")).body.data).toEqual([]);
  });

  it("needs the code of its own address, environment and partner, of today or yesterday", async () => {
    await add("ops@example.com");
    const code = codeIn(mails()[0]?.text);
    expect((await add("other@example.com", { code })).status).toBe(400);
    expect((await add("ops@example.com", { code, environment: "live" })).status).toBe(400);
    const wanted = { partnerId: "acme", environment: "test" as const, address: "ops@example.com" };
    const { encryptionKeys: keys } = deps.settings;
    const now = Date.now();
    expect(await isCode(keys, wanted, code, now)).toBe(true);
    expect(await isCode(keys, { ...wanted, partnerId: "globex" }, code, now)).toBe(false);
    expect(await isCode(keys, wanted, code, now + DAY)).toBe(true);
    expect(await isCode(keys, wanted, code, now + 2 * DAY)).toBe(false);
    expect(await isCode(keys, wanted, code, now - DAY)).toBe(false);
  });

  it("is one of five in an environment; a removed one makes room", async () => {
    const names: string[] = [];
    for (let index = 1; index <= 5; index += 1) names.push(await added(`person-${index}@example.com`));
    expect(new Set(names).size).toBe(5);
    expect((await add("person-6@example.com")).status).toBe(409);
    expect((await owner.ask("DELETE", `emails/${names[2]}`, {})).body).toEqual({ success: true });
    expect((await owner.ask("DELETE", `emails/${names[2]}`, {})).status).toBe(404);
    await added("person-6@example.com");
    expect(await added("live@example.com").catch(() => "full")).toBe("full");
  });

  it("that is confirmed twice at one moment is added once, and the limit holds then, too", async () => {
    await add("twice@example.com");
    const code = codeIn(mails().at(-1)?.text);
    const answers = await Promise.all([1, 2, 3].map(() => add("twice@example.com", { code })));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect((await owner.get("emails")).body.data).toHaveLength(1);
    expect(await countOf(endpointSecrets, { endpoint_id: await endpointId() })).toBe(1);
  });

  it("that an operator suspended stays suspended: its partner cannot remove it", async () => {
    const email = await added("held@example.com");
    await updateRows(endpoints, { status: "suspended", suspension_reason: "operator" }, { id: await endpointId() });
    expect((await owner.ask("DELETE", `emails/${email}`, {})).status).toBe(409);
    expect((await owner.get("emails")).body.data).toMatchObject([{ state: "suspended" }]);
    await updateRows(endpoints, { status: "active", suspension_reason: null }, { id: await endpointId() });
  });

  it("is no webhook: no call of webhooks knows it, none shows it, and nothing is signed with it", async () => {
    const email = await added("ops@example.com");
    expect((await owner.get("webhooks")).body.data.map(({ webhook }: { webhook: string }) => webhook)).not.toContain(email);
    for (const [method, path] of [
      ["POST", `webhooks/${email}/secret`],
      ["POST", `webhooks/${email}/replace-secret`],
      ["PATCH", `webhooks/${email}`],
      ["DELETE", `webhooks/${email}`],
      ["POST", `webhooks/${email}/test`],
    ] as const)
      expect([path, (await owner.ask(method, path, {})).status]).toEqual([path, 400]);
    await control("/dispute", { payment_intent: (await pay(["TestUsd1"])).payment_intent });
    await quiet();
    const id = await newestMail();
    await until(async () => expect(await deliveryOf(id)).toMatchObject({ state: "succeeded" }));
    const shown = await owner.get(`deliveries/${id}`);
    expect(shown.body.request).toMatchObject({ url: null, headers: null });
    expect(shown.body).toMatchObject({ may_be_resent: false });
    for (const verb of ["send-again?since=2026-11-01", "send-exhausted"])
      expect((await change(`endpoints/${String((await deliveryOf(id))?.endpoint_id)}/${verb}`)).body.error).toContain("once");
    expect((await owner.ask("POST", `deliveries/${id}/resend`, {})).status).toBe(409);
    const before = mails().length;
    await owner.ask("POST", "deliveries/resend-chosen", { deliveries: [id] });
    expect([await deliveryOf(id).then((row) => row?.state), mails().length]).toEqual(["succeeded", before]);
  });

  it("has twenty codes a day, and then a clear refusal", async () => {
    pass(3 * DAY);
    await owner.signIn();
    let sent = 0;
    for (; sent < 25; sent += 1) if ((await add(`limit-${sent}@example.com`)).status === 429) break;
    expect(sent).toBe(20);
    expect(mails()).toHaveLength(20);
  });

  it.each(["", "no-address", "a@b@example.com", `${"a".repeat(200)}@example.com`, "a@example.com\r\nBcc: b@example.com"])(
    "that is none is refused: %j",
    async (address) => {
      expect((await add(address)).status).toBe(400);
      expect(mails()).toEqual([]);
    },
  );
});

describe("a message", () => {
  it("about a new dispute and its deadline comes to the address", async () => {
    await added("ops@example.com");
    const paid = await pay(["TestUsd1"], { client_reference_id: "mailed" });
    await control("/dispute", { payment_intent: paid.payment_intent, reason: "duplicate", due_in_days: 1 });
    await quiet();
    await sweepDueEvidence(deps);
    await until(() => expect(mails().map(({ subject }) => subject)).toHaveLength(3));
    const [opened, due] = mails().slice(1);
    expect(opened).toMatchObject({ to: "ops@example.com", subject: expect.stringContaining("[test] A customer disputes a payment") });
    expect(opened?.text).toContain("[test] A customer disputes 19.00 USD of order mailed (duplicate).");
    expect(due?.subject).toContain("[test] Evidence for a dispute is due");
    expect(due?.text).toContain("/dashboard/webhooks?tab=chat");
  });

  it("that is not taken is tried again, and says why in the list of deliveries", async () => {
    await added("ops@example.com");
    await control("/inbox/mail", { status: 500, times: 1 });
    const paid = await pay(["TestUsd1"]);
    await control("/dispute", { payment_intent: paid.payment_intent });
    await quiet();
    const id = await newestMail();
    await until(async () =>
      expect(await attemptsOf(id)).toMatchObject([{ status: null, error_class: "connection", excerpt: "E_RECIPIENT_500" }]),
    );
    expect(await deliveryOf(id)).toMatchObject({ state: "pending" });
    await deleteRows(events, { id });
  });

  it("waits where the operator's sender fails, or is taken away: that is not the address's failure", async () => {
    await added("ops@example.com");
    await control("/inbox/mail", { status: 500, times: 1 });
    await control("/dispute", { payment_intent: (await pay(["TestUsd1"])).payment_intent });
    await quiet();
    const id = await newestMail();
    await until(async () => expect(await attemptsOf(id)).toHaveLength(1));
    const failures = async () => (await rowOf(endpoints, { id: await endpointId() }))?.failures;
    expect(await failures()).toBe(1);
    for (const mailer of [null, () => Promise.resolve({ code: "E_DAILY_LIMIT_EXCEEDED", isOfRecipient: false })]) {
      pass(DAY / 24);
      await updateRows(endpoints, { cooldown_until: 0 }, { id: await endpointId() });
      await attemptDelivery({ ...deps, mailer }, id);
      expect((await attemptsOf(id)).at(-1)).toMatchObject({
        error_class: "mailer",
        excerpt: mailer === null ? "no sender" : "E_DAILY_LIMIT_EXCEEDED",
      });
    }
    expect(await failures()).toBe(1);
    expect(await deliveryOf(id)).toMatchObject({ state: "pending", unscheduled_attempts: 2 });
    await deleteRows(events, { id });
  });
});

describe("the sender", () => {
  const settings = { local: false, mailFrom: "pay@example.com", processor: deps.settings.processor };
  const mail = { to: "ops@example.com", subject: "S", text: "T" };

  it("gives the platform the message, from the address of the settings", async () => {
    const send = vi.fn(() => Promise.resolve({ messageId: "1" }));
    expect(await createMailer(settings, { send })?.(mail)).toBeNull();
    expect(send).toHaveBeenCalledExactlyOnceWith({ from: "pay@example.com", ...mail });
  });

  it("says the platform's code, and nothing that may name a person", async () => {
    const failing = (thrown: unknown) => createMailer(settings, { send: () => Promise.reject(thrown) })?.(mail);
    expect(await failing(Object.assign(new Error("ops@example.com is not allowed"), { code: "E_RECIPIENT_NOT_ALLOWED" }))).toEqual({
      code: "E_RECIPIENT_NOT_ALLOWED",
      isOfRecipient: true,
    });
    expect(await failing(Object.assign(new Error("x"), { code: "E_SENDER_NOT_VERIFIED" }))).toEqual({
      code: "E_SENDER_NOT_VERIFIED",
      isOfRecipient: false,
    });
    expect(await failing(Object.assign(new Error("x"), { code: "to ops@example.com" }))).toEqual({
      code: "not sent",
      isOfRecipient: false,
    });
    expect(await failing(new Error("ops@example.com"))).toEqual({ code: "not sent", isOfRecipient: false });
    expect(await failing("thrown")).toEqual({ code: "not sent", isOfRecipient: false });
  });

  it("is none without a binding or without an address", () => {
    expect(createMailer(settings)).toBeNull();
    expect(createMailer({ ...settings, mailFrom: null }, { send: () => Promise.resolve({ messageId: "1" }) })).toBeNull();
  });
});
