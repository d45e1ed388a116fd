import { parseAccept } from "hono/utils/accept";

/** The best of the languages by an `Accept-Language`: its order and weights decide, and `pt-BR` is `pt`. */
export function languageOf<Language extends string>(
  header: string | null | undefined,
  languages: readonly Language[],
  otherwise: Language,
): Language {
  const wanted = parseAccept(header ?? "")
    .filter(({ q }) => q > 0)
    .map(({ type }) => type.split("-")[0]?.toLowerCase());
  return wanted.flatMap((tag) => languages.find((language) => language === tag) ?? [])[0] ?? otherwise;
}
