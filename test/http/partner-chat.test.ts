import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { sweepChats } from "../../src/chats/news.ts";
import { auditLog, chats, endpoints, walks } from "../../src/db/schema/index.ts";
import { isolateOf } from "../../src/isolate.ts";
import { BANK, bankCart, call, keys, REGISTER, send } from "../support/api.ts";
import { cron } from "../support/cron.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { control, SANDBOX, world } from "../support/stack.ts";
import { deleteRows, fieldOf, rowsOf, updateRows } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** A partner's chat is notified of paid ruble orders, refused methods and suspended webhooks. */

const ask = (method: string, path: string, body?: object, key: string = keys.acme) =>
  send(`/partner/${path}`, {
    method,
    headers: { "X-Partner-Api-Key": key, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const texts = (inbox: string): string[] => (world.state.inboxes[inbox]?.received ?? []).map(({ body }) => JSON.parse(body).text);
const sweep = async () => Promise.all((await isolateOf(env).deps()).everyCell().map((cell) => sweepChats(cell)));
const minuteLater = async () => {
  pass(MINUTE);
  await sweep();
  realTime();
};

let count = 0;
let inbox = "";
const TOKEN = "123456:ABCDEFGHIJKLMNOPQRSTUVWX";

beforeEach(async () => {
  realTime();
  count += 1;
  inbox = `chat-${count}`;
  await deleteRows(chats);
  await sweep();
  // Time passes in these tests, and comes back.
  await updateRows(walks, { position: String(Date.now()) }, { name: "chats" });
});
const setWebhook = () => ask("PUT", "chat", { kind: "webhook", webhook_url: `${SANDBOX}/inbox/${inbox}` });

async function paidRuble(order: string) {
  const { body } = await call(BANK, bankCart({ external_order_id: order }));
  await control("/bank/pay", { order_id: body.order_id });
}

describe("a chat", () => {
  it("is set, shown without its address, tested, and removed", async () => {
    expect((await ask("GET", "chat")).status).toBe(404);
    expect((await ask("POST", "chat/test")).status).toBe(409);
    const { status, body, text } = await setWebhook();
    expect([status, body.kind, body.host]).toEqual([200, "webhook", new URL(SANDBOX).hostname]);
    expect(text).not.toContain(inbox);
    expect((await ask("GET", "chat")).body).toEqual(body);
    expect((await ask("POST", "chat/test")).body).toEqual({ success: true, status: 200, error: null });
    expect(texts(inbox)).toEqual(["This is a test: your chat is connected."]);
    await control(`/inbox/${inbox}`, { status: 500, times: 1 });
    expect((await ask("POST", "chat/test")).body).toEqual({ success: false, status: 500, error: "status" });
    expect((await ask("DELETE", "chat", {})).body).toEqual({ success: true });
    expect((await ask("DELETE", "chat", {})).status).toBe(404);
    const rows = await rowsOf(auditLog, { target: "chat_acme" }, { columns: ["action", "after"] });
    expect(rows.slice(-2)).toEqual([
      { action: "chat.set", after: '{"kind":"webhook"}' },
      { action: "chat.remove", after: null },
    ]);
  });

  it("is stored encrypted", async () => {
    await setWebhook();
    expect(String(await fieldOf(chats, "address", { partner_id: "acme" }))).not.toContain("inbox");
  });

  it("may be a Telegram bot's", async () => {
    expect((await ask("PUT", "chat", { kind: "telegram", token: TOKEN, chat: "-100123" })).body).toMatchObject({ kind: "telegram" });
    expect((await ask("POST", "chat/test")).body).toMatchObject({ success: true });
    expect(JSON.parse(world.state.inboxes.telegram?.received.at(-1)?.body ?? "{}")).toEqual({
      chat_id: "-100123",
      text: "This is a test: your chat is connected.",
    });
  });

  it.each([
    [{ kind: "webhook", webhook_url: "ftp://chat.example.com/x" }, "webhook_url"],
    [{ kind: "webhook", webhook_url: "no address" }, "webhook_url"],
    [{ kind: "telegram", token: "short", chat: "-1" }, "token"],
    [{ kind: "telegram", token: TOKEN, chat: "a name" }, "chat"],
    [{ kind: "fax" }, "kind"],
    [{ kind: "webhook", webhook_url: `${SANDBOX}/inbox/x`, extra: 1 }, ""],
  ])("%j is refused, and nothing changes", async (body, field) => {
    await setWebhook();
    const before = await rowsOf(chats);
    const answer = await ask("PUT", "chat", body);
    expect(answer).toMatchObject({ status: 400, body: { error_code: "INVALID_INPUT" } });
    if (field !== "") expect(answer.body.details.field).toBe(field);
    expect(await rowsOf(chats)).toEqual(before);
  });

  it("of another partner is not seen, not tested, and not removed", async () => {
    await setWebhook();
    expect((await ask("GET", "chat", undefined, keys.globex)).status).toBe(404);
    expect((await ask("POST", "chat/test", {}, keys.globex)).status).toBe(409);
    expect((await ask("DELETE", "chat", {}, keys.globex)).status).toBe(404);
    expect(await rowsOf(chats, { partner_id: "acme" })).toHaveLength(1);
  });
});

describe("news", () => {
  it("of a paid ruble order, with the partner's number, come once, and none from before", async () => {
    await setWebhook();
    await paidRuble(`chat-order-${count}`);
    await minuteLater();
    expect(texts(inbox)).toEqual([`[test] Paid: 3,000.00 RUB, order chat-order-${count}.`]);
    await minuteLater();
    expect(texts(inbox)).toHaveLength(1);
  });

  it("of a webhook that the service suspended say why; one that its partner unregistered is no news", async () => {
    await call(REGISTER, { test_url: `${SANDBOX}/inbox/own-chat` });
    await setWebhook();
    const suspended = (reason: string) =>
      updateRows(
        endpoints,
        { status: "suspended", suspension_reason: reason, suspended_at: Date.now(), updated_at: Date.now() },
        { id: "ep_acme_test" },
      );
    await suspended("unregistered");
    await minuteLater();
    expect(texts(inbox)).toEqual([]);
    await suspended("gone");
    await minuteLater();
    expect(texts(inbox)).toEqual([
      "[test] Your test webhook is suspended, because your receiver answered 410 Gone. Its events are kept: repair the receiver, then resume the webhook.",
    ]);
    await updateRows(endpoints, { status: "active", suspension_reason: null, suspended_at: null }, { id: "ep_acme_test" });
  });

  it("are lost, and not repeated, if the chat refuses the first of them", async () => {
    await setWebhook();
    await control(`/inbox/${inbox}`, { status: 302, times: 1 });
    await paidRuble(`chat-lost-${count}`);
    await paidRuble(`chat-lost-too-${count}`);
    await minuteLater();
    await minuteLater();
    expect(texts(inbox)).toHaveLength(1);
  });

  it("are sent by the cron, and go to no other partner", async () => {
    await setWebhook();
    await ask("PUT", "chat", { kind: "webhook", webhook_url: `${SANDBOX}/inbox/${inbox}-globex` }, keys.globex);
    await paidRuble(`chat-cron-${count}`);
    pass(MINUTE);
    await cron();
    realTime();
    expect(texts(inbox)).toHaveLength(1);
    expect(texts(`${inbox}-globex`)).toEqual([]);
  });

  it("wait for no chat of another partner, and a chat that hangs gets no second message in a run", async () => {
    await setWebhook();
    await control(`/inbox/${inbox}`, { status: 200, times: 9, delay_ms: 6_000 });
    await ask("PUT", "chat", { kind: "webhook", webhook_url: `${SANDBOX}/inbox/${inbox}-globex` }, keys.globex);
    await paidRuble(`chat-hangs-${count}`);
    await paidRuble(`chat-hangs-too-${count}`);
    const { body } = await call(BANK, { ...bankCart(), items: [{ product_id: 1005, quantity: 1 }] }, keys.globex);
    await control("/bank/pay", { order_id: body.order_id });
    virtualTime()(MINUTE);
    await sweep();
    realTime();
    expect(texts(inbox)).toHaveLength(1);
    expect(texts(`${inbox}-globex`)).toHaveLength(1);
  });

  it("of an example event are none", async () => {
    await setWebhook();
    await ask("POST", "webhooks/test/test", { event: "Bank.payment.succeeded" });
    await minuteLater();
    expect(texts(inbox)).toEqual([]);
  });
});
