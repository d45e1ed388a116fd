import type { Environment } from "../core/environment.ts";
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
  /** A time with its hour and zone, where the hour counts. */
  readonly moment: (at: number) => string;
}

const LOCALES = { en: "en-GB", ru: "ru" } as const;

function writingOf(language: Language, timeZone: string): Writing {
  const locale = LOCALES[language];
  // Formatted together, Russian would end the year with an abbreviation, whose point meets that of the sentence.
  const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone });
  const years = new Intl.DateTimeFormat(locale, { year: "numeric", timeZone });
  const hours = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone, timeZoneName: "short" });
  const day = (at: number) => `${days.format(at)} ${years.format(at)}`;
  return {
    money: (minor, currency) =>
      new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "narrowSymbol" }).format(toMajorUnits(minor, currency)),
    day,
    moment: (at) => `${day(at)}, ${hours.format(at)}`,
  };
}

/** The sentences of both languages. `timeZone` is the partner's; what is of the test environment says so, null: it need not. */
export function inBoth(
  timeZone: string,
  environment: Environment | null,
  write: Readonly<Record<Language, (writing: Writing) => readonly string[]>>,
): Summary {
  const of = (language: Language) =>
    [...write[language](writingOf(language, timeZone)), ...(environment === "test" ? [OF_TEST[language]] : [])].join(" ");
  return { en: of("en"), ru: of("ru") };
}

const OF_TEST: Summary = { en: "It is of the test environment.", ru: "Это тестовый режим." };

/** A text that ends as a sentence does. */
export const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** The reason that an operator wrote for a partner, in the language in which it was written: as sentences, none without one. */
export const reasonIn = (language: Language, reason: string | null): string[] =>
  reason === null ? [] : [`${{ en: "Reason", ru: "Причина" }[language]}: ${asSentence(reason)}`];

const counts = new Intl.PluralRules("ru");

/** A count with its Russian noun: one event, two events, five events. */
export function counted(count: number, one: string, few: string, many: string): string {
  const form = counts.select(count);
  if (form === "one") return `${count} ${one}`;
  return `${count} ${form === "few" ? few : many}`;
}
