import type { PageOf } from "../api/paths.ts";

interface Bounds {
  /** Rows that a file has at most. */
  readonly rows: number;
  /** Pages that are read at most: a rare filter finds few rows on each. */
  readonly pages: number;
}

interface Reading<Row> {
  readonly rows: readonly Row[];
  /** Whether there are no more rows. */
  readonly isWhole: boolean;
}

/**
 * Every row of a list, page by page, up to the bounds. `onPage` gets each page with the number of rows so far, and ends the reading by
 * answering false. @throws what `read` throws
 */
export async function readAll<Row>(
  read: (cursor: string | undefined) => Promise<PageOf<Row>>,
  bounds: Bounds,
  onPage: (count: number, page: PageOf<Row>) => boolean,
): Promise<Reading<Row>> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < bounds.pages && rows.length < bounds.rows; pages += 1) {
    const page = await read(cursor);
    rows.push(...page.data);
    if (page.next === null) return { rows, isWhole: onPage(rows.length, page) };
    if (!onPage(rows.length, page)) break;
    cursor = page.next;
  }
  return { rows, isWhole: false };
}
