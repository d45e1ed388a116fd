import type { linkStates } from "../core/object-states.ts";
import { counted, inBoth, reasonIn, type Summary, type Writing } from "./words.ts";

/** What a summary of a link says. The amount in minor units; times in Unix milliseconds. */
export interface LinkFacts {
  readonly state: (typeof linkStates)[number];
  /** What it sells, in words; null if that is not known. */
  readonly sold: string | null;
  /** What one purchase costs; null if that is not known. */
  readonly amount: number | null;
  readonly currency: string;
  readonly hasShortUrl: boolean;
  readonly disabledBy: "partner" | "support" | null;
  readonly disabledAt: number | null;
  /** Why support disabled it, as an operator wrote it. */
  readonly disabledReason: string | null;
  readonly closesAt: number | null;
  /** When it had all the payments that it was for; null before, and without such a limit. */
  readonly closedAt: number | null;
  /** Paid orders; null if they were not counted. */
  readonly orders: number | null;
  readonly lastSoldAt: number | null;
}

/** What a link sells, whether customers can pay, and what came of it. */
export function summaryOfLink(facts: LinkFacts, timeZone: string): Summary {
  const { state, sold, amount, currency, hasShortUrl, orders, lastSoldAt } = facts;
  return inBoth(timeZone, {
    en: (writing) => [
      `The link sells ${sold ?? "what its checkout shows"}${amount === null ? "" : ` for ${writing.money(amount, currency)}`}.`,
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
      `Ссылка продаёт: ${sold ?? "то, что показано на странице оплаты"}${amount === null ? "" : `, ${writing.money(amount, currency)}`}.`,
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

function linkStateInEnglish({ state, disabledBy, disabledAt, disabledReason, closesAt, closedAt }: LinkFacts, { day }: Writing): string {
  if (state === "disabled") {
    const by = disabledBy === "support" ? "support" : "you";
    return `Customers cannot pay: it was disabled by ${by}${disabledAt === null ? "" : ` on ${day(disabledAt)}`}.${reasonIn(disabledReason)}`;
  }
  if (state === "closed")
    return closedAt === null ? "Customers cannot pay: its time is over." : "Customers cannot pay: it had all the payments that it was for.";
  return closesAt === null ? "Customers can pay." : `Customers can pay until ${day(closesAt)}.`;
}

function linkStateInRussian({ state, disabledBy, disabledAt, disabledReason, closesAt, closedAt }: LinkFacts, { day }: Writing): string {
  if (state === "disabled") {
    const by = disabledBy === "support" ? "отключила поддержка" : "отключили вы";
    return `Оплатить нельзя: ссылку ${by}${disabledAt === null ? "" : ` ${day(disabledAt)}`}.${reasonIn(disabledReason)}`;
  }
  if (state === "closed")
    return closedAt === null ? "Оплатить нельзя: срок истёк." : "Оплатить нельзя: все оплаты, на которые она рассчитана, прошли.";
  return closesAt === null ? "Оплатить можно." : `Оплатить можно до ${day(closesAt)}.`;
}

/** Whether the customer who asks can pay by a link, and what to do if not: nothing of who disabled it. */
export function linkForCustomer({ state, sold, amount, currency, closesAt, closedAt }: LinkFacts, timeZone: string): Summary {
  return inBoth(timeZone, {
    en: ({ money, day }) => {
      const price = amount === null ? "" : ` for ${money(amount, currency)}`;
      if (state === "open")
        return [
          `You can pay by this link${closesAt === null ? "" : ` until ${day(closesAt)}`}: it sells ${sold ?? "what its page shows"}${price}.`,
        ];
      const why = {
        disabled: "it is out of use",
        closed: closedAt === null ? "its time is over" : "it was for a limited number of payments",
      }[state];
      return [`This link takes no payments any more: ${why}. Ask the seller for a new one.`];
    },
    ru: ({ money, day }) => {
      const price = amount === null ? "" : `, ${money(amount, currency)}`;
      if (state === "open")
        return [
          `По этой ссылке можно оплатить${closesAt === null ? "" : ` до ${day(closesAt)}`}: ${sold ?? "то, что показано на странице"}${price}.`,
        ];
      const why = { disabled: "она не используется", closed: closedAt === null ? "срок истёк" : "число оплат было ограничено" }[state];
      return [`По этой ссылке больше нельзя оплатить: ${why}. Попросите у продавца новую.`];
    },
  });
}
