/** The currencies of card products and of their links (interface 1.2). */
export const linkCurrencies = ["USD", "EUR", "GBP", "BRL"] as const;
export type LinkCurrency = (typeof linkCurrencies)[number];

/** The currencies of carts (interface 8.2). */
export const cartCurrencies = ["USD", "EUR", "GBP"] as const;
export type CartCurrency = (typeof cartCurrencies)[number];

/** The units of a subscription's period, as the processor knows them. */
export const billingIntervals = ["day", "week", "month", "year"] as const;
export type BillingInterval = (typeof billingIntervals)[number];

/**
 * Money is an integer in minor units with a currency; only views convert it (interface G.10).
 * These currencies do not have two decimals
 * in the processor's API (its documentation, "Supported currencies"). Settlement may be in any of them. ISK and UGX
 * no longer have a minor unit, but the API multiplies them by 100, so they are not listed.
 */
const WITHOUT_DECIMALS = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));
const WITH_THREE_DECIMALS = new Set("BHD JOD KWD OMR TND".split(" "));

/** The currencies whose decimals are not two, for sums and sorting in SQL. */
export const decimalCurrencies: readonly { readonly decimals: number; readonly currencies: readonly string[] }[] = [
  { decimals: 0, currencies: [...WITHOUT_DECIMALS] },
  { decimals: 3, currencies: [...WITH_THREE_DECIMALS] },
];

/** The number of decimals of the currency (ISO 4217, upper case) in the processor's API. */
function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
}

/** An amount of minor units as people write it: `1,234.50 USD`. */
export function moneyText(minor: number, currency: string): string {
  const digits = decimalsOf(currency);
  const format = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${format.format(toMajorUnits(minor, currency))} ${currency}`;
}

/** Converts major to minor units, rounded to the nearest: for amounts that a person types into a search. */
export function toMinorUnits(major: number, currency: string): number {
  return Math.round(major * 10 ** decimalsOf(currency));
}

/** Converts minor to major units, correctly rounded: it inserts the decimal point in the text and does not divide. */
export function toMajorUnits(minor: number, currency: string): number {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(minor)).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const major = Number(`${digits.slice(0, point)}.${digits.slice(point)}`);
  return minor < 0 ? -major : major;
}

/** {@link toMajorUnits} of each of these fields of a row. */
export function inMajorUnits<Field extends string>(
  fields: readonly Field[],
  row: { readonly [name in Field]: number },
  currency: string,
): Record<Field, number> {
  // Each of the fields has its amount.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(fields.map((field) => [field, toMajorUnits(row[field], currency)])) as Record<Field, number>;
}

/** How a file writes its prices: `1900` in minor units, or `19.00` in major ones. */
export const priceUnits = ["minor", "major"] as const;
export type PriceUnit = (typeof priceUnits)[number];
