import { describe, expect, it } from "vitest";
import {
  type CodeFacts,
  type KeyFacts,
  type LinkFacts,
  summaryOfCode,
  summaryOfKey,
  summaryOfLink,
  summaryOfWebhook,
  type WebhookFacts,
} from "../../src/summaries/of-objects.ts";

const AT = Date.parse("2026-11-12T10:00:00Z");
const plain = ({ en, ru }: { en: string; ru: string }) => ({ en, ru: ru.replaceAll(/[\u00a0\u202f]/g, " ") });

describe("the summary of a link", () => {
  const open: LinkFacts = {
    state: "open",
    items: "Course A",
    amount: 1900,
    currency: "USD",
    hasShortUrl: true,
    disabledBy: null,
    disabledAt: null,
    closesAt: null,
    closedAt: null,
    orders: 0,
    lastSoldAt: null,
  };
  const SELLS = "The link sells Course A for $19.00.";
  it.each<[string, Partial<LinkFacts>, string]>([
    ["is open", {}, `${SELLS} Customers can pay. Nothing was paid through it.`],
    ["has an end", { closesAt: AT }, `${SELLS} Customers can pay until 12 Nov 2026. Nothing was paid through it.`],
    ["was paid once", { orders: 1, lastSoldAt: AT }, `${SELLS} Customers can pay. It was paid once, last on 12 Nov 2026.`],
    ["was paid more", { orders: 3, lastSoldAt: AT }, `${SELLS} Customers can pay. It was paid 3 times, last on 12 Nov 2026.`],
    ["was not counted", { orders: null }, `${SELLS} Customers can pay.`],
    [
      "has no short link",
      { hasShortUrl: false, orders: null },
      `${SELLS} Customers can pay. Its short link is missing: repeat the creation.`,
    ],
    [
      "its partner disabled",
      { state: "disabled", disabledBy: "partner", disabledAt: AT, orders: null },
      `${SELLS} Customers cannot pay: it was disabled by you on 12 Nov 2026.`,
    ],
    [
      "support disabled",
      { state: "disabled", disabledBy: "support", orders: null },
      `${SELLS} Customers cannot pay: it was disabled by support.`,
    ],
    ["is over", { state: "closed", orders: null }, `${SELLS} Customers cannot pay: its time is over.`],
    [
      "had its payments",
      { state: "closed", closedAt: AT, orders: null },
      `${SELLS} Customers cannot pay: it had all the payments that it was for.`,
    ],
    ["is not listed yet", { items: "", amount: null, orders: null }, "The link sells what its checkout shows. Customers can pay."],
  ])("that %s", (_what, change, wanted) => expect(summaryOfLink({ ...open, ...change }, "UTC").en).toBe(wanted));

  it("is in Russian, too", () => {
    expect(plain(summaryOfLink({ ...open, orders: 5, lastSoldAt: AT }, "UTC")).ru).toBe(
      "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. По ней 5 оплат, последняя 12 нояб. 2026.",
    );
    expect(plain(summaryOfLink({ ...open, state: "disabled", disabledBy: "support", orders: 0 }, "UTC")).ru).toBe(
      "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: ссылку отключила поддержка. По ней ничего не оплачено.",
    );
  });
});

