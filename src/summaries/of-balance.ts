import type { Environment } from "../core/environment.ts";
import { inBoth, type Summary } from "./words.ts";

/** What a summary of a balance says. Amounts in minor units, signed; the time in Unix milliseconds. */
export interface BalanceFacts {
  readonly environment: Environment;
  readonly currency: string;
  readonly settled: number;
  readonly pending: number;
  /** The next part of `pending` that becomes available, and when; null if there is none. */
  readonly next: { readonly at: number; readonly amount: number } | null;
}

/** How much of a balance is available, and when more is. */
export function summaryOfBalance({ environment, currency, settled, pending, next }: BalanceFacts, timeZone: string): Summary {
  return inBoth(timeZone, null, {
    en: ({ money, day }) => {
      const of = (amount: number) => money(amount, currency);
      const all = `Your ${environment} balance is ${of(settled + pending)}`;
      if (settled + pending < 0) return [`${all}: you owe that.`];
      if (pending === 0) return [`${all}, all of it available.`];
      const then = next === null ? "" : `: ${next.amount === pending ? "that" : of(next.amount)} becomes available on ${day(next.at)}`;
      return [`${all}. Available is ${of(settled)}, pending ${of(pending)}${then}.`];
    },
    ru: ({ money, day }) => {
      const of = (amount: number) => money(amount, currency);
      const all = `Ваш баланс (${environment}) – ${of(settled + pending)}`;
      if (settled + pending < 0) return [`${all}: это ваш долг.`];
      if (pending === 0) return [`${all}, он доступен весь.`];
      const then =
        next === null
          ? ""
          : `: ${next.amount === pending ? "эта сумма станет доступна" : `${of(next.amount)} станут доступны`} ${day(next.at)}`;
      return [`${all}. Доступно ${of(settled)}, в пути ${of(pending)}${then}.`];
    },
  });
}
