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
  environment: "live",
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
  [{}, "The link is for Course A, $19.00. Customers can pay.", "Ссылка продаёт: Course A, 19,00 $. Оплатить можно."],
  [
    { orders: 0 },
    "The link is for Course A, $19.00. Customers can pay. No payment through it is recorded.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. Оплат по ней не записано.",
  ],
  [
    { closesAt: ON_12 },
    "The link is for Course A, $19.00. Customers can pay until 12 Nov 2026.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно до 12 нояб. 2026.",
  ],
  [
    { orders: 1, lastSoldAt: ON_12 },
    "The link is for Course A, $19.00. Customers can pay. It was paid once on 12 Nov 2026.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. По ней 1 оплата, 12 нояб. 2026.",
  ],
  [
    { orders: 3, lastSoldAt: ON_12 },
    "The link is for Course A, $19.00. Customers can pay. It was paid 3 times, last on 12 Nov 2026.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. По ней 3 оплаты, последняя 12 нояб. 2026.",
  ],
  [
    { orders: 5 },
    "The link is for Course A, $19.00. Customers can pay. It was paid 5 times.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. По ней 5 оплат.",
  ],
  [
    { hasShortUrl: false },
    "The link is for Course A, $19.00. Customers can pay. Its short link is missing: repeat the creation.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. Короткой ссылки нет: повторите создание.",
  ],
  [
    { state: "closed", hasShortUrl: false },
    "The link is for Course A, $19.00. Customers cannot pay: its time is over.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: срок истёк.",
  ],
  [
    { state: "disabled", disabledBy: "partner", disabledAt: ON_12 },
    "The link is for Course A, $19.00. Customers cannot pay: it was disabled by you on 12 Nov 2026.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: ссылку отключили вы 12 нояб. 2026.",
  ],
  [
    { state: "disabled", disabledBy: "partner" },
    "The link is for Course A, $19.00. Customers cannot pay: it was disabled by you.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: ссылку отключили вы.",
  ],
  [
    { state: "disabled", disabledBy: "support", disabledAt: ON_12 },
    "The link is for Course A, $19.00. Customers cannot pay: it was disabled by support on 12 Nov 2026. Only support can enable it again.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: ссылку отключила поддержка 12 нояб. 2026. Включить её снова может только поддержка.",
  ],
  [
    { state: "disabled", disabledBy: "support" },
    "The link is for Course A, $19.00. Customers cannot pay: it was disabled by support. Only support can enable it again.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: ссылку отключила поддержка. Включить её снова может только поддержка.",
  ],
  [
    { state: "disabled", disabledBy: "support", disabledReason: "Moderation has not seen it." },
    "The link is for Course A, $19.00. Customers cannot pay: it was disabled by support. Reason: Moderation has not seen it. Only support can enable it again.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: ссылку отключила поддержка. Причина: Moderation has not seen it. Включить её снова может только поддержка.",
  ],
  [
    { state: "closed" },
    "The link is for Course A, $19.00. Customers cannot pay: its time is over.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: срок истёк.",
  ],
  [
    { state: "closed", closedAt: ON_12 },
    "The link is for Course A, $19.00. Customers cannot pay: it had all the payments that it was for.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить нельзя: все оплаты, на которые она рассчитана, прошли.",
  ],
  [
    { environment: "test" },
    "The link is for Course A, $19.00. Customers can pay. It is of the test environment.",
    "Ссылка продаёт: Course A, 19,00 $. Оплатить можно. Это тестовый режим.",
  ],
  [
    { sold: null, amount: null },
    "The link is for what its checkout shows. Customers can pay.",
    "Ссылка продаёт: то, что показано на странице оплаты. Оплатить можно.",
  ],
])("a link with %j is summed up in both languages: %s", (change, en, ru) =>
  expectBoth(summaryOfLink({ ...link, ...change }, "UTC"), en, ru),
);

