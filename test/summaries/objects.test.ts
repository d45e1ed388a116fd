import { expect, it } from "vitest";
import { type CodeFacts, codeForCustomer, summaryOfCode } from "../../src/summaries/of-code.ts";
import { type LinkFacts, linkForCustomer, summaryOfLink } from "../../src/summaries/of-link.ts";
import { type KeyFacts, summaryOfKey, summaryOfWebhook, type WebhookFacts } from "../../src/summaries/of-objects.ts";
import type { Summary } from "../../src/summaries/words.ts";
import { plain } from "./plain.ts";

const ON_12 = Date.parse("2026-11-12T10:00:00Z");
const ON_20 = Date.parse("2026-11-20T10:00:00Z");

const expectBoth = (summary: Summary, en: string, ru: string) => expect([summary.en, plain(summary.ru)]).toEqual([en, ru]);

const link: LinkFacts = {
  state: "open",
  sold: "Course A",
  amount: 1900,
  currency: "USD",
  hasShortUrl: true,
  disabledBy: null,
  disabledAt: null,
  disabledReason: null,
  closesAt: null,
  closedAt: null,
  orders: null,
  lastSoldAt: null,
};

it.each<[Partial<LinkFacts>, string, string]>([
  [{}, "The link sells Course A for $19.00. Customers can pay.", "Ссылка продаёт: Course A, 19,00 $. Оплатить можно."],
  [
    { orders: 0 },
    "The link sells Course A for $19.00. Customers can pay. Nothing was paid through it.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. По ней ничего не оплачено.",
  ],
  [
    { closesAt: ON_12 },
    "The link sells Course A for $19.00. Customers can pay until 12 Nov 2026.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно до 12 нояб. 2026.",
  ],
  [
    { orders: 1, lastSoldAt: ON_12 },
    "The link sells Course A for $19.00. Customers can pay. It was paid once on 12 Nov 2026.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. По ней 1 оплата, 12 нояб. 2026.",
  ],
  [
    { orders: 3, lastSoldAt: ON_12 },
    "The link sells Course A for $19.00. Customers can pay. It was paid 3 times, last on 12 Nov 2026.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. По ней 3 оплаты, последняя 12 нояб. 2026.",
  ],
  [
    { orders: 5 },
    "The link sells Course A for $19.00. Customers can pay. It was paid 5 times.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. По ней 5 оплат.",
  ],
  [
    { hasShortUrl: false },
    "The link sells Course A for $19.00. Customers can pay. Its short link is missing: repeat the creation.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. Короткой ссылки нет: повторите создание.",
  ],
  [
    { state: "closed", hasShortUrl: false },
    "The link sells Course A for $19.00. Customers cannot pay: its time is over.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: срок истёк.",
  ],
  [
    { state: "disabled", disabledBy: "partner", disabledAt: ON_12 },
    "The link sells Course A for $19.00. Customers cannot pay: it was disabled by you on 12 Nov 2026.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: ссылку отключили вы 12 нояб. 2026.",
  ],
  [
    { state: "disabled", disabledBy: "partner" },
    "The link sells Course A for $19.00. Customers cannot pay: it was disabled by you.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: ссылку отключили вы.",
  ],
  [
    { state: "disabled", disabledBy: "support", disabledAt: ON_12 },
    "The link sells Course A for $19.00. Customers cannot pay: it was disabled by support on 12 Nov 2026.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: ссылку отключила поддержка 12 нояб. 2026.",
  ],
  [
    { state: "disabled", disabledBy: "support" },
    "The link sells Course A for $19.00. Customers cannot pay: it was disabled by support.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: ссылку отключила поддержка.",
  ],
  [
    { state: "disabled", disabledBy: "support", disabledReason: "Moderation has not seen it." },
    "The link sells Course A for $19.00. Customers cannot pay: it was disabled by support. Moderation has not seen it.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: ссылку отключила поддержка. Moderation has not seen it.",
  ],
  [
    { state: "closed" },
    "The link sells Course A for $19.00. Customers cannot pay: its time is over.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: срок истёк.",
  ],
  [
    { state: "closed", closedAt: ON_12 },
    "The link sells Course A for $19.00. Customers cannot pay: it had all the payments that it was for.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: все оплаты, на которые она рассчитана, прошли.",
  ],
  [
    { sold: null, amount: null },
    "The link sells what its checkout shows. Customers can pay.",
    "Ссылка продаёт: то, что показано на странице оплаты. Оплатить можно.",
  ],
])("a link with %j is summed up in both languages: %s", (change, en, ru) =>
  expectBoth(summaryOfLink({ ...link, ...change }, "UTC"), en, ru),
);

