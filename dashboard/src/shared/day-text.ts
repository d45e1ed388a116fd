import { ownLocale } from "../texts/own-language.ts";

const days = new Intl.DateTimeFormat(ownLocale(), { dateStyle: "medium", timeZone: "UTC" });
const months = new Intl.DateTimeFormat(ownLocale(), { year: "numeric", month: "long", timeZone: "UTC" });

/** A day of a report, 2026-10-01, as people write it. */
export const dayText = (day: string): string => days.format(new Date(day));

/** A month such as 2026-10 in the person's language: October 2026. */
export const monthText = (month: string): string => months.format(new Date(`${month}-01T00:00:00Z`));