it.each<[Partial<LinkFacts>, string, string]>([
  [{}, "You can pay by this link: it is for Course A, $19.00.", "По этой ссылке можно оплатить: Course A, 19,00 $."],
  [
    { closesAt: ON_12, sold: null, amount: null },
    "You can pay by this link until 12 Nov 2026: it is for what its page shows.",
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
    { environment: "test" },
    "You can pay by this link: it is for Course A, $19.00. It is of the test environment.",
    "По этой ссылке можно оплатить: Course A, 19,00 $. Это тестовый режим.",
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
  environment: "live",
  state: "active",
  code: "SPRING",
  percentOff: 20,
  duration: "once",
  months: null,
  products: ["Course A", "Course B"],
  maxRedemptions: null,
  used: null,
  expiresAt: null,
  deactivatedAt: null,
  deactivatedReason: null,
};

it.each<[Partial<CodeFacts>, string, string]>([
  [
    {},
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers can enter it.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Его можно ввести.",
  ],
  [
    { expiresAt: ON_12, maxRedemptions: 1 },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers can enter it until 12 Nov 2026, 1 time in all.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Его можно ввести до 12 нояб. 2026, всего 1 раз.",
  ],
  [
    { environment: "test" },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers can enter it. It is of the test environment.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Его можно ввести. Это тестовый режим.",
  ],
  [
    { maxRedemptions: 5 },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers can enter it, 5 times in all.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Его можно ввести, всего 5 раз.",
  ],
  [
    { duration: "repeating", months: 1 },
    "The code SPRING is for 20 % off the payments of 1 month for Course A, Course B. Customers can enter it.",
    "Промокод SPRING – скидка 20 % на 1 месяц: Course A, Course B. Его можно ввести.",
  ],
  [
    { duration: "repeating", months: 3 },
    "The code SPRING is for 20 % off the payments of 3 months for Course A, Course B. Customers can enter it.",
    "Промокод SPRING – скидка 20 % на 3 месяца: Course A, Course B. Его можно ввести.",
  ],
  [
    { duration: "forever" },
    "The code SPRING is for 20 % off every payment for Course A, Course B. Customers can enter it.",
    "Промокод SPRING – скидка 20 % на все платежи: Course A, Course B. Его можно ввести.",
  ],
  [
    { state: "expired" },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers cannot enter it any more: it ended.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Ввести его больше нельзя: срок истёк.",
  ],
  [
    { state: "expired", expiresAt: ON_12 },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers cannot enter it any more: it ended on 12 Nov 2026.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Ввести его больше нельзя: срок истёк 12 нояб. 2026.",
  ],
  [
    { state: "disabled" },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers cannot enter it any more: support stopped it.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Ввести его больше нельзя: его остановила поддержка.",
  ],
  [
    { state: "disabled", deactivatedAt: ON_12 },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers cannot enter it any more: support stopped it on 12 Nov 2026.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Ввести его больше нельзя: его остановила поддержка 12 нояб. 2026.",
  ],
  [
    { state: "disabled", deactivatedAt: ON_12, deactivatedReason: "It was published", expiresAt: ON_20 },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers cannot enter it any more: support stopped it on 12 Nov 2026. Reason: It was published. It would have ended on 20 Nov 2026.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Ввести его больше нельзя: его остановила поддержка 12 нояб. 2026. Причина: It was published. Срок истёк бы 20 нояб. 2026.",
  ],
  [
    { maxRedemptions: 2, used: 2 },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers cannot enter it any more: it was used as often as it may be.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Ввести его больше нельзя: он использован столько раз, сколько можно.",
  ],
  [
    { used: 0 },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers can enter it.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Его можно ввести.",
  ],
  // Its text is another code's since.
  [
    { state: "disabled", deactivatedAt: ON_12, maxRedemptions: 2, used: 2, expiresAt: ON_20 },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers cannot enter it any more: it was used as often as it may be.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Ввести его больше нельзя: он использован столько раз, сколько можно.",
  ],
  [
    { state: "disabled", deactivatedReason: "It was published", maxRedemptions: 2, used: 2 },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers cannot enter it any more: support stopped it. Reason: It was published.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Ввести его больше нельзя: его остановила поддержка. Причина: It was published.",
  ],
  [
    { maxRedemptions: 2, used: 1 },
    "The code SPRING is for 20 % off the first payment for Course A, Course B. Customers can enter it, 2 times in all.",
    "Промокод SPRING – скидка 20 % на первый платёж: Course A, Course B. Его можно ввести, всего 2 раза.",
  ],
  [
    { duration: "repeating", months: 5, maxRedemptions: 2 },
    "The code SPRING is for 20 % off the payments of 5 months for Course A, Course B. Customers can enter it, 2 times in all.",
    "Промокод SPRING – скидка 20 % на 5 месяцев: Course A, Course B. Его можно ввести, всего 2 раза.",
  ],
])("a promotion code with %j is summed up in both languages: %s", (change, en, ru) =>
  expectBoth(summaryOfCode({ ...code, ...change }, "UTC"), en, ru),
);

it.each<[Partial<CodeFacts>, string, string]>([
  [
    {},
    "You can use the code SPRING: 20 % off the first payment for Course A, Course B.",
    "Промокодом SPRING можно воспользоваться: скидка 20 % на первый платёж: Course A, Course B.",
  ],
  [
    { expiresAt: ON_12 },
    "You can use the code SPRING until 12 Nov 2026: 20 % off the first payment for Course A, Course B.",
    "Промокодом SPRING можно воспользоваться до 12 нояб. 2026: скидка 20 % на первый платёж: Course A, Course B.",
  ],
  [
    { state: "expired", expiresAt: ON_12 },
    "The code SPRING cannot be used any more: it ended on 12 Nov 2026.",
    "Промокод SPRING больше не действует: его срок истёк 12 нояб. 2026.",
  ],
  [{ maxRedemptions: 1, used: 1 }, "The code SPRING cannot be used any more.", "Промокод SPRING больше не действует."],
  [{ state: "expired" }, "The code SPRING cannot be used any more: it ended.", "Промокод SPRING больше не действует: его срок истёк."],
  [
    { environment: "test", state: "disabled" },
    "The code SPRING cannot be used any more. It is of the test environment.",
    "Промокод SPRING больше не действует. Это тестовый режим.",
  ],
  [
    { state: "disabled", deactivatedAt: ON_12, deactivatedReason: "It was published." },
    "The code SPRING cannot be used any more.",
    "Промокод SPRING больше не действует.",
  ],
])("a customer who asks for a promotion code with %j hears: %s", (change, en, ru) =>
  expectBoth(codeForCustomer({ ...code, ...change }, "UTC"), en, ru),
);

const key: KeyFacts = { state: "active", hint: "7f3a", revokedAt: null, expiresAt: null, lastUsedAt: null, partnerStatus: "active" };

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
    "The key …7f3a does not work: it was revoked. Use your new one.",
    "Ключ …7f3a не работает: он отозван. Используйте новый.",
  ],
  [
    { state: "revoked", revokedAt: ON_12 },
    "The key …7f3a does not work: it was revoked on 12 Nov 2026. Use your new one.",
    "Ключ …7f3a не работает: он отозван 12 нояб. 2026. Используйте новый.",
  ],
  [
    { state: "revoked", lastUsedAt: ON_12 },
    "The key …7f3a does not work: it was revoked. Use your new one. It was last used on 12 Nov 2026.",
    "Ключ …7f3a не работает: он отозван. Используйте новый. Последний раз им пользовались 12 нояб. 2026.",
  ],
  [{ state: "expired" }, "The key …7f3a does not work: it ended. Make a new one.", "Ключ …7f3a не работает: срок истёк. Создайте новый."],
  [
    { state: "expired", expiresAt: ON_12 },
    "The key …7f3a does not work: it ended on 12 Nov 2026. Make a new one.",
    "Ключ …7f3a не работает: срок истёк 12 нояб. 2026. Создайте новый.",
  ],
  [
    { state: "disabled", partnerStatus: "disabled" },
    "The key …7f3a does not work: your account is disabled, and so are all its keys.",
    "Ключ …7f3a не работает: ваш кабинет отключён, а с ним и все его ключи.",
  ],
  [
    { state: "disabled", hint: null },
    "The key does not work any more: the person whom it belongs to is disabled. Use another key, or enable the person again.",
    "Ключ больше не работает: его владелец отключён. Используйте другой ключ или снова включите этого человека.",
  ],
])("a key with %j is summed up in both languages: %s", (change, en, ru) => expectBoth(summaryOfKey({ ...key, ...change }, "UTC"), en, ru));

