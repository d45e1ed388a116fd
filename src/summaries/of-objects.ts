import type { codeStates, keyStates, linkStates } from "../core/object-states.ts";
import { counted, inBoth, type Summary, type Writing } from "./words.ts";

/** What a summary of a link says. The amount in minor units; times in Unix milliseconds. */
export interface LinkFacts {
  readonly state: (typeof linkStates)[number];
  /** What it sells, in words; empty if that is not known. */
  readonly items: string;
  /** What one purchase costs; null if that is not known. */
  readonly amount: number | null;
  readonly currency: string;
  readonly hasShortUrl: boolean;
  readonly disabledBy: "partner" | "support" | null;
  readonly disabledAt: number | null;
  readonly closesAt: number | null;
  /** When it had all the payments that it was for; null before, and without such a limit. */
  readonly closedAt: number | null;
  /** Paid orders; null if they were not counted. */
  readonly orders: number | null;
  readonly lastSoldAt: number | null;
}

/** What a link sells, whether customers can pay, and what came of it. */
export function summaryOfLink(facts: LinkFacts, timeZone: string): Summary {
  const { state, items, amount, currency, hasShortUrl, orders, lastSoldAt } = facts;
  return inBoth(timeZone, {
    en: (writing) => [
      `The link sells ${items === "" ? "what its checkout shows" : items}${amount === null ? "" : ` for ${writing.money(amount, currency)}`}.`,
      linkStateInEnglish(facts, writing),
      ...(hasShortUrl || state !== "open" ? [] : ["Its short link is missing: repeat the creation."]),
      ...(orders === null
        ? []
        : [
            orders === 0
              ? "Nothing was paid through it."
              : `It was paid ${orders === 1 ? "once" : `${orders} times`}${lastSoldAt === null ? "" : `${orders === 1 ? " on" : ", last on"} ${writing.day(lastSoldAt)}`}.`,
          ]),
    ],
    ru: (writing) => [
      `Ссылка продаёт: ${items === "" ? "то, что показано на странице оплаты" : items}${amount === null ? "" : `, ${writing.money(amount, currency)}`}.`,
      linkStateInRussian(facts, writing),
      ...(hasShortUrl || state !== "open" ? [] : ["Короткой ссылки нет: повторите создание."]),
      ...(orders === null
        ? []
        : [
            orders === 0
              ? "По ней ничего не оплачено."
              : `По ней ${counted(orders, "оплата", "оплаты", "оплат")}${lastSoldAt === null ? "" : `, ${orders === 1 ? "" : "последняя "}${writing.day(lastSoldAt)}`}.`,
          ]),
    ],
  });
}

function linkStateInEnglish({ state, disabledBy, disabledAt, closesAt, closedAt }: LinkFacts, { day }: Writing): string {
  if (state === "disabled") {
    const by = disabledBy === "support" ? "support" : "you";
    return `Customers cannot pay: it was disabled by ${by}${disabledAt === null ? "" : ` on ${day(disabledAt)}`}.`;
  }
  if (state === "closed")
    return closedAt === null ? "Customers cannot pay: its time is over." : "Customers cannot pay: it had all the payments that it was for.";
  return closesAt === null ? "Customers can pay." : `Customers can pay until ${day(closesAt)}.`;
}

function linkStateInRussian({ state, disabledBy, disabledAt, closesAt, closedAt }: LinkFacts, { day }: Writing): string {
  if (state === "disabled") {
    const by = disabledBy === "support" ? "отключила поддержка" : "отключили вы";
    return `Оплатить нельзя: ссылку ${by}${disabledAt === null ? "" : ` ${day(disabledAt)}`}.`;
  }
  if (state === "closed")
    return closedAt === null ? "Оплатить нельзя: срок истёк." : "Оплатить нельзя: все оплаты, на которые она рассчитана, прошли.";
  return closesAt === null ? "Оплатить можно." : `Оплатить можно до ${day(closesAt)}.`;
}

/** What a summary of a promotion code says. */
export interface CodeFacts {
  readonly state: (typeof codeStates)[number];
  readonly code: string;
  readonly percentOff: number;
  readonly duration: "once" | "forever" | "repeating";
  readonly months: number | null;
  /** The names of the products; empty: of all. */
  readonly products: readonly string[];
  readonly maxRedemptions: number | null;
  readonly expiresAt: number | null;
  readonly deactivatedAt: number | null;
}

/** What a code gives, and whether customers can enter it. */
export function summaryOfCode(facts: CodeFacts, timeZone: string): Summary {
  const { state, code, percentOff, duration, months, products, maxRedemptions, expiresAt, deactivatedAt } = facts;
  return inBoth(timeZone, {
    en: ({ day }) => {
      const time = { once: "once", forever: "for good", repeating: `for ${months ?? 1} ${months === 1 ? "month" : "months"}` }[duration];
      const limit = maxRedemptions === null ? "" : `, ${maxRedemptions} ${maxRedemptions === 1 ? "time" : "times"} in all`;
      const states = {
        active: `Customers can enter it${expiresAt === null ? "" : ` until ${day(expiresAt)}`}${limit}.`,
        expired: `Customers cannot enter it: it ended${expiresAt === null ? "" : ` on ${day(expiresAt)}`}.`,
        disabled: `Customers cannot enter it: it was stopped${deactivatedAt === null ? "" : ` on ${day(deactivatedAt)}`}.`,
      };
      return [`The code ${code} takes ${percentOff} % off, ${time}, on ${products.join(", ")}.`, states[state]];
    },
    ru: ({ day }) => {
      const time = { once: "один раз", forever: "навсегда", repeating: `на ${counted(months ?? 1, "месяц", "месяца", "месяцев")}` }[
        duration
      ];
      const limit = maxRedemptions === null ? "" : `, всего ${counted(maxRedemptions, "раз", "раза", "раз")}`;
      const states = {
        active: `Его можно ввести${expiresAt === null ? "" : ` до ${day(expiresAt)}`}${limit}.`,
        expired: `Ввести его нельзя: срок истёк${expiresAt === null ? "" : ` ${day(expiresAt)}`}.`,
        disabled: `Ввести его нельзя: он остановлен${deactivatedAt === null ? "" : ` ${day(deactivatedAt)}`}.`,
      };
      return [`Промокод ${code} даёт скидку ${percentOff} %, ${time}: ${products.join(", ")}.`, states[state]];
    },
  });
}

