import { inBoth, type Summary } from "./words.ts";

/** A payment at the processor of which we have no order. Amounts in minor units; times in Unix milliseconds. */
export interface UnrecordedFacts {
  /** Our look-up of it at the processor; null: none waits, so we have not heard of it, or the look-up is over. */
  readonly lookUp: { readonly state: "due" | "parked" | "gone"; readonly since: number } | null;
  /** What moved without a known partner. */
  readonly movements: readonly { readonly amount: number; readonly currency: string; readonly transactionDate: number }[];
}

/** Why a payment is no order yet, and what happens next: words that support sends on. */
export function summaryOfUnrecorded({ lookUp, movements: [movement] }: UnrecordedFacts, timeZone: string): Summary {
  const at = lookUp?.since ?? 0;
  return inBoth(timeZone, {
    en: ({ money, day }) => {
      if (lookUp?.state === "due")
        return [`The payment was reported to us on ${day(at)}, and is being looked up at the processor: its order appears by itself.`];
      if (lookUp?.state === "parked")
        return [`The payment was reported to us on ${day(at)}, and could not be looked up at the processor: support looks into it.`];
      if (lookUp?.state === "gone") return [`A payment was reported to us on ${day(at)}, and the processor does not have it.`];
      if (movement !== undefined)
        return [
          `${money(movement.amount, movement.currency)} moved on ${day(movement.transactionDate)}, and it is not known yet through whose link: support looks into it.`,
        ];
      return ["Nothing of this payment is recorded here: it was not paid through a link of ours, or has not succeeded."];
    },
    ru: ({ money, day }) => {
      if (lookUp?.state === "due") return [`О платеже нам сообщили ${day(at)}, мы уточняем его у платёжной системы: заказ появится сам.`];
      if (lookUp?.state === "parked")
        return [`О платеже нам сообщили ${day(at)}, уточнить его у платёжной системы не удалось: этим занимается поддержка.`];
      if (lookUp?.state === "gone") return [`О платеже нам сообщили ${day(at)}, но в платёжной системе его нет.`];
      if (movement !== undefined)
        return [
          `${day(movement.transactionDate)} прошло ${money(movement.amount, movement.currency)}, но пока неизвестно, по чьей ссылке: этим занимается поддержка.`,
        ];
      return ["Об этом платеже у нас нет записей: он прошёл не по нашей ссылке или не состоялся."];
    },
  });
}
