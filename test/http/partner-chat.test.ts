import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { auditLog, endpointSecrets, endpoints, events } from "../../src/db/schema/index.ts";
import { attemptDelivery } from "../../src/webhooks/delivery/deliver.ts";
import { BANK, bankCart, call, keys, REGISTER, send } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { cron } from "../support/cron.ts";
import { clearTheWay, deliveryOf, recordPayment } from "../support/deliveries.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { change } from "../support/ops.ts";
import { control, SANDBOX, world } from "../support/stack.ts";
import { rowsOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

/** A partner's chat gets messages about paid ruble orders, refused methods, and webhooks that fail and recover. */

const ask = (method: string, path: string, body?: object, key: string = keys.acme) =>
  send(`/partner/${path}`, {
    method,
    headers: { "X-Partner-Api-Key": key, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const texts = (inbox: string): string[] => (world.state.inboxes[inbox]?.received ?? []).map(({ body }) => JSON.parse(body).text);
let count = 0;
let inbox = "";
const CHAT = "ep_acme_test.chat";
const TOKEN = "123456:ABCDEFGHIJKLMNOPQRSTUVWX";

afterEach(realTime);
beforeEach(async () => {
  count += 1;
  inbox = `chat-${count}`;
  for (const key of [keys.acme, keys.globex]) await ask("DELETE", "chat", {}, key);
  await clearTheWay();
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
    expect(body).toMatchObject({ kind: "webhook", host: new URL(SANDBOX).hostname, state: "active", failing_since: null });
    expect(status).toBe(200);
    expect(text).not.toContain(inbox);
    expect((await ask("GET", "chat")).body).toEqual(body);
    expect((await ask("POST", "chat/test")).body).toEqual({ success: true, status: 200, error: null, answer: "taken" });
    expect(texts(inbox)).toEqual(["This is a test: your chat is connected."]);
    await control(`/inbox/${inbox}`, { status: 500, times: 1 });
    expect((await ask("POST", "chat/test")).body).toMatchObject({ success: false, status: 500, error: "status" });
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
    const stored = [...(await rowsOf(endpoints, { code: "chat" })), ...(await rowsOf(endpointSecrets, { endpoint_id: CHAT }))];
    expect(stored).toHaveLength(3);
    expect(JSON.stringify(stored)).not.toContain("inbox");
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
    const before = await rowsOf(endpointSecrets, { endpoint_id: CHAT });
    const answer = await ask("PUT", "chat", body);
    expect(answer).toMatchObject({ status: 400, body: { error_code: "INVALID_INPUT" } });
    if (field !== "") expect(answer.body.details.field).toBe(field);
    expect(await rowsOf(endpointSecrets, { endpoint_id: CHAT })).toEqual(before);
  });

  it("of another partner is not seen, not tested, and not removed", async () => {
    await setWebhook();
    expect((await ask("GET", "chat", undefined, keys.globex)).status).toBe(404);
    expect((await ask("POST", "chat/test", {}, keys.globex)).status).toBe(409);
    expect((await ask("DELETE", "chat", {}, keys.globex)).status).toBe(404);
    expect(await rowsOf(endpoints, { code: "chat", partner_id: "acme" })).toHaveLength(2);
  });
});

describe("a message", () => {
  it("about a paid ruble order, with the partner's number, comes at once, and once", async () => {
    await setWebhook();
    await paidRuble(`chat-order-${count}`);
    await until(() => expect(texts(inbox)).toEqual([`[test] Paid: 3,000.00 RUB, order chat-order-${count}.`]));
    pass(MINUTE);
    await cron();
    expect(texts(inbox)).toHaveLength(1);
  });

  it("is repeated while the chat refuses it, four times, and what it answered is kept", async () => {
    await setWebhook();
    await control(`/inbox/${inbox}`, { status: 503, times: 9 });
    await paidRuble(`chat-fails-${count}`);
    const [row] = await until(async () => {
      const found = await rowsOf(events, { endpoint_id: CHAT, state: "pending", attempts: 1 });
      expect(found).toHaveLength(1);
      return found;
    });
    const id = String(row?.id);
    for (const minutes of [5, 20, 60]) {
      pass(minutes * MINUTE);
      await attemptDelivery(cellDeps(), id);
    }
    expect(await deliveryOf(id)).toMatchObject({ state: "exhausted", attempts: 4 });
    const { body } = await ask("GET", "deliveries?webhook=test.chat&limit=1");
    expect(body.data).toMatchObject([{ delivery: id, webhook: "test.chat", state: "exhausted" }]);
    expect((await ask("GET", `deliveries/${id}`)).body.attempt_list).toMatchObject([
      { status: 503, answer: expect.any(String) },
      {},
      {},
      {},
    ]);
    expect((await ask("GET", "chat")).body).toMatchObject({ state: "failing", failing_since: expect.any(String) });
  });

  it("is not in the way of the event, nor of another partner's", async () => {
    await call(REGISTER, { test_url: `${SANDBOX}/inbox/own-${inbox}` });
    await setWebhook();
    await ask("PUT", "chat", { kind: "webhook", webhook_url: `${SANDBOX}/inbox/${inbox}-globex` }, keys.globex);
    await control(`/inbox/${inbox}`, { status: 500, times: 9 });
    await paidRuble(`chat-way-${count}`);
    await until(() => expect(world.state.inboxes[`own-${inbox}`]?.received).toHaveLength(1));
    expect(texts(`${inbox}-globex`)).toEqual([]);
  });

  it("is none of what was before the chat was set, of an example event, and of other events", async () => {
    await paidRuble(`chat-before-${count}`);
    const before = await rowsOf(events, { endpoint_id: CHAT });
    await setWebhook();
    await ask("POST", "webhooks/test/test", { event: "Bank.payment.succeeded" });
    await recordPayment();
    pass(MINUTE);
    await cron();
    expect(texts(inbox)).toEqual([]);
    expect(await rowsOf(events, { endpoint_id: CHAT })).toHaveLength(before.length);
  });

  it("of a chat that support suspended is not set anew, and not removed: only support resumes it", async () => {
    await setWebhook();
    expect((await change(`endpoints/${CHAT}/suspend`, { reason: "It answers with advertisements." })).status).toBe(200);
    for (const answer of [await setWebhook(), await ask("DELETE", "chat", {}), await ask("POST", "chat/test")])
      expect([answer.status, answer.body.error_message]).toEqual([409, expect.stringContaining("only support resumes it")]);
    expect((await change(`endpoints/${CHAT}/resume`)).status).toBe(200);
    expect((await ask("DELETE", "chat", {})).status).toBe(200);
  });

  it("that is under way to a chat which is replaced ends there: it suspends not the new one, and is not sent to it", async () => {
    await setWebhook();
    await control(`/inbox/${inbox}`, { status: 410, times: 1, delay_ms: 300 });
    await paidRuble(`chat-replaced-${count}`);
    const [row] = await until(async () => {
      const found = await rowsOf(events, { endpoint_id: CHAT, state: "sending" });
      expect(found).toHaveLength(1);
      return found;
    });
    const before = inbox;
    inbox = `${inbox}-new`;
    await setWebhook();
    await until(() => expect(texts(before)).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await ask("GET", "chat")).body).toMatchObject({ state: "active" });
    expect(await deliveryOf(String(row?.id))).toMatchObject({ state: "exhausted" });
    pass(MINUTE);
    await cron();
    expect(texts(inbox)).toEqual([]);
  });

  it("is not kept for a chat that is suspended, nor is what waited sent when it is set anew", async () => {
    await setWebhook();
    await updateRows(endpoints, { status: "suspended", suspension_reason: "failing", suspended_at: Date.now() }, { id: CHAT });
    await paidRuble(`chat-lost-${count}`);
    await until(async () => expect((await rowsOf(events, { name: "Bank.payment.succeeded" })).length).toBeGreaterThan(0));
    expect((await ask("GET", "chat")).body).toMatchObject({ state: "suspended" });
    await setWebhook();
    expect((await ask("GET", "chat")).body).toMatchObject({ state: "active" });
    pass(MINUTE);
    await cron();
    expect(texts(inbox)).toEqual([]);
  });

  it.each(["webhooks/test.chat/secret", "webhooks/test.chat/replace-secret", "webhooks/test.chat/test", "webhooks/test.chat/resume"])(
    "has an address that %s does not show",
    async (path) => {
      await setWebhook();
      const { status, text } = await ask("POST", path, {});
      expect(status).toBe(400);
      expect(text).not.toContain(inbox);
    },
  );
});
