import { typedMinorUnits } from "../../../src/core/typed-amount.ts";

export { cartTotal, minorOfTwoDecimals, twoDecimals } from "../../../src/core/typed-amount.ts";

/**
 * The minor units of an amount that was typed in major ones; undefined while nothing was. What can be read in two ways (`1,234`), or
 * in none (`1e3`), stays a text, which the check of the form names.
 */
export function minorUnits(typed: number | string): number | string | undefined {
  const text = String(typed).trim();
  return text === "" ? undefined : (typedMinorUnits(text) ?? text);
}

/** The minor units that a sum counts: 0 for what is no amount yet. */
export function countedUnits(typed: number | string): number {
  const minor = minorUnits(typed);
  return typeof minor === "number" ? minor : 0;
}

/** The quantity that a sum counts: 0 for what is no whole number yet. */
export function countedQuantity(typed: number | string): number {
  const quantity = wholeNumber(typed);
  return typeof quantity === "number" ? quantity : 0;
}

/** An amount as it is shown once it was understood: `1 234.50`. What was not stays as it was typed. */
export function shownAmount(typed: number | string): string {
  const minor = minorUnits(typed);
  if (typeof minor !== "number") return String(typed);
  const digits = String(minor).padStart(3, "0");
  return `${digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, " ")}.${digits.slice(-2)}`;
}

/**
 * The number that was typed, also with a fraction or below zero; undefined while nothing was. Anything else stays a text: `1.250` may be
 * a thousand and more, so three digits after the mark are a fraction only behind a zero.
 */
export function decimalNumber(typed: number | string): number | string | undefined {
  const text = String(typed).trim();
  if (text === "") return undefined;
  return /^-?(?:\d{1,12}(?:\.(?:\d{1,2}|\d{4})|,\d{1,2})?|0\.\d{3})$/.test(text) ? Number(text.replace(",", ".")) : text;
}

/** The whole number that was typed; undefined while nothing was. Anything else stays a text, which the check of the form names. */
export function wholeNumber(typed: number | string): number | string | undefined {
  const text = String(typed).trim();
  if (text === "") return undefined;
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