it.each<[Partial<LinkFacts>, string, string]>([
  [{}, "You can pay by this link: it sells Course A for $19.00.", "По этой ссылке можно оплатить: Course A, 19,00 $."],
  [
    { closesAt: ON_12, sold: null, amount: null },
    "You can pay by this link until 12 Nov 2026: it sells what its page shows.",
    "По этой ссылке можно оплатить до 12 нояб. 2026: то, что показано на странице.",
  ],
  [
    { state: "closed" },
    "This link takes no payments any more: its time is over. Ask the seller for a new one.",
    "По этой ссылке больше нельзя оплатить: срок истёк. Попросите у продавца новую.",
  ],
  [
    { state: "closed", closedAt: ON_12 },
    "This link takes no payments any more: it was for a limited number of payments. Ask the seller for a new one.",
    "По этой ссылке больше нельзя оплатить: число оплат было ограничено. Попросите у продавца новую.",
  ],
  [
    { state: "disabled", disabledBy: "support", disabledAt: ON_12, disabledReason: "Moderation has not seen it." },
    "This link takes no payments any more: it is out of use. Ask the seller for a new one.",
    "По этой ссылке больше нельзя оплатить: она не используется. Попросите у продавца новую.",
  ],
])("a customer who asks for a link with %j hears: %s", (change, en, ru) =>
  expectBoth(linkForCustomer({ ...link, ...change }, "UTC"), en, ru),
);

const code: CodeFacts = {
  state: "active",
  code: "SPRING",
  percentOff: 20,
  duration: "once",
  months: null,
  products: ["Course A", "Course B"],
  maxRedemptions: null,
  expiresAt: null,
  deactivatedAt: null,
  deactivatedReason: null,
};

it.each<[Partial<CodeFacts>, string, string]>([
  [
    {},
    "The code SPRING takes 20 % off, once, on Course A, Course B. Customers can enter it.",
    "Промокод SPRING даёт скидку 20 %, один раз: Course A, Course B. Его можно ввести.",
  ],
  [
    { expiresAt: ON_12, maxRedemptions: 1 },
    "The code SPRING takes 20 % off, once, on Course A, Course B. Customers can enter it until 12 Nov 2026, 1 time in all.",
    "Промокод SPRING даёт скидку 20 %, один раз: Course A, Course B. Его можно ввести до 12 нояб. 2026, всего 1 раз.",
  ],
  [
    { maxRedemptions: 5 },
    "The code SPRING takes 20 % off, once, on Course A, Course B. Customers can enter it, 5 times in all.",
    "Промокод SPRING даёт скидку 20 %, один раз: Course A, Course B. Его можно ввести, всего 5 раз.",
  ],
  [
    { duration: "repeating", months: 1 },
    "The code SPRING takes 20 % off, for 1 month, on Course A, Course B. Customers can enter it.",
    "Промокод SPRING даёт скидку 20 %, на 1 месяц: Course A, Course B. Его можно ввести.",
  ],
  [
    { duration: "repeating", months: 3 },
    "The code SPRING takes 20 % off, for 3 months, on Course A, Course B. Customers can enter it.",
    "Промокод SPRING даёт скидку 20 %, на 3 месяца: Course A, Course B. Его можно ввести.",
  ],
  [
    { duration: "forever" },
    "The code SPRING takes 20 % off, for good, on Course A, Course B. Customers can enter it.",
    "Промокод SPRING даёт скидку 20 %, навсегда: Course A, Course B. Его можно ввести.",
  ],
  [
    { state: "expired" },
    "The code SPRING takes 20 % off, once, on Course A, Course B. Customers cannot enter it: it ended.",
    "Промокод SPRING даёт скидку 20 %, один раз: Course A, Course B. Ввести его нельзя: срок истёк.",
  ],
  [
    { state: "expired", expiresAt: ON_12 },
    "The code SPRING takes 20 % off, once, on Course A, Course B. Customers cannot enter it: it ended on 12 Nov 2026.",
    "Промокод SPRING даёт скидку 20 %, один раз: Course A, Course B. Ввести его нельзя: срок истёк 12 нояб. 2026.",
  ],
  [
    { state: "disabled" },
    "The code SPRING takes 20 % off, once, on Course A, Course B. Customers cannot enter it: support stopped it.",
    "Промокод SPRING даёт скидку 20 %, один раз: Course A, Course B. Ввести его нельзя: его остановила поддержка.",
  ],
  [
    { state: "disabled", deactivatedAt: ON_12 },
    "The code SPRING takes 20 % off, once, on Course A, Course B. Customers cannot enter it: support stopped it on 12 Nov 2026.",
    "Промокод SPRING даёт скидку 20 %, один раз: Course A, Course B. Ввести его нельзя: его остановила поддержка 12 нояб. 2026.",
  ],
  [
    { state: "disabled", deactivatedAt: ON_12, deactivatedReason: "It was published", expiresAt: ON_20 },
    "The code SPRING takes 20 % off, once, on Course A, Course B. Customers cannot enter it: support stopped it on 12 Nov 2026. It was published. It would have ended on 20 Nov 2026.",
    "Промокод SPRING даёт скидку 20 %, один раз: Course A, Course B. Ввести его нельзя: его остановила поддержка 12 нояб. 2026. It was published. Срок истёк бы 20 нояб. 2026.",
  ],
  [
    { duration: "repeating", months: 5, maxRedemptions: 2 },
    "The code SPRING takes 20 % off, for 5 months, on Course A, Course B. Customers can enter it, 2 times in all.",
    "Промокод SPRING даёт скидку 20 %, на 5 месяцев: Course A, Course B. Его можно ввести, всего 2 раза.",
  ],
])("a promotion code with %j is summed up in both languages: %s", (change, en, ru) =>
  expectBoth(summaryOfCode({ ...code, ...change }, "UTC"), en, ru),
);

