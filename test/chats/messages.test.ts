import { describe, expect, it } from "vitest";
import { chatRequest, chatSchema, chatUrlError, hostOf } from "../../src/chats/chat.ts";
import { mailAbout } from "../../src/chats/mails.ts";
import { messageOf } from "../../src/chats/messages.ts";
import { bankPaymentSucceeded } from "../../src/webhooks/outbox/events/bank-payment-succeeded.ts";
import { disputeEvidenceDue } from "../../src/webhooks/outbox/events/dispute-evidence-due.ts";
import { allEvents } from "../../src/webhooks/outbox/events/index.ts";
import { paymentMethodRefused } from "../../src/webhooks/outbox/events/payment-method-refused.ts";
import { transactionEvents } from "../../src/webhooks/outbox/events/transaction-events.ts";
import { webhookFailing, webhookRecovered } from "../../src/webhooks/outbox/events/webhook-health.ts";

/** The message of a chat about an event, and the request that sends it. */

const message = (example: object, more: object = {}) => messageOf(JSON.stringify({ ...example, environment: "live", ...more }));

describe("the message", () => {
  it("about a paid ruble cart has the partner's number, or ours", () => {
    const { example } = bankPaymentSucceeded;
    const { Payment } = example as { Payment: { Amount: number; Data: object } };
    const paid = (ep_order: string | null) => ({
      Payment: { ...Payment, Amount: 123_456, OrderId: "01ab", Data: { ...Payment.Data, ep_order } },
    });
    expect(message(example, paid("1042"))).toBe("Paid: 1,234.56 RUB, order 1042.");
    expect(message(example, paid(null))).toBe("Paid: 1,234.56 RUB, order 01ab.");
  });

  it("about refused methods names them, the link, and the methods that include them", () => {
    const refused = (methods: string[], covered_by?: object) =>
      message(paymentMethodRefused.example, { payment_link_id: "plink_1", refused_payment_method_types: methods, covered_by });
    expect(refused(["zip"])).toBe("The card processor refused zip for the link plink_1. The link works without it.");
    expect(refused(["visa", "apple_pay"], { visa: "card", apple_pay: "card" })).toMatch(/ card includes visa\. card includes apple_pay\.$/);
    expect(refused(["zip", "visa"], { visa: "card" })).toBe(
      "The card processor refused zip, visa for the link plink_1. The link works without them. card includes visa.",
    );
  });

  it("about a new dispute has the amount, the order, the reason and the deadline, as far as they are known", () => {
    const { example } = transactionEvents.disputeOpened;
    const { transaction, dispute } = example as { transaction: object; dispute: object };
    const of = (more: object, order: object = {}) =>
      message(example, { transaction: { ...transaction, client_reference_id: "order-7", ...order }, dispute: { ...dispute, ...more } });
    expect(of({ amount: 19.5, evidence_due_by: "2026-12-16T23:59:59.000Z" })).toBe(
      "A customer disputes 19.50 USD of order order-7 (product_not_received). Evidence is due by 2026-12-16T23:59:59.000Z: send it to support.",
    );
    expect(of({ amount: 1900, currency: "JPY", evidence_due_by: null }, { client_reference_id: null, payment_intent_id: "pi_1" })).toBe(
      "A customer disputes 1,900 JPY of order pi_1 (product_not_received).",
    );
    const unknown = { transaction: { ...transaction, client_reference_id: null, payment_intent_id: null }, dispute: null };
    expect(message(example, unknown)).toBe("A customer's bank took back the money of an order that is not known.");
  });

  it("about a webhook or a deadline is its sentence", () => {
    for (const { example } of [webhookFailing, webhookRecovered, disputeEvidenceDue]) expect(message(example)).toBe(example["says"]);
  });

  it("of test data is marked", () => {
    expect(message(webhookFailing.example, { environment: "test" })).toMatch(/^\[test\] All deliveries/);
  });

  it("is there for each event that goes to a chat, with a subject for each that goes by e-mail, and for no other", () => {
    const settings = { brand: { name: "Shop", color: "#000000" }, dashboardOrigin: "https://dashboard.example" };
    for (const { name, channels, example } of allEvents) {
      const body = JSON.stringify(example);
      if (channels.length === 0) expect(() => messageOf(body)).toThrow(`${name} has no message for a chat`);
      else expect(messageOf(body)).not.toBe("");
      if (!channels.includes("email"))
        expect(() => mailAbout(settings, "a@b.example", body)).toThrow(`${name} has no message for an address`);
      else expect(mailAbout(settings, "a@b.example", body)).toMatchObject({ to: "a@b.example", subject: expect.stringMatching(/^Shop: /) });
    }
    const named = (channel: "chat" | "telegram" | "email") =>
      allEvents.filter(({ channels }) => channels.includes(channel)).map(({ name }) => name);
    const byMail = ["Processor.dispute.opened", "Processor.dispute.evidence_due", "Partner.webhook.failing", "Partner.webhook.recovered"];
    expect(named("email")).toEqual(byMail);
    expect(new Set(named("chat"))).toEqual(new Set([...byMail, "Bank.payment.succeeded", "Processor.payment_method.refused"]));
    expect(named("telegram")).toEqual(named("chat"));
  });
});

