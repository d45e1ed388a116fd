/** By what a period's sales are divided. */
export const parts = ["product", "link", "method", "promotion_code"] as const;
export type Part = (typeof parts)[number];

/** The rows that a division shows. */
const MOST = 5;

interface Sold {
  readonly currency: string;
  readonly orders: number;
  readonly net: number;
}

/** The rows of a currency that brought most, the best first. What only refunds are left of brought nothing. */
export const bestOf = <Row extends Sold>(rows: readonly Row[], currency: string): Row[] =>
  rows
    .filter((row) => row.currency === currency && row.net > 0)
    .toSorted((one, other) => other.net - one.net || other.orders - one.orders)
    .slice(0, MOST);

interface Named extends Partial<Readonly<Record<Part, string | null | undefined>>> {
  readonly product_name?: string | null | undefined;
  readonly link_name?: string | null | undefined;
  readonly method_name?: string | null | undefined;
}

/** What people call a row: its name, or else its id; null for what has none, such as orders without a code. */
export const nameOfPart = (row: Named, part: Part): string | null =>
  (part === "promotion_code" ? null : row[`${part}_name`]) ?? row[part] ?? null;

/** What tells links from each other that sell the same: the end of the id, since a phone cuts what is long. */
export const moreOfPart = (row: Named, part: Part): string | null =>
  part === "link" && row.link_name ? `…${(row.link ?? "").slice(-8)}` : null;

/** The page of the orders that a row counts; null where it counts none, or where nothing names them. */
export function ordersOfPart(row: Named & Sold, part: Part, { from, to }: { readonly from: string; readonly to: string }): string | null {
  const value = row[part];
  if (value === null || value === undefined || row.orders === 0) return null;
  const search = new URLSearchParams({ [part]: value, settled_in: row.currency, paid_since: from, paid_until: to });
  return `/orders?${search.toString()}`;
}
