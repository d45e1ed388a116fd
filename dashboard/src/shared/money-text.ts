const formats = new Map<string, Intl.NumberFormat>();

/** An amount in major units as people of the person's language write it. */
export function moneyText(amount: number, currency: string): string {
  const known = formats.get(currency);
  const format = known ?? new Intl.NumberFormat(undefined, { style: "currency", currency, currencyDisplay: "narrowSymbol" });
  if (known === undefined) formats.set(currency, format);
  return format.format(amount);
}
