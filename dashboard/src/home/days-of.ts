interface Sales {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly { readonly day?: string | null | undefined; readonly currency: string; readonly net: number }[];
}

const label = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const A_DAY = 24 * 60 * 60_000;

/** Each day of a report with its net in a currency, empty days included: a picture without them would lie about time. */
export function daysOf({ from, to, rows }: Sales, currency: string): { readonly day: string; readonly net: number }[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / A_DAY) + 1;
  const byDay = new Map(rows.filter((row) => row.currency === currency).map(({ day, net }) => [day, net]));
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.parse(from) + index * A_DAY);
    return { day: label.format(at), net: byDay.get(at.toISOString().slice(0, 10)) ?? 0 };
  });
}
