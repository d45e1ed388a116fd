import type { Context } from "hono";
import { accepts } from "hono/accepts";

/** The best of the languages by `Accept-Language`: its order and weights decide, and `pt-BR` is `pt`. */
export function languageOf<Language extends string>(context: Context, languages: readonly Language[], otherwise: Language): Language {
  const chosen = accepts(context, {
    header: "Accept-Language",
    supports: [...languages],
    default: otherwise,
    match(wanted, { default: fallback }) {
      const byWeight = wanted.toSorted((left, right) => right.q - left.q).filter(({ q }) => q > 0);
      const found = byWeight
        .map(({ type }) => type.split("-")[0]?.toLowerCase())
        .find((tag) => languages.some((language) => language === tag));
      return found ?? fallback;
    },
  });
  return languages.find((language) => language === chosen) ?? otherwise;
}