describe("the request", () => {
  const settings = { settings: { telegramBase: "https://telegram.example", local: false, apiOrigin: "https://api.example" } } as never;

  it.each([
    ["https://discord.com/api/webhooks/1/abc", { content: "x" }],
    ["https://ptb.discord.com/api/webhooks/1/abc", { content: "x" }],
    ["https://discordapp.com/api/webhooks/1/abc", { content: "x" }],
    ["https://discord.com/api/webhooks/1/abc/slack", { text: "x" }],
    ["https://discord.com/other/api/webhooks/1", { text: "x" }],
    ["https://notdiscord.com/api/webhooks/1/abc", { text: "x" }],
    ["https://hooks.example.com/api/webhooks/1", { text: "x" }],
  ])("to %s has the form that the chat takes", (url, body) => {
    const request = chatRequest(settings, { kind: "webhook", url }, "x");
    expect([request.url, request.headers["Content-Type"], JSON.parse(request.body)]).toEqual([url, "application/json", body]);
    expect(request.headers["User-Agent"]).toBe("partner-payments-chat/1");
  });

  it("goes to a public host over https, but on a developer's machine to any", () => {
    const of = (local: boolean) =>
      ({
        settings: {
          local,
          telegramBase: "https://telegram.example",
          apiOrigin: "https://api.example",
          shortLinkOrigin: "https://pay.example",
          dashboardOrigin: null,
          shortLinkHosts: [],
          bank: { base: "https://bank.example" },
        },
      }) as never;
    const fault = (url: string, local = false) => chatUrlError(of(local), { kind: "webhook", url });
    expect([fault("https://hooks.shop-chat.com/x"), fault("http://localhost:9/x", true)]).toEqual([null, null]);
    expect(fault("http://hooks.shop-chat.com/x")).toBe("must be an https URL");
    expect(fault("https://localhost/x")).toBe("must be on a public host");
  });

  it("is of a chat that was stored: a webhook, or Telegram's", () => {
    for (const chat of [
      { kind: "webhook", url: "https://hooks.shop-chat.com/x" },
      { kind: "telegram", token: "1:A", chat: "-100" },
    ])
      expect(chatSchema.parse(chat)).toEqual(chat);
    for (const none of [{ kind: "fax", url: "x" }, { kind: "webhook" }, { kind: "telegram", token: "1:A" }])
      expect(chatSchema.safeParse(none).success).toBe(false);
  });

  it("to Telegram names the chat, and its host is the address of the settings", () => {
    const chat = { kind: "telegram", token: "1:A", chat: "-100" } as const;
    const request = chatRequest(settings, chat, "x");
    expect([request.url, JSON.parse(request.body)]).toEqual([
      "https://telegram.example/bot1:A/sendMessage",
      { chat_id: "-100", text: "x" },
    ]);
    expect(hostOf(settings, chat)).toBe("telegram.example");
    expect(hostOf(settings, { kind: "webhook", url: "https://hooks.example.com/secret" })).toBe("hooks.example.com");
    expect(chatUrlError(settings, chat)).toBeNull();
  });
});