it.each<[Partial<CodeFacts>, string, string]>([
  [
    {},
    "The code SPRING takes 20 % off, once, on Course A, Course B. You can use it.",
    "Промокод SPRING даёт скидку 20 %, один раз: Course A, Course B. Им можно воспользоваться.",
  ],
  [
    { expiresAt: ON_12 },
    "The code SPRING takes 20 % off, once, on Course A, Course B. You can use it until 12 Nov 2026.",
    "Промокод SPRING даёт скидку 20 %, один раз: Course A, Course B. Им можно воспользоваться до 12 нояб. 2026.",
  ],
  [
    { state: "expired", expiresAt: ON_12 },
    "The code SPRING cannot be used any more: it ended on 12 Nov 2026.",
    "Промокод SPRING больше не действует: его срок истёк 12 нояб. 2026.",
  ],
  [{ state: "expired" }, "The code SPRING cannot be used any more: it ended.", "Промокод SPRING больше не действует: его срок истёк."],
  [
    { state: "disabled", deactivatedAt: ON_12, deactivatedReason: "It was published." },
    "The code SPRING cannot be used any more.",
    "Промокод SPRING больше не действует.",
  ],
])("a customer who asks for a promotion code with %j hears: %s", (change, en, ru) =>
  expectBoth(codeForCustomer({ ...code, ...change }, "UTC"), en, ru),
);

const key: KeyFacts = { state: "active", hint: "7f3a", revokedAt: null, expiresAt: null, lastUsedAt: null };

it.each<[Partial<KeyFacts>, string, string]>([
  [
    { lastUsedAt: ON_12 },
    "The key …7f3a works. It was last used on 12 Nov 2026.",
    "Ключ …7f3a работает. Последний раз им пользовались 12 нояб. 2026.",
  ],
  [{}, "The key …7f3a works. It was never used.", "Ключ …7f3a работает. Им ещё не пользовались."],
  [
    { expiresAt: ON_12 },
    "The key …7f3a works until 12 Nov 2026. It was never used.",
    "Ключ …7f3a работает до 12 нояб. 2026. Им ещё не пользовались.",
  ],
  [
    { state: "revoked" },
    "The key …7f3a does not work: it was revoked. Use your new one. It was never used.",
    "Ключ …7f3a не работает: он отозван. Используйте новый. Им ещё не пользовались.",
  ],
  [
    { state: "revoked", revokedAt: ON_12 },
    "The key …7f3a does not work: it was revoked on 12 Nov 2026. Use your new one. It was never used.",
    "Ключ …7f3a не работает: он отозван 12 нояб. 2026. Используйте новый. Им ещё не пользовались.",
  ],
  [
    { state: "expired" },
    "The key …7f3a does not work: it ended. Make a new one. It was never used.",
    "Ключ …7f3a не работает: срок истёк. Создайте новый. Им ещё не пользовались.",
  ],
  [
    { state: "expired", expiresAt: ON_12 },
    "The key …7f3a does not work: it ended on 12 Nov 2026. Make a new one. It was never used.",
    "Ключ …7f3a не работает: срок истёк 12 нояб. 2026. Создайте новый. Им ещё не пользовались.",
  ],
  [
    { state: "disabled", hint: null },
    "The key does not work: the person whom it belongs to is disabled. It was never used.",
    "Ключ не работает: его владелец отключён. Им ещё не пользовались.",
  ],
])("a key with %j is summed up in both languages: %s", (change, en, ru) => expectBoth(summaryOfKey({ ...key, ...change }, "UTC"), en, ru));

