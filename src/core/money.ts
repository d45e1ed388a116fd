/**
 * Money is an integer of minor units with its currency until a view shows it. These are the currencies whose minor
 * unit is not a hundredth, on the processor's wire (its documentation, "Supported currencies"). Settlement may be
 * in any of them. ISK and UGX have no minor unit any more but are sent times 100, so they are not listed.
 */
const WITHOUT_DECIMALS = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));
const WITH_THREE_DECIMALS = new Set("BHD JOD KWD OMR TND".split(" "));

/** How many decimals the currency (ISO 4217, upper case) has on the processor's wire. */
function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
}

/** Minor units as a number of major units, correctly rounded: the decimal point is set in the text, nothing is divided. */
export function toMajorUnits(minor: number, currency: string): number {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(minor)).padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const major = Number(`${digits.slice(0, point)}.${digits.slice(point)}`);
  return minor < 0 ? -major : major;
}
