import { ownLocale } from "../texts/own-language.ts";

/** A month such as 2026-10 in the person's language: October 2026. */
export function monthText(month: string): string {
  return new Intl.DateTimeFormat(ownLocale(), { year: "numeric", month: "long", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
}
