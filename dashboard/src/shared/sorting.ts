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
