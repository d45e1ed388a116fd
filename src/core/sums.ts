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

/** So often the things are halved at most. */
const MOST_SPLITS = 6;

/**
 * The sums of things by their ids. Where those of all are too many to be read at once (`read` answers null), they are read in halves, and
 * so on; what is still too much for one read is null for each of its things. `read` answers nothing of a thing without any.
 */
export async function sumsInParts<Sum>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, readonly Sum[]> | null>,
  splits = MOST_SPLITS,
): Promise<ReadonlyMap<string, readonly Sum[] | null>> {
  if (ids.length === 0) return new Map();
  const sums = await read(ids);
  if (sums !== null) return new Map(ids.map((id) => [id, sums.get(id) ?? []]));
  if (ids.length === 1 || splits === 0) return new Map(ids.map((id) => [id, null]));
  const middle = Math.ceil(ids.length / 2);
  const halves = [ids.slice(0, middle), ids.slice(middle)];
  const parts = await Promise.all(halves.map((half) => sumsInParts(half, read, splits - 1)));
  return new Map(parts.flatMap((part) => [...part]));
}
