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

/** So many reads of sums a page takes at most: a file has many pages, and one run of a Worker has a thousand queries. */
const MOST_READS = 16;

/**
 * The sums of things by their ids. Where those of all are too many to be read at once (`read` answers null), they are read in halves, and
 * so on; what is still too much, for one thing alone or after so many reads, is null. `read` answers nothing of a thing without any.
 */
export async function sumsInParts<Sum>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, readonly Sum[]> | null>,
  mostReads = MOST_READS,
): Promise<ReadonlyMap<string, readonly Sum[] | null>> {
  const found = new Map<string, readonly Sum[] | null>();
  const parts = ids.length === 0 ? [] : [ids];
  let reads = 0;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    reads += 1;
    const sums = reads > mostReads ? null : await read(part);
    const middle = Math.ceil(part.length / 2);
    if (sums === null && part.length > 1) parts.push(part.slice(0, middle), part.slice(middle));
    else for (const id of part) found.set(id, sums === null ? null : (sums.get(id) ?? []));
  }
  return found;
}
