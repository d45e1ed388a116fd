const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const SUFFIXES: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };

/** A number as people count in English: 1st, 2nd, 12th, 21st. */
export const ordinal = (number: number): string => `${number}${SUFFIXES[ordinals.select(number)] ?? "th"}`;
