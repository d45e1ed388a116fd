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

const compare = (left: string | number, right: string | number) =>
  typeof left === "number" && typeof right === "number" ? left - right : String(left).localeCompare(String(right));

/** Rows by a value of theirs. What is unknown stands at the end in both directions. */
export function sortedRows<Row>(rows: readonly Row[], by: (row: Row) => string | number | null, isDown: boolean): readonly Row[] {
  return rows.toSorted((left, right) => {
    const [one, other] = [by(left), by(right)];
    if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
    return isDown ? compare(other, one) : compare(one, other);
  });
}
