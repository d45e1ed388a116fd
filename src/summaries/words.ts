import { toMajorUnits } from "../core/money.ts";

/** One or two sentences about an object, as support sends them on, in the languages of partners. */
export interface Summary {
  readonly en: string;
  readonly ru: string;
}

export type Language = keyof Summary;

/** How a language writes amounts, days and counts. */
export interface Writing {
  /** An amount in minor units. */
  readonly money: (minor: number, currency: string) => string;
  /** The day of a time (Unix milliseconds) in the partner's time zone. */
  readonly day: (at: number) => string;
}

const LOCALES = { en: "en-GB", ru: "ru" } as const;

function writingOf(language: Language, timeZone: string): Writing {
  const locale = LOCALES[language];
  const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone });
  return {
    money: (minor, currency) =>
      new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol" }).format(toMajorUnits(minor, currency)),
    // Russian ends a year with an abbreviation, whose point would meet that of the sentence.
    day: (at) => days.format(at).replace(/\s?г\.$/u, ""),
  };
}

/** The sentences of both languages. `timeZone` is the partner's. */
export function inBoth(timeZone: string, write: Readonly<Record<Language, (writing: Writing) => readonly string[]>>): Summary {
  const of = (language: Language) => write[language](writingOf(language, timeZone)).join(" ");
  return { en: of("en"), ru: of("ru") };
}

const rules = new Intl.PluralRules("ru");

/** A count with its Russian noun: one event, two events, five events. */
export function counted(count: number, one: string, few: string, many: string): string {
  const form = rules.select(count);
  return `${count} ${form === "one" ? one : form === "few" ? few : many}`;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/** The number of an attempt in English words. */
export const ordinal = (number: number): string => ORDINALS[number - 1] ?? `${number}th`;
