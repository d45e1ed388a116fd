import type { Environment } from "../core/environment.ts";
import { inBoth, type Summary } from "./words.ts";

/** A payment at the processor of which we have no order. Amounts in minor units; times in Unix milliseconds. */
export interface UnrecordedFacts {
  readonly environment: Environment;
  /** Whether the processor reported that the customer has paid. */
  readonly isPaid: boolean;
  /** Our look-up of it at the processor; null: none waits, so we have not heard of it, or the look-up is over. */
  readonly lookUp: {
    readonly state: "due" | "parked" | "gone";
    readonly since: number;
    /** How many attempts have failed. */
    readonly attempts: number;
    readonly nextAttemptAt: number;
  } | null;
  /** What moved without a known partner. */
  readonly movements: readonly { readonly amount: number; readonly currency: string; readonly transactionDate: number }[];
}

/** Why a payment is no order yet, and what happens next: words that support sends on. */
export function summaryOfUnrecorded({ environment, isPaid, lookUp, movements: [movement] }: UnrecordedFacts, timeZone: string): Summary {
  const failed = lookUp?.attempts ?? 0;
  const isKnown = lookUp !== null || movement !== undefined;
  return inBoth(timeZone, isKnown ? environment : null, {
    en: ({ money, day, moment }) => {
      const reported = (at: number) =>
        isPaid
          ? `The customer has paid, as the processor reported on ${day(at)}, and need not pay again.`
          : `The processor reported the payment on ${day(at)}.`;
      if (lookUp?.state === "due")
        return [
          reported(lookUp.since),
          failed === 0
            ? "We look it up there now: its order appears after that."
            : `To look it up there failed ${failed === 1 ? "once" : `${failed} times`} so far; the next attempt is due on ${moment(lookUp.nextAttemptAt)}, and its order appears once one succeeds.`,
        ];
      if (lookUp?.state === "parked") return [reported(lookUp.since), "To look it up there failed: support looks into it."];
      if (lookUp?.state === "gone") return [`A payment was reported to us on ${day(lookUp.since)}, and the processor does not have it.`];
      if (movement !== undefined)
        return [
          `${money(movement.amount, movement.currency)} moved on ${day(movement.transactionDate)}, and it is not known yet through whose link: support looks into it.`,
        ];
      return ["Nothing of this payment is recorded here: it was not paid through a link of ours, or has not succeeded."];
    },
    ru: ({ money, day, moment }) => {
      const reported = (at: number) =>
        isPaid
          ? `Покупатель оплатил: платёжная система сообщила об этом ${day(at)}, платить ещё раз не нужно.`
          : `Платёжная система сообщила о платеже ${day(at)}.`;
      if (lookUp?.state === "due")
        return [
          reported(lookUp.since),
          failed === 0
            ? "Мы уточняем его там: после этого появится заказ."
            : `Уточнить платёж там пока не удалось (попыток: ${failed}); следующая – ${moment(lookUp.nextAttemptAt)}, после удачной появится заказ.`,
        ];
      if (lookUp?.state === "parked") return [reported(lookUp.since), "Уточнить платёж там не удалось: этим занимается поддержка."];
      if (lookUp?.state === "gone") return [`О платеже нам сообщили ${day(lookUp.since)}, но в платёжной системе его нет.`];
      if (movement !== undefined)
        return [
          `${day(movement.transactionDate)} прошло ${money(movement.amount, movement.currency)}, но пока неизвестно, по чьей ссылке: этим занимается поддержка.`,
        ];
      return ["Об этом платеже у нас нет записей: он прошёл не по нашей ссылке или не состоялся."];
    },
  });
}

/** What the customer hears whose payment is no order yet; null where nothing says that it was paid. */
export const unrecordedForCustomer = ({ environment, isPaid, lookUp }: UnrecordedFacts, timeZone: string): Summary | null =>
  !isPaid || lookUp === null || lookUp.state === "gone"
    ? null
    : inBoth(timeZone, environment, {
        en: ({ day }) => [`Your payment arrived on ${day(lookUp.since)}, and is being recorded. You need not pay again.`],
        ru: ({ day }) => [`Ваш платёж поступил ${day(lookUp.since)} и сейчас записывается. Платить ещё раз не нужно.`],
      });
