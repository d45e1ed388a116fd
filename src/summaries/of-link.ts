import type { Environment } from "../core/environment.ts";
import type { linkStates } from "../core/object-states.ts";
import { counted, inBoth, reasonIn, type Summary, type Writing } from "./words.ts";

/** What a summary of a link says. The amount in minor units; times in Unix milliseconds. */
export interface LinkFacts {
  readonly environment: Environment;
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
  return inBoth(timeZone, facts.environment, {
    en: (writing) => [
      `The link is for ${sold ?? "what its checkout shows"}${amount === null ? "" : `, ${writing.money(amount, currency)}`}.`,
      ...linkStateInEnglish(facts, writing),
      ...(hasShortUrl || state !== "open" ? [] : ["Its short link is missing: repeat the creation."]),
      ...(orders === null
        ? []
        : [
            orders === 0
              ? "No payment through it is recorded."
              : `It was paid ${orders === 1 ? "once" : `${orders} times`}${lastSoldAt === null ? "" : `${orders === 1 ? " on" : ", last on"} ${writing.day(lastSoldAt)}`}.`,
          ]),
    ],
    ru: (writing) => [
      `Ссылка продаёт: ${sold ?? "то, что показано на странице оплаты"}${amount === null ? "" : `, ${writing.money(amount, currency)}`}.`,
      ...linkStateInRussian(facts, writing),
      ...(hasShortUrl || state !== "open" ? [] : ["Короткой ссылки нет: повторите создание."]),
      ...(orders === null
        ? []
        : [
            orders === 0
              ? "Оплат по ней не записано."
              : `По ней ${counted(orders, "оплата", "оплаты", "оплат")}${lastSoldAt === null ? "" : `, ${orders === 1 ? "" : "последняя "}${writing.day(lastSoldAt)}`}.`,
          ]),
    ],
  });
}

function linkStateInEnglish({ state, disabledBy, disabledAt, disabledReason, closesAt, closedAt }: LinkFacts, { day }: Writing): string[] {
  if (state === "disabled") {
    const on = disabledAt === null ? "" : ` on ${day(disabledAt)}`;
    if (disabledBy !== "support") return [`Customers cannot pay: it was disabled by you${on}.`];
    return [
      `Customers cannot pay: it was disabled by support${on}.`,
      ...reasonIn("en", disabledReason),
      "Only support can enable it again.",
    ];
  }
  if (state === "closed")
    return [
      closedAt === null ? "Customers cannot pay: its time is over." : "Customers cannot pay: it had all the payments that it was for.",
    ];
  return [closesAt === null ? "Customers can pay." : `Customers can pay until ${day(closesAt)}.`];
}

function linkStateInRussian({ state, disabledBy, disabledAt, disabledReason, closesAt, closedAt }: LinkFacts, { day }: Writing): string[] {
  if (state === "disabled") {
    const on = disabledAt === null ? "" : ` ${day(disabledAt)}`;
    if (disabledBy !== "support") return [`Оплатить нельзя: ссылку отключили вы${on}.`];
    return [
      `Оплатить нельзя: ссылку отключила поддержка${on}.`,
      ...reasonIn("ru", disabledReason),
      "Включить её снова может только поддержка.",
    ];
  }
  if (state === "closed")
    return [closedAt === null ? "Оплатить нельзя: срок истёк." : "Оплатить нельзя: все оплаты, на которые она рассчитана, прошли."];
  return [closesAt === null ? "Оплатить можно." : `Оплатить можно до ${day(closesAt)}.`];
}

/** Whether the customer who asks can pay by a link, and what to do if not: nothing of who disabled it. */
export function linkForCustomer({ environment, state, sold, amount, currency, closesAt, closedAt }: LinkFacts, timeZone: string): Summary {
  return inBoth(timeZone, environment, {
    en: ({ money, day }) => {
      const until = closesAt === null ? "" : ` until ${day(closesAt)}`;
      const price = amount === null ? "" : `, ${money(amount, currency)}`;
      const over = closedAt === null ? "its time is over" : "it was for a limited number of payments";
      const states = {
        open: `You can pay by this link${until}: it is for ${sold ?? "what its page shows"}${price}.`,
        closed: `This link takes no payments any more: ${over}. Ask the seller for a new one.`,
        disabled: "This link takes no payments any more: it is out of use. Ask the seller for a new one.",
      };
      return [states[state]];
    },
    ru: ({ money, day }) => {
      const until = closesAt === null ? "" : ` до ${day(closesAt)}`;
      const price = amount === null ? "" : `, ${money(amount, currency)}`;
      const over = closedAt === null ? "срок истёк" : "число оплат было ограничено";
      const states = {
        open: `По этой ссылке можно оплатить${until}: ${sold ?? "то, что показано на странице"}${price}.`,
        closed: `По этой ссылке больше нельзя оплатить: ${over}. Попросите у продавца новую.`,
        disabled: "По этой ссылке больше нельзя оплатить: она не используется. Попросите у продавца новую.",
      };
      return [states[state]];
    },
  });
}
