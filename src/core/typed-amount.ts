/**
 * The ways in which people write an amount with at most two decimals: `1234.5`, `1 234,50`, `1,234.50`, `1.234,50`. With one
 * sign and three digits behind it, as in `1,234`, it can be read in two ways, and is none of them.
 */
const AMOUNTS: readonly RegExp[] = [
  /^(\d{1,9})(?:[.,](\d{1,2}))?$/,
  /^(\d{1,3}(?:[ \u00a0\u202f']\d{3}){1,2})(?:[.,](\d{1,2}))?$/,
  /^(\d{1,3}(?:,\d{3}){1,2})\.(\d{1,2})$/,
  /^(\d{1,3}(?:\.\d{3}){1,2}),(\d{1,2})$/,
];

/** The minor units of an amount in major ones, of a currency with two decimals; null for what is no amount, or can be read in two ways. */
export function typedMinorUnits(text: string): number | null {
  for (const form of AMOUNTS) {
    const [, whole, part = ""] = form.exec(text) ?? [];
    if (whole !== undefined) return Number(whole.replaceAll(/\D/g, "") + part.padEnd(2, "0"));
  }
  return null;
}

/** The same of an amount as pages show it: with the sign of its currency on either side, or the code behind it. */
export const shownMinorUnits = (text: string): number | null =>
  typedMinorUnits(
    text
      .replace(/^\p{Sc}/u, "")
      .replace(/(?:\s?\p{Sc})?(?:\s[A-Z]{3})?$/u, "")
      .trim(),
  );

/** The same without the sign of the amount: pages show what was given back with a minus. */
export const sizeIn = (text: string): number | null => shownMinorUnits(text.replace(/^[-−–]\s?/, ""));

/** An amount in major units, of a currency with two decimals, from its minor units, and back. */
export const twoDecimals = (minor: number): number => minor / 100;
export const minorOfTwoDecimals = (major: number): number => Math.round(major * 100);

/** What a form's cart comes to, in major units of a currency with two decimals, from the minor units of one and the quantity of each line. */
export function cartTotal(lines: readonly { readonly minor: number; readonly quantity: number }[]): number {
  return twoDecimals(lines.reduce((sum, { minor, quantity }) => sum + minor * quantity, 0));
}
