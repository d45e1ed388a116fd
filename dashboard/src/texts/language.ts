/** The languages of the pages. */
export const languages = ["en", "ru"] as const;
export type Language = (typeof languages)[number];

/** How each calls itself. */
export const languageNames = { en: "English", ru: "Русский" } as const satisfies Record<Language, string>;

const STORED = "language";

/** The language that the person chose in this browser, or the first of the browser's own that the pages have. */
export function languageOf(chosen: string | null, preferred: readonly string[]): Language {
  const wanted = [...(chosen === null ? [] : [chosen]), ...preferred].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.flatMap((tag) => languages.find((one) => one === tag) ?? [])[0] ?? "en";
}

/** The language of the pages. The console is in English alone: its page says so. */
export function ownLanguage(): Language {
  const page: Document | undefined = globalThis.document;
  return page?.documentElement.dataset.languages === "en" ? "en" : languageOf(stored(), globalThis.navigator.languages);
}

/** The locale of numbers, amounts and times: the browser's own, unless the pages are in another language. */
export function localeFor(language: Language, browsers: string): string {
  return browsers.toLowerCase().startsWith(language) ? browsers : language;
}

export const ownLocale = (): string => localeFor(ownLanguage(), globalThis.navigator.language);

function stored(): string | null {
  try {
    return globalThis.localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

/** Keeps the choice in this browser, and shows the page in that language. */
export function chooseLanguage(language: Language): void {
  globalThis.localStorage.setItem(STORED, language);
  globalThis.location.reload();
}
