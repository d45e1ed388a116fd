import { english } from "./en.ts";
import { ownLanguage } from "./own-language.ts";
import type { Texts } from "./shape.ts";

/** The texts of the pages in the person's language. A language that is not English is loaded before the first page. */
export const texts: Texts = ownLanguage() === "ru" ? (await import("./ru.ts")).russian : english;
