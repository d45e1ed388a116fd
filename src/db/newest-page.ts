import { and, desc, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Environment } from "../core/environment.ts";
import type { Cell } from "./client.ts";
import { isOlderThan, type PageKey } from "./page-key.ts";
import { type Dated, newestFirst, type PartnerData } from "./partner-data.ts";

/** The rows of one cell, newest first, behind the cursor. */
export interface CellPage<Row> {
  /** At most one more than the page may have. */
  readonly rows: readonly Row[];
  /** The last row that was looked at, if older ones may follow; null if none follow. */
  readonly end: PageKey | null;
}

/** A page of a list, newest first. */
export interface NewestPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null on the last one. */
  readonly next: PageKey | null;
}

/**
 * Merges the pages of a partner's cells into one page of at most `limit` rows. `ask` reads a cell. A row that is in two
 * cells, because it is being copied, is returned once, as the current cell has it.
 */
export async function newestPage<Row extends Dated>(
  data: PartnerData,
  limit: number,
  ask: (db: Cell) => Promise<CellPage<Row>>,
): Promise<NewestPage<Row>> {
  const answers = await data.each(({ db }) => ask(db));
  // A cell that has not looked at its older rows may have some that belong before those of another cell.
  const [end] = answers.flatMap((answer) => answer.end ?? []).toSorted(newestFirst);
  const rows = [
    ...new Map(
      answers
        .toReversed()
        .flatMap((answer) => answer.rows)
        .map((row) => [row.id, row]),
    ).values(),
  ]
    .toSorted(newestFirst)
    .filter((row) => end === undefined || newestFirst(row, end) <= 0);
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? keyOf(shown.at(-1)) : keyOf(end) };
}

function keyOf(row: Dated | undefined): PageKey | null {
  return row === undefined ? null : { at: row.at, id: row.id };
}

/** The page of a cell that has looked at `rows`, which are one more than the page if others follow. */
export function cellPage<Row extends Dated>(rows: readonly Row[], limit: number): CellPage<Row> {
  return { rows, end: rows.length > limit ? keyOf(rows.at(-1)) : null };
}

/** Whose rows a list has, and which page. */
export interface OwnList {
  readonly partnerId: string;
  readonly environment: Environment;
  readonly before: PageKey | undefined;
  readonly limit: number;
}

/** A table with an index by owner, creation time and id. */
interface OwnTable {
  /** SQL condition: the row belongs to the list, by the index. */
  readonly isOwn: SQL | undefined;
  readonly createdAt: SQLiteColumn;
  readonly id: SQLiteColumn;
}

/** The condition, order, size and start of a query for a page. */
interface OwnQuery {
  readonly where: SQL | undefined;
  readonly orderBy: SQL[];
  readonly limit: number;
  readonly offset: number;
}

/**
 * The maximum number of rows that one search without an index looks at. The next page continues behind them: a page may
 * have fewer rows than `limit`, or none, although more exist.
 */
export const MAX_SEARCHED = 2_000;

/**
 * A page of a partner's rows of an environment, newest first. `filter`: only rows for which it holds; no index serves
 * it. One D1 round trip to each of the partner's cells, and two with a filter.
 */
export async function newestOfPartner<Row extends { readonly id: string; readonly createdAt: number }>(
  data: PartnerData,
  { before, limit }: Pick<OwnList, "before" | "limit">,
  { isOwn, createdAt, id }: OwnTable,
  ask: (db: Cell, query: OwnQuery) => Promise<readonly Row[]>,
  filter?: SQL,
): Promise<NewestPage<Row & Dated>> {
  const queryOf = (more: SQL | undefined, most: number, offset: number): OwnQuery => ({
    where: and(isOwn, isOlderThan(createdAt, id, before), more),
    orderBy: [desc(createdAt), desc(id)],
    limit: most,
    offset,
  });
  return newestPage(data, limit, async (db) => {
    const [end] = filter === undefined ? [] : await ask(db, queryOf(undefined, 1, MAX_SEARCHED - 1));
    const isSearched = end && sql`(${createdAt}, ${id}) >= (${end.createdAt}, ${end.id})`;
    const found = await ask(db, queryOf(and(filter, isSearched), limit + 1, 0));
    const rows = found.map((row) => ({ ...row, at: row.createdAt }));
    return rows.length > limit || end === undefined ? cellPage(rows, limit) : { rows, end: { id: end.id, at: end.createdAt } };
  });
}
