import { type Language, languageOf, localeFor } from "./language.ts";

const STORED = "language";

/** The language of the pages. The console is in English alone: its page says so. */
export function ownLanguage(): Language {
  const page: Document | undefined = globalThis.document;
  return page?.documentElement.dataset.languages === "en" ? "en" : languageOf(stored(), globalThis.navigator.languages);
}

/** The locale of numbers, amounts and times of the pages. */
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
  try {
    globalThis.localStorage.setItem(STORED, language);
  } catch {
    return;
  }
  globalThis.location.reload();
}
