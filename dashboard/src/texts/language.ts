/** The languages of the pages. */
export const languages = ["en", "ru"] as const;
export type Language = (typeof languages)[number];

/** How each calls itself. */
export const languageNames = { en: "English", ru: "Русский" } as const satisfies Record<Language, string>;

/** The language that the person chose in this browser, or the first of the browser's own that the pages have. */
export function languageOf(chosen: string | null, preferred: readonly string[]): Language {
  const wanted = [chosen ?? "", ...preferred].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.flatMap((tag) => languages.find((one) => one === tag) ?? [])[0] ?? "en";
}

/** The locale of numbers, amounts and times: the browser's own, unless the pages are in another language. */
export function localeFor(language: Language, browsers: string): string {
  return browsers.toLowerCase().startsWith(language) ? browsers : language;
}
