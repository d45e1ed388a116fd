/** Puts the entries of a map in the order of their keys, by code unit. */
export const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => (one < other ? -1 : 1);

/** Rows by a key of theirs, in the order of the keys. */
export const groupsBy = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): [string, Row[]][] =>
  [...Map.groupBy(rows, keyOf)].toSorted(byKey);

/** Adds rows up, field by field. The numbers are counts, or amounts in minor units of one currency; a field that a row lacks counts 0. */
export function addedUp<Field extends string>(
  fields: readonly Field[],
  rows: readonly { readonly [name in Field]?: number }[],
): Record<Field, number> {
  const sums = fields.map((field) => [field, rows.reduce((total, row) => total + (row[field] ?? 0), 0)]);
  // Each of the fields has its sum.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(sums) as Record<Field, number>;
}
