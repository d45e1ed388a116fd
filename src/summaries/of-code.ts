import type { codeStates } from "../core/object-states.ts";
import { counted, inBoth, reasonIn, type Summary, type Writing } from "./words.ts";

/** What a summary of a promotion code says. */
export interface CodeFacts {
  readonly state: (typeof codeStates)[number];
  readonly code: string;
  readonly percentOff: number;
  readonly duration: "once" | "forever" | "repeating";
  readonly months: number | null;
  /** The names of the products. */
  readonly products: readonly string[];
  readonly maxRedemptions: number | null;
  readonly expiresAt: number | null;
  readonly deactivatedAt: number | null;
  /** Why support stopped it, as an operator wrote it. */
  readonly deactivatedReason: string | null;
}

/** What a code gives, and whether customers can enter it. */
export function summaryOfCode(facts: CodeFacts, timeZone: string): Summary {
  const { state, maxRedemptions, expiresAt, deactivatedAt, deactivatedReason } = facts;
  return inBoth(timeZone, {
    en: ({ day }) => {
      const limit = maxRedemptions === null ? "" : `, ${maxRedemptions} ${maxRedemptions === 1 ? "time" : "times"} in all`;
      const planned = expiresAt === null ? "" : ` It would have ended on ${day(expiresAt)}.`;
      const states = {
        active: `Customers can enter it${expiresAt === null ? "" : ` until ${day(expiresAt)}`}${limit}.`,
        expired: `Customers cannot enter it: it ended${expiresAt === null ? "" : ` on ${day(expiresAt)}`}.`,
        disabled: `Customers cannot enter it: support stopped it${deactivatedAt === null ? "" : ` on ${day(deactivatedAt)}`}.${reasonIn(deactivatedReason)}${planned}`,
      };
      return [`${givesInEnglish(facts)}.`, states[state]];
    },
    ru: ({ day }) => {
      const limit = maxRedemptions === null ? "" : `, всего ${counted(maxRedemptions, "раз", "раза", "раз")}`;
      const planned = expiresAt === null ? "" : ` Срок истёк бы ${day(expiresAt)}.`;
      const states = {
        active: `Его можно ввести${expiresAt === null ? "" : ` до ${day(expiresAt)}`}${limit}.`,
        expired: `Ввести его нельзя: срок истёк${expiresAt === null ? "" : ` ${day(expiresAt)}`}.`,
        disabled: `Ввести его нельзя: его остановила поддержка${deactivatedAt === null ? "" : ` ${day(deactivatedAt)}`}.${reasonIn(deactivatedReason)}${planned}`,
      };
      return [`${givesInRussian(facts)}.`, states[state]];
    },
  });
}

/** Whether the customer who asks can use a code: nothing of who stopped it, and why. */
export function codeForCustomer(facts: CodeFacts, timeZone: string): Summary {
  const { state, code, expiresAt } = facts;
  const until = ({ day }: Writing, word: string) => (expiresAt === null ? "" : ` ${word} ${day(expiresAt)}`);
  return inBoth(timeZone, {
    en: (writing) => [
      {
        active: `${givesInEnglish(facts)}. You can use it${until(writing, "until")}.`,
        expired: `The code ${code} cannot be used any more: it ended${until(writing, "on")}.`,
        disabled: `The code ${code} cannot be used any more.`,
      }[state],
    ],
    ru: (writing) => [
      {
        active: `${givesInRussian(facts)}. Им можно воспользоваться${until(writing, "до")}.`,
        expired: `Промокод ${code} больше не действует: его срок истёк${expiresAt === null ? "" : ` ${writing.day(expiresAt)}`}.`,
        disabled: `Промокод ${code} больше не действует.`,
      }[state],
    ],
  });
}

function givesInEnglish({ code, percentOff, duration, months, products }: CodeFacts): string {
  const time = { once: "once", forever: "for good", repeating: `for ${months ?? 1} ${months === 1 ? "month" : "months"}` }[duration];
  return `The code ${code} takes ${percentOff} % off, ${time}, on ${products.join(", ")}`;
}

function givesInRussian({ code, percentOff, duration, months, products }: CodeFacts): string {
  const time = { once: "один раз", forever: "навсегда", repeating: `на ${counted(months ?? 1, "месяц", "месяца", "месяцев")}` }[duration];
  return `Промокод ${code} даёт скидку ${percentOff} %, ${time}: ${products.join(", ")}`;
}