describe("the summary of a promotion code", () => {
  const code: CodeFacts = {
    state: "active",
    code: "SPRING",
    percentOff: 20,
    duration: "once",
    months: null,
    products: ["Course A"],
    maxRedemptions: null,
    expiresAt: null,
    deactivatedAt: null,
  };
  it.each<[string, Partial<CodeFacts>, string]>([
    ["works", {}, "The code SPRING takes 20 % off, once, on Course A. Customers can enter it."],
    [
      "has an end and a limit",
      { expiresAt: AT, maxRedemptions: 1 },
      "The code SPRING takes 20 % off, once, on Course A. Customers can enter it until 12 Nov 2026, 1 time in all.",
    ],
    [
      "is for months",
      { duration: "repeating", months: 3 },
      "The code SPRING takes 20 % off, for 3 months, on Course A. Customers can enter it.",
    ],
    ["is for good", { duration: "forever" }, "The code SPRING takes 20 % off, for good, on Course A. Customers can enter it."],
    [
      "has ended",
      { state: "expired", expiresAt: AT },
      "The code SPRING takes 20 % off, once, on Course A. Customers cannot enter it: it ended on 12 Nov 2026.",
    ],
    [
      "was stopped",
      { state: "disabled", deactivatedAt: AT },
      "The code SPRING takes 20 % off, once, on Course A. Customers cannot enter it: it was stopped on 12 Nov 2026.",
    ],
  ])("that %s", (_what, change, wanted) => expect(summaryOfCode({ ...code, ...change }, "UTC").en).toBe(wanted));

  it("is in Russian, too", () =>
    expect(plain(summaryOfCode({ ...code, duration: "repeating", months: 2, state: "expired" }, "UTC")).ru).toBe(
      "Промокод SPRING даёт скидку 20 %, на 2 месяца: Course A. Ввести его нельзя: срок истёк.",
    ));
});

describe("the summary of a key", () => {
  const key: KeyFacts = { state: "active", hint: "7f3a", revokedAt: null, expiresAt: null, lastUsedAt: AT };
  it.each<[string, Partial<KeyFacts>, string]>([
    ["works", {}, "The key …7f3a works. It was last used on 12 Nov 2026."],
    ["was never used", { lastUsedAt: null, expiresAt: AT }, "The key …7f3a works until 12 Nov 2026. It was never used."],
    [
      "was revoked",
      { state: "revoked", revokedAt: AT, lastUsedAt: null },
      "The key …7f3a does not work: it was revoked on 12 Nov 2026. Use your new one. It was never used.",
    ],
    [
      "has expired",
      { state: "expired", expiresAt: AT, lastUsedAt: null },
      "The key …7f3a does not work: it ended on 12 Nov 2026. Make a new one. It was never used.",
    ],
    [
      "belongs to a disabled person",
      { state: "disabled", hint: null, lastUsedAt: null },
      "The key does not work: the person whom it belongs to is disabled. It was never used.",
    ],
  ])("that %s", (_what, change, wanted) => expect(summaryOfKey({ ...key, ...change }, "UTC").en).toBe(wanted));

  it("is in Russian, too", () =>
    expect(plain(summaryOfKey({ ...key, state: "revoked" }, "UTC")).ru).toBe(
      "Ключ …7f3a не работает: он отозван. Используйте новый. Последний раз им пользовались 12 нояб. 2026.",
    ));
});

describe("the summary of a webhook", () => {
  const kept = "Its events are kept, and are sent when you resume it or register it again.";
  it.each<[WebhookFacts["suspensionReason"], Partial<WebhookFacts>, string]>([
    [null, {}, "Your webhook gets its events."],
    [
      null,
      { failingSince: AT },
      "Attempts to reach your webhook have failed since 12 Nov 2026; we try again. Its deliveries show what your receiver answered.",
    ],
    ["gone", { suspendedAt: AT }, `Your webhook is suspended since 12 Nov 2026, because your receiver answered 410 Gone. ${kept}`],
    ["failing", {}, `Your webhook is suspended, because every attempt failed for days. ${kept}`],
    ["unregistered", { suspendedAt: AT }, `You unregistered this webhook on 12 Nov 2026. ${kept}`],
    ["operator", {}, "Support suspended your webhook. Ask support why; only they can resume it. Its events are kept."],
    ["partner_disabled", {}, "Your webhook is suspended, because your account was disabled. Its events are kept."],
  ])("%s %o", (suspensionReason, change, wanted) => {
    const facts = { suspensionReason, suspendedAt: null, failingSince: null, ...change };
    const { en, ru } = summaryOfWebhook(facts, "UTC");
    expect(en).toBe(wanted);
    expect(ru).toMatch(/^[^a-z]*(410 Gone)?[^a-z]*$/);
  });
});
