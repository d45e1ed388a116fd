import * as z from "zod";
import { rejectInput } from "../../core/errors.ts";

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

/** The query of every list. */
export const pageQuery = {
  limit: z.coerce
    .number(`must be a whole number from 1 to ${MAX_LIMIT}`)
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .describe(`How many, 1 to ${MAX_LIMIT}`),
  cursor: z.string().optional().describe("`next` of the page before"),
};

/** The answer of every list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), next: z.string().nullable().describe("The `cursor` of the next page; null on the last one") });
}

/**
 * Cuts a page from rows that include one more than the page. The cursor of the next page is the key of the last row.
 */
export function cutPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => Item,
  keyOf: (row: Row) => readonly (string | number)[],
): { data: Item[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { data: shown.map(view), next: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null };
}

/** {@link cutPage} for rows of several databases, largest key first. */
export function sortedPage<Row extends { readonly key: readonly (string | number)[] }, Item>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => Item,
) {
  const sorted = rows.toSorted((left, right) => compare(right.key, left.key));
  return cutPage(sorted, limit, view, ({ key }) => key);
}

function compare(left: readonly (string | number)[], right: readonly (string | number)[]): number {
  for (const [index, one] of left.entries()) {
    const other = right[index] ?? one;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** The cursor of a key. */
export function encodeCursor(key: readonly (string | number)[]): string {
  return btoa(encodeURIComponent(JSON.stringify(key)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Parses the key in a cursor; undefined without a cursor. @throws ServiceFailure `invalid_input`. */
export function keyIn<Key extends z.ZodType>(cursor: string | undefined, schema: Key): z.output<Key> | undefined {
  if (cursor === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(decodeURIComponent(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")))));
  } catch {
    return rejectInput("cursor: must be the `next` of an earlier page of this list", "cursor");
  }
}

/** The key of a list that is sorted by one text. */
export const textKey = z.tuple([z.string()]);

const timeKey = z.tuple([z.number(), z.string()]);

/** The key of a list that is sorted by time and id. @throws ServiceFailure `invalid_input`. */
export function pageKeyIn(cursor: string | undefined): { readonly at: number; readonly id: string } | undefined {
  const [at, id] = keyIn(cursor, timeKey) ?? [];
  return at === undefined || id === undefined ? undefined : { at, id };
}