const webhook: WebhookFacts = { suspensionReason: null, suspendedAt: null, failingSince: null };

it.each<[Partial<WebhookFacts>, string, string]>([
  [{}, "Your webhook gets its events.", "Ваш вебхук получает события."],
  [
    { failingSince: ON_12 },
    "Attempts to reach your webhook have failed since 12 Nov 2026; we try again. Its deliveries show what your receiver answered.",
    "С 12 нояб. 2026 попытки доставить события на ваш вебхук не удаются; мы пробуем снова. В доставках видно, что ответил ваш приёмник.",
  ],
  [
    { suspensionReason: "gone" },
    "Your webhook is suspended, because your receiver answered 410 Gone. Its events are kept, and are sent when you resume it or register it again.",
    "Ваш вебхук приостановлен: ваш приёмник ответил 410 Gone. События хранятся и уйдут, когда вы его возобновите или подключите снова.",
  ],
  [
    { suspensionReason: "gone", suspendedAt: ON_12 },
    "Your webhook is suspended since 12 Nov 2026, because your receiver answered 410 Gone. Its events are kept, and are sent when you resume it or register it again.",
    "Ваш вебхук приостановлен с 12 нояб. 2026: ваш приёмник ответил 410 Gone. События хранятся и уйдут, когда вы его возобновите или подключите снова.",
  ],
  [
    { suspensionReason: "failing", suspendedAt: ON_12 },
    "Your webhook is suspended since 12 Nov 2026, because every attempt failed for days. Its events are kept, and are sent when you resume it or register it again.",
    "Ваш вебхук приостановлен с 12 нояб. 2026: несколько дней не удавалась ни одна попытка. События хранятся и уйдут, когда вы его возобновите или подключите снова.",
  ],
  [
    { suspensionReason: "unregistered" },
    "You unregistered this webhook. Its events are kept, and are sent when you resume it or register it again.",
    "Вы отключили этот вебхук. События хранятся и уйдут, когда вы его возобновите или подключите снова.",
  ],
  [
    { suspensionReason: "unregistered", suspendedAt: ON_12 },
    "You unregistered this webhook on 12 Nov 2026. Its events are kept, and are sent when you resume it or register it again.",
    "Вы отключили этот вебхук 12 нояб. 2026. События хранятся и уйдут, когда вы его возобновите или подключите снова.",
  ],
  [
    { suspensionReason: "operator", suspendedAt: ON_12 },
    "Support suspended your webhook on 12 Nov 2026. Ask support why; only they can resume it. Its events are kept.",
    "Поддержка приостановила ваш вебхук 12 нояб. 2026. Возобновить его может только она. События хранятся.",
  ],
  [
    { suspensionReason: "partner_disabled", suspendedAt: ON_12 },
    "Your webhook is suspended since 12 Nov 2026, because your account was disabled. Its events are kept.",
    "Ваш вебхук приостановлен с 12 нояб. 2026: ваш аккаунт отключён. События хранятся.",
  ],
  [
    { suspensionReason: "operator" },
    "Support suspended your webhook. Ask support why; only they can resume it. Its events are kept.",
    "Поддержка приостановила ваш вебхук. Возобновить его может только она. События хранятся.",
  ],
])("a webhook with %j is summed up in both languages: %s", (change, en, ru) =>
  expectBoth(summaryOfWebhook({ ...webhook, ...change }, "UTC"), en, ru),
);
