import * as z from "zod";
import { rejectInput } from "../../core/errors.ts";
import { toMinorUnits } from "../../core/money.ts";

/** An amount that a person searches for, in major units. */
export const amountField = z.coerce.number("must be a number").nonnegative("must not be negative").optional();

export const currencyField = z
  .string()
  .regex(/^[A-Za-z]{3}$/, "must be a currency of three letters, such as USD")
  .transform((code) => code.toUpperCase())
  .optional();

/** @throws ServiceFailure `invalid_input` without a currency, which says how many decimals an amount has. */
export function minorOf(field: string, major: number | undefined, currency: string | undefined): number | undefined {
  if (major === undefined) return undefined;
  if (currency === undefined) return rejectInput(`${field}: needs \`currency\`, such as USD`, field);
  return toMinorUnits(major, currency);
}
