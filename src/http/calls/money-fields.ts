import * as z from "zod";
import { rejectInput } from "../../core/errors.ts";
import { toMajorUnits, toMinorUnits } from "../../core/money.ts";

/** Digits, and not the other texts that count as a number: an empty one would be 0. */
const PLAIN_NUMBER = /^-?\d{1,15}(?:\.\d{1,6})?$/;

/** An amount that a person searches for, in major units. */
export const amountField = z
  .preprocess(
    (sent) => (typeof sent === "string" && !PLAIN_NUMBER.test(sent) ? Number.NaN : sent),
    z.coerce.number("must be a number").nonnegative("must not be negative"),
  )
  .optional();

export const currencyField = z
  .string()
  .regex(/^[A-Za-z]{3}$/, "must be a currency of three letters, such as USD")
  .transform((code) => code.toUpperCase())
  .optional();

/** The most that a person enters of a book at once, in major units: minor units of it are whole numbers in every currency. */
const MOST_ENTERED = 1_000_000_000;

/** An amount that a person enters into the books, in major units. */
export const enteredField = z.number().max(MOST_ENTERED);

/** An entered amount in minor units. @throws ServiceFailure `invalid_input` for more decimals than its currency has. */
export function exactMinorOf(field: string, major: number, currency: string): number {
  const minor = toMinorUnits(major, currency);
  return toMajorUnits(minor, currency) === major ? minor : rejectInput(`${field}: has more decimals than ${currency}`, field);
}

/** @throws ServiceFailure `invalid_input` without a currency, which says how many decimals an amount has. */
export function minorOf(field: string, major: number | undefined, currency: string | undefined): number | undefined {
  if (major === undefined) return undefined;
  if (currency === undefined) return rejectInput(`${field}: needs \`currency\`, such as USD`, field);
  return toMinorUnits(major, currency);
}