const webhook: WebhookFacts = {
  environment: "live",
  suspensionReason: null,
  suspendedAt: null,
  suspensionNote: null,
  failingSince: null,
};

it.each<[Partial<WebhookFacts>, string, string]>([
  [{}, "Your live webhook gets its events.", "Ваш вебхук получает события."],
  [
    { failingSince: ON_12 },
    "Attempts to reach your live webhook have failed since 12 Nov 2026; we try again. Its deliveries show what your receiver answered.",
    "С 12 нояб. 2026 попытки доставить события на ваш вебхук не удаются; мы пробуем снова. В доставках видно, что ответил ваш приёмник.",
  ],
  [
    { suspensionReason: "gone" },
    "Your live webhook is suspended, because your receiver answered 410 Gone. Its events are kept, and are sent when you resume it or register it again.",
    "Ваш вебхук приостановлен: ваш приёмник ответил 410 Gone. События хранятся и уйдут, когда вы его возобновите или подключите снова.",
  ],
  [
    { suspensionReason: "gone", suspendedAt: ON_12 },
    "Your live webhook is suspended since 12 Nov 2026, because your receiver answered 410 Gone. Its events are kept, and are sent when you resume it or register it again.",
    "Ваш вебхук приостановлен с 12 нояб. 2026: ваш приёмник ответил 410 Gone. События хранятся и уйдут, когда вы его возобновите или подключите снова.",
  ],
  [
    { suspensionReason: "failing", suspendedAt: ON_12 },
    "Your live webhook is suspended since 12 Nov 2026, because every attempt failed for days. Its events are kept, and are sent when you resume it or register it again.",
    "Ваш вебхук приостановлен с 12 нояб. 2026: несколько дней не удавалась ни одна попытка. События хранятся и уйдут, когда вы его возобновите или подключите снова.",
  ],
  [
    { suspensionReason: "unregistered" },
    "You unregistered your live webhook. Its events are kept, and are sent when you resume it or register it again.",
    "Вы отключили вебхук. События хранятся и уйдут, когда вы его возобновите или подключите снова.",
  ],
  [
    { suspensionReason: "unregistered", suspendedAt: ON_12 },
    "You unregistered your live webhook on 12 Nov 2026. Its events are kept, and are sent when you resume it or register it again.",
    "Вы отключили вебхук 12 нояб. 2026. События хранятся и уйдут, когда вы его возобновите или подключите снова.",
  ],
  [
    { suspensionReason: "operator", suspendedAt: ON_12 },
    "Support suspended your live webhook on 12 Nov 2026. Only support can resume it. Its events are kept, and are sent then.",
    "Поддержка приостановила ваш вебхук 12 нояб. 2026. Возобновить его может только она. События хранятся и уйдут после этого.",
  ],
  [
    { environment: "test", suspensionReason: "operator", suspendedAt: ON_12, suspensionNote: "It answers with advertisements" },
    "Support suspended your test webhook on 12 Nov 2026. Reason: It answers with advertisements. Only support can resume it. Its events are kept, and are sent then.",
    "Поддержка приостановила ваш тестовый вебхук 12 нояб. 2026. Причина: It answers with advertisements. Возобновить его может только она. События хранятся и уйдут после этого.",
  ],
  [
    { suspensionReason: "partner_disabled", suspendedAt: ON_12 },
    "Your live webhook is suspended since 12 Nov 2026, because your account was disabled. Its events are kept.",
    "Ваш вебхук приостановлен с 12 нояб. 2026: ваш кабинет отключён. События хранятся.",
  ],
  [
    { suspensionReason: "operator" },
    "Support suspended your live webhook. Only support can resume it. Its events are kept, and are sent then.",
    "Поддержка приостановила ваш вебхук. Возобновить его может только она. События хранятся и уйдут после этого.",
  ],
])("a webhook with %j is summed up in both languages: %s", (change, en, ru) =>
  expectBoth(summaryOfWebhook({ ...webhook, ...change }, "UTC"), en, ru),
);
