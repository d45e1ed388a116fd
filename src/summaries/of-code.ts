import type { Environment } from "../core/environment.ts";
import type { codeStates } from "../core/object-states.ts";
import { counted, inBoth, reasonIn, type Summary } from "./words.ts";

/** What a summary of a promotion code says. */
export interface CodeFacts {
  readonly environment: Environment;
  readonly state: (typeof codeStates)[number];
  readonly code: string;
  readonly percentOff: number;
  readonly duration: "once" | "forever" | "repeating";
  readonly months: number | null;
  /** The names of the products. */
  readonly products: readonly string[];
  readonly maxRedemptions: number | null;
  /** In how many paid orders it was used; null where that is not known. */
  readonly used: number | null;
  readonly expiresAt: number | null;
  readonly deactivatedAt: number | null;
  /** Why support stopped it, as an operator wrote it. */
  readonly deactivatedReason: string | null;
}

/** What a code gives, and whether customers can enter it. */
export function summaryOfCode(facts: CodeFacts, timeZone: string): Summary {
  const { environment, state, code, maxRedemptions, expiresAt, deactivatedAt, deactivatedReason } = facts;
  // One that was used up, and whose text another code has since, was not stopped by support.
  const isUsed = isUsedUp(facts) && deactivatedReason === null;
  return inBoth(timeZone, environment, {
    en: ({ day }) => {
      const usedUp = ["Customers cannot enter it any more: it was used as often as it may be."];
      const on = (at: number | null) => (at === null ? "" : ` on ${day(at)}`);
      const limit = maxRedemptions === null ? "" : `, ${maxRedemptions} ${maxRedemptions === 1 ? "time" : "times"} in all`;
      const states = {
        active: isUsed ? usedUp : [`Customers can enter it${expiresAt === null ? "" : ` until ${day(expiresAt)}`}${limit}.`],
        expired: [`Customers cannot enter it any more: it ended${on(expiresAt)}.`],
        disabled: isUsed
          ? usedUp
          : [
              `Customers cannot enter it any more: support stopped it${on(deactivatedAt)}.`,
              ...reasonIn("en", deactivatedReason),
              ...(expiresAt === null ? [] : [`It would have ended${on(expiresAt)}.`]),
            ],
      };
      return [`The code ${code} is for ${discountInEnglish(facts)}.`, ...states[state]];
    },
    ru: ({ day }) => {
      const usedUp = ["Ввести его больше нельзя: он использован столько раз, сколько можно."];
      const on = (at: number | null) => (at === null ? "" : ` ${day(at)}`);
      const limit = maxRedemptions === null ? "" : `, всего ${counted(maxRedemptions, "раз", "раза", "раз")}`;
      const states = {
        active: isUsed ? usedUp : [`Его можно ввести${expiresAt === null ? "" : ` до ${day(expiresAt)}`}${limit}.`],
        expired: [`Ввести его больше нельзя: срок истёк${on(expiresAt)}.`],
        disabled: isUsed
          ? usedUp
          : [
              `Ввести его больше нельзя: его остановила поддержка${on(deactivatedAt)}.`,
              ...reasonIn("ru", deactivatedReason),
              ...(expiresAt === null ? [] : [`Срок истёк бы${on(expiresAt)}.`]),
            ],
      };
      return [`Промокод ${code} – ${discountInRussian(facts)}.`, ...states[state]];
    },
  });
}

/** Whether a code was used as often as it may be: the processor takes it no more. */
const isUsedUp = ({ maxRedemptions, used }: CodeFacts): boolean => maxRedemptions !== null && used !== null && used >= maxRedemptions;

/** Whether the customer who asks can use a code: nothing of who stopped it, and why. */
export function codeForCustomer(facts: CodeFacts, timeZone: string): Summary {
  const { environment, state, code, expiresAt } = facts;
  return inBoth(timeZone, environment, {
    en: ({ day }) => {
      const ended = expiresAt === null ? "" : ` on ${day(expiresAt)}`;
      const states = {
        active: isUsedUp(facts)
          ? `The code ${code} cannot be used any more.`
          : `You can use the code ${code}${expiresAt === null ? "" : ` until ${day(expiresAt)}`}: ${discountInEnglish(facts)}.`,
        expired: `The code ${code} cannot be used any more: it ended${ended}.`,
        disabled: `The code ${code} cannot be used any more.`,
      };
      return [states[state]];
    },
    ru: ({ day }) => {
      const states = {
        active: isUsedUp(facts)
          ? `Промокод ${code} больше не действует.`
          : `Промокодом ${code} можно воспользоваться${expiresAt === null ? "" : ` до ${day(expiresAt)}`}: ${discountInRussian(facts)}.`,
        expired: `Промокод ${code} больше не действует: его срок истёк${expiresAt === null ? "" : ` ${day(expiresAt)}`}.`,
        disabled: `Промокод ${code} больше не действует.`,
      };
      return [states[state]];
    },
  });
}

/** Which payments of a subscription it reduces; of a one-time purchase there is only the first. */
function discountInEnglish({ percentOff, duration, months, products }: CodeFacts): string {
  const of = {
    once: "the first payment",
    forever: "every payment",
    repeating: `the payments of ${months ?? 1} ${months === 1 ? "month" : "months"}`,
  };
  return `${percentOff} % off ${of[duration]} for ${products.join(", ")}`;
}

function discountInRussian({ percentOff, duration, months, products }: CodeFacts): string {
  const of = { once: "на первый платёж", forever: "на все платежи", repeating: `на ${counted(months ?? 1, "месяц", "месяца", "месяцев")}` };
  return `скидка ${percentOff} % ${of[duration]}: ${products.join(", ")}`;
}
