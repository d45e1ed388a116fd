import type { Environment } from "../core/environment.ts";
import { inBoth, type Summary } from "./words.ts";

/** What a summary of a subscription says. The amount in minor units; times in Unix milliseconds. */
export interface SubscriptionFacts {
  readonly environment: Environment;
  /** What is subscribed to, in words; null if that is not known. */
  readonly sold: string | null;
  /** What one period costs; null if that is not known. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** When one that goes on will end; null without a scheduled end. */
  readonly endsAt: number | null;
  /** Its first payment was made, or none is needed. */
  readonly hasBegun: boolean;
  readonly hasEnded: boolean;
  /** When it ended; null before, and where that is not known. */
  readonly endedAt: number | null;
  readonly isPaused: boolean;
  readonly isPastDue: boolean;
  /** Its payments failed for good: none is tried again. */
  readonly isUnpaid: boolean;
  /** When it is charged next; null if it is not. */
  readonly nextChargeAt: number | null;
}

/** Whether a subscription goes on, when it is charged next or ends: words for partners and customers alike. */
export function summaryOfSubscription(facts: SubscriptionFacts, timeZone: string): Summary {
  const { environment, sold, amount, currency, endsAt, hasBegun, hasEnded, endedAt, isPaused, isPastDue, isUnpaid, nextChargeAt } = facts;
  return inBoth(timeZone, environment, {
    en: ({ money, day }) => {
      const name = `The subscription${sold === null ? "" : ` to ${sold}`}`;
      const price = amount === null || currency === null ? "" : ` ${money(amount, currency)}`;
      const ended = endedAt === null ? "is over" : `ended on ${day(endedAt)}`;
      if (hasEnded) return [`${name} ${ended}, and is never charged again.`];
      if (!hasBegun) return [`${name} has not begun: its first payment was not made yet.`];
      return [
        endsAt === null ? `${name} goes on.` : `${name} is cancelled, and ends on ${day(endsAt)}.`,
        nextChargeAt === null
          ? isPaused
            ? "No payments are collected for it now."
            : isUnpaid
              ? "Its last payments failed, and none is tried again."
              : "It is not charged again."
          : `It is charged${price} next on ${day(nextChargeAt)}.`,
        ...(isPastDue ? ["Its last payment failed, and is tried again."] : []),
      ];
    },
    ru: ({ money, day }) => {
      const name = `Подписка${sold === null ? "" : ` «${sold}»`}`;
      const price = amount === null || currency === null ? "" : `, ${money(amount, currency)}`;
      if (hasEnded) return [`${name} закончилась${endedAt === null ? "" : ` ${day(endedAt)}`}, списаний больше не будет.`];
      if (!hasBegun) return [`${name} ещё не началась: первый платёж не поступил.`];
      return [
        endsAt === null ? `${name} действует.` : `${name} отменена и закончится ${day(endsAt)}.`,
        nextChargeAt === null
          ? isPaused
            ? "Списания по ней сейчас приостановлены."
            : isUnpaid
              ? "Последние списания не прошли, попыток больше не будет."
              : "Списаний больше не будет."
          : `Следующее списание – ${day(nextChargeAt)}${price}.`,
        ...(isPastDue ? ["Последнее списание не прошло, попытка повторится."] : []),
      ];
    },
  });
}
