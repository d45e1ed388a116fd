import type { ProcessorMonth } from "../books/month.ts";
import type { Environment } from "../core/environment.ts";
import { counted, inBoth, type Language, type Summary } from "./words.ts";

/** What moved the processor's balance in one currency: the parts add up to `change`. */
type Moved = Omit<ProcessorMonth, "count">;

/** What a summary of a month of all partners says. */
export interface MonthFacts {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly environment: Environment;
  readonly isOver: boolean;
  readonly processor: readonly Moved[];
  /** What the closed statements leave to pay to partners, by currency, in minor units; what partners owe is not taken off. */
  readonly owed: readonly { readonly currency: string; readonly amount: number }[];
  readonly closed: number;
  /** The partners whose month is to be closed yet. */
  readonly notClosed: readonly string[];
}

type Part = Exclude<keyof Moved, "currency" | "change">;

/** The parts in the order in which they add up. */
const PARTS: readonly (readonly [Part, Readonly<Record<Language, string>>])[] = [
  ["payments", { en: "payments by card", ru: "оплаты картами" }],
  ["refunds", { en: "refunds", ru: "возвраты" }],
  ["disputes", { en: "disputes", ru: "споры" }],
  ["fees", { en: "the processor's fees for these", ru: "комиссии за них" }],
  ["withoutPartner", { en: "payments without a partner yet", ru: "платежи, у которых ещё нет партнёра" }],
  ["platformFees", { en: "what the processor billed us", ru: "счета платёжной системы нам" }],
  ["paidOut", { en: "paid out to our account", ru: "выплачено на наш счёт" }],
  ["otherPlatform", { en: "other between the processor and us", ru: "прочее между платёжной системой и нами" }],
];

const NAMED = { month: "long", year: "numeric", timeZone: "UTC" } as const;
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** So many partners are named whose month is to be closed. */
const MOST_NAMED = 5;

/** What a month came to, in the sentences of a report. */
export function summaryOfMonth(facts: MonthFacts): Summary {
  const { month, environment, isOver, processor, owed, closed, notClosed } = facts;
  const at = new Date(`${month}-01T00:00:00Z`);
  const named = `${notClosed.slice(0, MOST_NAMED).join(", ")}${notClosed.length > MOST_NAMED ? ", …" : ""}`;
  return inBoth("UTC", null, {
    en: ({ money }) => [
      `${new Intl.DateTimeFormat("en-GB", NAMED).format(at)}, ${environment}${isOver ? "" : ", up to now"}.`,
      ...(processor.length === 0 ? ["The processor moved nothing."] : []),
      ...processor.map(
        (moved) =>
          `The processor's balance in ${moved.currency} changed by ${money(moved.change, moved.currency)}: ${partsOf(moved, "en", money)}.`,
      ),
      ...(environment === "test"
        ? []
        : [
            closed === 0
              ? `No statement is closed${isOver ? "" : ": that is done after the end of the month"}.`
              : `${closed === 1 ? "One statement is" : `${closed} statements are`} closed; owed to partners by them: ${owed.map(({ currency, amount }) => money(amount, currency)).join(" and ")}.`,
            ...(notClosed.length === 0 ? [] : [`To be closed yet: ${named}.`]),
          ]),
    ],
    ru: ({ money }) => [
      `${capital(new Intl.DateTimeFormat("ru", NAMED).format(at).replace(" г.", ""))}, ${environment}${isOver ? "" : ", на сегодня"}.`,
      ...(processor.length === 0 ? ["У платёжной системы движений не было."] : []),
      ...processor.map(
        (moved) =>
          `Баланс у платёжной системы в ${moved.currency} изменился на ${money(moved.change, moved.currency)}: ${partsOf(moved, "ru", money)}.`,
      ),
      ...(environment === "test"
        ? []
        : [
            closed === 0
              ? `Закрытых отчётов нет${isOver ? "" : ": их закрывают после конца месяца"}.`
              : `Закрыто: ${counted(closed, "отчёт", "отчёта", "отчётов")}; по ним партнёрам причитается ${owed.map(({ currency, amount }) => money(amount, currency)).join(" и ")}.`,
            ...(notClosed.length === 0 ? [] : [`Ещё не закрыто: ${named}.`]),
          ]),
    ],
  });
}

/** What moved, without what did not. */
function partsOf(moved: Moved, language: Language, money: (minor: number, currency: string) => string): string {
  const parts = PARTS.filter(([part]) => moved[part] !== 0).map(
    ([part, words]) => `${words[language]} ${money(moved[part], moved.currency)}`,
  );
  return parts.length === 0 ? { en: "in all nothing", ru: "в сумме ничего" }[language] : parts.join(", ");
}
