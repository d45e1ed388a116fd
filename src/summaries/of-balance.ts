import { inBoth, type Summary } from "./words.ts";

/** What a summary of a balance says. Amounts in minor units, signed; the time in Unix milliseconds. */
export interface BalanceFacts {
  readonly currency: string;
  readonly settled: number;
  readonly pending: number;
  /** The next part of `pending` that becomes available, and when; null if there is none. */
  readonly next: { readonly at: number; readonly amount: number } | null;
}

/** How much of a balance is available, and when more is. */
export function summaryOfBalance({ currency, settled, pending, next }: BalanceFacts, timeZone: string): Summary {
  return inBoth(timeZone, {
    en: ({ money, day }) => {
      const of = (amount: number) => money(amount, currency);
      const available = settled < 0 ? `You owe ${of(-settled)}` : `${of(settled)} is available`;
      if (pending === 0) return [`${available}, and nothing is pending.`];
      const then = next === null ? "" : `: ${next.amount === pending ? "it" : of(next.amount)} becomes available on ${day(next.at)}`;
      return [`${available}, and ${of(pending)} is pending${then}.`];
    },
    ru: ({ money, day }) => {
      const of = (amount: number) => money(amount, currency);
      const available = settled < 0 ? `Ваш долг – ${of(-settled)}` : `Доступно ${of(settled)}`;
      if (pending === 0) return [`${available}, других сумм в пути нет.`];
      const then =
        next === null
          ? ""
          : `: ${next.amount === pending ? "эта сумма станет доступна" : `${of(next.amount)} станут доступны`} ${day(next.at)}`;
      return [`${available}, ещё ${of(pending)} в пути${then}.`];
    },
  });
}
