/** How people sort by a column. */
export interface Sorted<Row> {
  readonly header: string;
  /** Lets people sort the whole list by it: the name of the Worker's order, which stands in the address. */
  readonly sort?: string;
  /** The filter without which the order means nothing, such as the currency of an amount, and the words that say so. */
  readonly sortNeeds?: { readonly filter: string; readonly why: string };
  /** Lets people sort a list that is one page by it, in an order by the name of its header. */
  readonly sortBy?: (row: Row) => string | number | null;
}

interface Shown {
  readonly isPart: boolean;
  /** The filters of the list that the Worker sorts; null where it sorts none of it. */
  readonly set: Readonly<Record<string, string | undefined>> | null;
}

/** The name of the order by a column: the Worker's, or its header where a list that is whole sorts itself; undefined if neither can be. */
export function orderOf<Row>({ header, sort, sortNeeds, sortBy }: Sorted<Row>, { isPart, set }: Shown): string | undefined {
  if (sort !== undefined && set !== null && (sortNeeds === undefined || set[sortNeeds.filter] !== undefined)) return sort;
  return sortBy === undefined || isPart ? undefined : header;
}

/** The order of a list after a click on a column: down, then up, then as the list comes. In the address, a minus is down. */
export const nextOrder = (column: string, order: string | undefined): string | undefined =>
  order === `-${column}` ? column : order === column ? undefined : `-${column}`;

export const directionOf = (column: string, order: string | undefined): "none" | "ascending" | "descending" =>
  order === column ? "ascending" : order === `-${column}` ? "descending" : "none";

/** A column has numbers or texts, not both. */
const compare = (left: string | number, right: string | number) =>
  typeof left === "number" ? left - Number(right) : left.localeCompare(String(right));

/** Rows by a value of theirs. What is unknown stands at the end in both directions. */
export function sortedRows<Row>(rows: readonly Row[], by: (row: Row) => string | number | null, isDown: boolean): readonly Row[] {
  const known = rows.flatMap((row) => {
    const value = by(row);
    return value === null ? [] : [{ row, value }];
  });
  const sorted = known.toSorted((left, right) => (isDown ? compare(right.value, left.value) : compare(left.value, right.value)));
  return [...sorted.map(({ row }) => row), ...rows.filter((row) => by(row) === null)];
}