/** What a summary of a key says. */
export interface KeyFacts {
  readonly state: (typeof keyStates)[number];
  /** Its last characters; null for a key from before they were kept. */
  readonly hint: string | null;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

/** Whether a key works, and when it was used. */
export function summaryOfKey({ state, hint, revokedAt, expiresAt, lastUsedAt }: KeyFacts, timeZone: string): Summary {
  const name = hint === null ? "" : ` …${hint}`;
  return inBoth(timeZone, {
    en: ({ day }) => [
      {
        active: `The key${name} works${expiresAt === null ? "" : ` until ${day(expiresAt)}`}.`,
        expired: `The key${name} does not work: it ended${expiresAt === null ? "" : ` on ${day(expiresAt)}`}. Make a new one.`,
        revoked: `The key${name} does not work: it was revoked${revokedAt === null ? "" : ` on ${day(revokedAt)}`}. Use your new one.`,
        disabled: `The key${name} does not work: the person whom it belongs to is disabled.`,
      }[state],
      lastUsedAt === null ? "It was never used." : `It was last used on ${day(lastUsedAt)}.`,
    ],
    ru: ({ day }) => [
      {
        active: `Ключ${name} работает${expiresAt === null ? "" : ` до ${day(expiresAt)}`}.`,
        expired: `Ключ${name} не работает: срок истёк${expiresAt === null ? "" : ` ${day(expiresAt)}`}. Создайте новый.`,
        revoked: `Ключ${name} не работает: он отозван${revokedAt === null ? "" : ` ${day(revokedAt)}`}. Используйте новый.`,
        disabled: `Ключ${name} не работает: его владелец отключён.`,
      }[state],
      lastUsedAt === null ? "Им ещё не пользовались." : `Последний раз им пользовались ${day(lastUsedAt)}.`,
    ],
  });
}

/** What a summary of a webhook says. Times in Unix milliseconds. */
export interface WebhookFacts {
  readonly suspensionReason: "gone" | "failing" | "unregistered" | "operator" | "partner_disabled" | null;
  readonly suspendedAt: number | null;
  readonly failingSince: number | null;
}

/** Whether a webhook takes events, and what to do if not. */
export function summaryOfWebhook({ suspensionReason, suspendedAt, failingSince }: WebhookFacts, timeZone: string): Summary {
  return inBoth(timeZone, {
    en: ({ day }) => {
      const since = suspendedAt === null ? "" : ` since ${day(suspendedAt)}`;
      const kept = "Its events are kept, and are sent when you resume it or register it again.";
      switch (suspensionReason) {
        case "gone":
          return [`Your webhook is suspended${since}, because your receiver answered 410 Gone.`, kept];
        case "failing":
          return [`Your webhook is suspended${since}, because every attempt failed for days.`, kept];
        case "unregistered":
          return [`You unregistered this webhook${suspendedAt === null ? "" : ` on ${day(suspendedAt)}`}.`, kept];
        case "operator":
          return [
            `Support suspended your webhook${suspendedAt === null ? "" : ` on ${day(suspendedAt)}`}.`,
            "Ask support why; only they can resume it. Its events are kept.",
          ];
        case "partner_disabled":
          return [`Your webhook is suspended${since}, because your account was disabled.`, "Its events are kept."];
        case null:
          return failingSince === null
            ? ["Your webhook gets its events."]
            : [
                `Attempts to reach your webhook have failed since ${day(failingSince)}; we try again.`,
                "Its deliveries show what your receiver answered.",
              ];
      }
    },
    ru: ({ day }) => {
      const since = suspendedAt === null ? "" : ` с ${day(suspendedAt)}`;
      const kept = "События хранятся и уйдут, когда вы его возобновите или подключите снова.";
      switch (suspensionReason) {
        case "gone":
          return [`Ваш вебхук приостановлен${since}: ваш приёмник ответил 410 Gone.`, kept];
        case "failing":
          return [`Ваш вебхук приостановлен${since}: несколько дней не удавалась ни одна попытка.`, kept];
        case "unregistered":
          return [`Вы отключили этот вебхук${suspendedAt === null ? "" : ` ${day(suspendedAt)}`}.`, kept];
        case "operator":
          return [
            `Поддержка приостановила ваш вебхук${suspendedAt === null ? "" : ` ${day(suspendedAt)}`}.`,
            "Возобновить его может только она. События хранятся.",
          ];
        case "partner_disabled":
          return [`Ваш вебхук приостановлен${since}: ваш аккаунт отключён.`, "События хранятся."];
        case null:
          return failingSince === null
            ? ["Ваш вебхук получает события."]
            : [
                `С ${day(failingSince)} попытки доставить события на ваш вебхук не удаются; мы пробуем снова.`,
                "В доставках видно, что ответил ваш приёмник.",
              ];
      }
    },
  });
}
