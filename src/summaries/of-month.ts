import { counted, inBoth, type Summary } from "./words.ts";

/** What a summary of a month of all partners says. Amounts in minor units, signed. */
export interface MonthFacts {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly isOver: boolean;
  /** What the processor moved, by currency. */
  readonly processor: readonly {
    readonly currency: string;
    readonly payments: number;
    readonly refunds: number;
    readonly disputes: number;
    readonly change: number;
  }[];
  /** What the closed statements leave to pay to partners, by currency. */
  readonly owed: readonly { readonly currency: string; readonly amount: number }[];
  readonly closed: number;
  readonly notClosed: number;
}

const NAMED = { month: "long", year: "numeric", timeZone: "UTC" } as const;

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What a month came to, in the sentences of a report. */
export function summaryOfMonth({ month, isOver, processor, owed, closed, notClosed }: MonthFacts): Summary {
  const at = new Date(`${month}-01T00:00:00Z`);
  return inBoth("UTC", {
    en: ({ money }) => {
      const of = processor.map(
        ({ currency, payments, refunds, disputes, change }) =>
          `${money(payments, currency)} was paid by card, ${money(0 - refunds, currency)} refunded, ${money(0 - disputes, currency)} disputed: the processor's balance changed by ${money(change, currency)}.`,
      );
      return [
        `${new Intl.DateTimeFormat("en-GB", NAMED).format(at)}${isOver ? "" : ", which goes on"}:`,
        ...(of.length === 0 ? ["no card was charged."] : of),
        closed === 0
          ? "No statement is closed."
          : `${closed === 1 ? "One statement is" : `${closed} statements are`} closed; ${owed.map(({ currency, amount }) => money(amount, currency)).join(" and ")} is owed.`,
        ...(notClosed === 0 ? [] : [`${notClosed === 1 ? "One is" : `${notClosed} are`} to be closed yet.`]),
      ];
    },
    ru: ({ money }) => {
      const of = processor.map(
        ({ currency, payments, refunds, disputes, change }) =>
          `оплачено картами ${money(payments, currency)}, возвращено ${money(0 - refunds, currency)}, оспорено ${money(0 - disputes, currency)}; баланс у платёжной системы изменился на ${money(change, currency)}.`,
      );
      return [
        `${capital(new Intl.DateTimeFormat("ru", NAMED).format(at).replace(" г.", ""))}${isOver ? "" : ", месяц ещё идёт"}:`,
        ...(of.length === 0 ? ["оплат картами не было."] : of),
        closed === 0
          ? "Закрытых отчётов нет."
          : `Закрыто: ${counted(closed, "отчёт", "отчёта", "отчётов")}; к выплате ${owed.map(({ currency, amount }) => money(amount, currency)).join(" и ")}.`,
        ...(notClosed === 0 ? [] : [`Не закрыто: ${notClosed}.`]),
      ];
    },
  });
}
