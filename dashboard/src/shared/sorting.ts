/** What a table is sorted by: the header of a column, and the direction. */
export interface Sorting {
  readonly header: string;
  readonly isDown: boolean;
}

/** After a click on a header: down, then up, then as the list came. */
export const nextSorting = (header: string, sorting: Sorting | null): Sorting | null =>
  sorting?.header === header ? (sorting.isDown ? { header, isDown: false } : null) : { header, isDown: true };

export const directionOf = (header: string, sorting: Sorting | null): "none" | "ascending" | "descending" =>
  sorting?.header === header ? (sorting.isDown ? "descending" : "ascending") : "none";

/** The order of a whole list after a click on a column: down, then up, then as the list comes. In the address, a minus is down. */
export const nextOrder = (column: string, order: string | undefined): string | undefined =>
  order === `-${column}` ? column : order === column ? undefined : `-${column}`;

export const directionOfOrder = (column: string, order: string | undefined): "none" | "ascending" | "descending" =>
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
