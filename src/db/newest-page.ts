import { and, desc, gte, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { HOUR, type Period } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { type Cell, inList } from "./client.ts";
import { isOlderThan, type PageKey } from "./page-key.ts";
import { type Dated, newestFirst } from "./partner-data.ts";

/** A page of a list, newest first; of one cell, with one row more than the page may have, if there is one. */
export interface NewestPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page, the last row that was looked at; null on the last page. */
  readonly next: PageKey | null;
}

/** The databases of a list: a partner's, newest first, or all cells. */
export interface ListData {
  each<Answer>(ask: (own: { readonly db: Cell }) => Promise<Answer>): Promise<Answer[]>;
}

/** What can be summed, too. */
export interface SummedData extends ListData {
  /** As those of a partner's data. */
  sums<Answer>(
    copied: (own: { readonly db: Cell }, until: number) => Promise<readonly string[]>,
    ask: (own: { readonly db: Cell }, without: readonly string[]) => Promise<Answer>,
  ): Promise<Answer[]>;
}

/**
 * One page of at most `limit` rows from pages of several places, newest first. Of a row that is in two, because it is being copied, that of
 * the first is kept.
 */
export function mergePages<Row extends Dated>(pages: readonly NewestPage<Row>[], limit: number): NewestPage<Row> {
  // A place that has not looked at its older rows may have some that belong before those of another.
  const [end] = pages.flatMap(({ next }) => (next === null ? [] : [{ at: next.at, id: next.id }])).toSorted(newestFirst);
  const rows = [
    ...new Map(
      pages
        .toReversed()
        .flatMap((page) => page.rows)
        .map((row) => [row.id, row]),
    ).values(),
  ]
    .toSorted(newestFirst)
    .filter((row) => end === undefined || newestFirst(row, end) <= 0);
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? keyOfRow(shown.at(-1)) : keyOfRow(end) };
}

function keyOfRow(row: Dated | undefined): PageKey | null {
  return row === undefined ? null : { at: row.at, id: row.id };
}

/** The page of a cell that has looked at `rows`, which are one more than the page if others follow. */
function cellPage<Row extends Dated>(rows: readonly Row[], limit: number): NewestPage<Row> {
  return { rows, next: rows.length > limit ? keyOfRow(rows.at(-1)) : null };
}

/** The partners of a list that operators look at, and the time of the look, in Unix milliseconds. */
interface ManyPartners {
  readonly ids: readonly string[];
  readonly now: number;
}

/** Whose rows a list has, and which page. */
export interface OwnList {
  readonly partnerId: string | ManyPartners;
  readonly environment: Environment;
  readonly before: PageKey | undefined;
  readonly limit: number;
  /** Only rows of this time. */
  readonly period?: Period;
}

/** SQL condition: a column has the key of the list's partner, or of one of its partners. `columnOf` makes its value from an id. */
export function isOwnedBy(column: SQLiteColumn | SQL, { partnerId }: Pick<OwnList, "partnerId">, columnOf = (id: string) => id): SQL {
  return typeof partnerId === "string" ? sql`${column} = ${columnOf(partnerId)}` : sql`${column} IN ${inList(partnerId.ids.map(columnOf))}`;
}

/**
 * SQL condition: a column has the key of the list's partner, or of one of its partners, in one of some environments. One key is compared
 * by itself: then an index sorts the rows behind it.
 */
export function isOwnedIn(
  column: SQLiteColumn | SQL,
  partnerId: OwnList["partnerId"],
  wanted: readonly Environment[],
  keyOf: (id: string, environment: Environment) => string,
): SQL {
  const partners = typeof partnerId === "string" ? [partnerId] : partnerId.ids;
  const keys = partners.flatMap((id) => wanted.map((environment) => keyOf(id, environment)));
  return keys.length === 1 ? sql`${column} = ${keys[0]}` : sql`${column} IN ${inList(keys)}`;
}

/** SQL condition: one of some columns has a text, in any case of Latin letters. */
export const isAnyOf = (text: string, ...columns: readonly SQLiteColumn[]): SQL =>
  sql`lower(${text}) IN (${sql.join(
    columns.map((column) => sql`lower(${column})`),
    sql`, `,
  )})`;

/** SQL condition: the time is in a period. */
export function isWithin(time: SQLiteColumn, period: Period | undefined): SQL | undefined {
  if (period === undefined) return undefined;
  return and(
    period.from === 0 ? undefined : gte(time, period.from),
    period.to === Number.MAX_SAFE_INTEGER ? undefined : lt(time, period.to),
  );
}

/** A table with an index by owner, creation time and id. */
interface OwnTable {
  /** SQL condition: the row belongs to the list, by the index. */
  readonly isOwn: SQL | undefined;
  readonly createdAt: SQLiteColumn;
  readonly id: SQLiteColumn;
}

/** A query that takes its condition later: a `select` made `$dynamic`. */
export interface OpenQuery<Row> {
  where(condition: SQL | undefined): OpenQuery<Row>;
  orderBy(...keys: SQL[]): OpenQuery<Row>;
  limit(rows: number): OpenQuery<Row>;
  offset(rows: number): OpenQuery<Row>;
  all(): Promise<Row[]>;
}

/**
 * The maximum number of rows that one search without an index looks at. The next page continues behind them: a page may
 * have fewer rows than `limit`, or none, although more exist.
 */
const MAX_SEARCHED = 2_000;
/** The same of {@link newestOf} for one partner, whose rows an index has in order. */
const MAX_SEARCHED_OF_ONE = 20_000;

/**
 * A page of the rows of a partner, or of several, in an environment, newest first. `filter`: only rows for which it
 * holds; no index serves it. `select`: the columns with the time as `value`, made `$dynamic`. For one partner, one D1 round trip to each of its cells, and two with a filter. For
 * several, up to a dozen to each cell.
 */
export async function newestOf<Row extends { readonly id: string; readonly value: number }>(
  data: ListData,
  { partnerId, before, limit, period }: Omit<OwnList, "environment">,
  { isOwn, createdAt, id }: OwnTable,
  select: (db: Cell) => OpenQuery<Row>,
  filter?: SQL,
): Promise<NewestPage<Row & Dated>> {
  const ask: AskRows<Row> = async (db, more, most, offset = 0) => {
    const where = and(isOwn, isWithin(createdAt, period), isOlderThan(createdAt, id, before), more);
    const found = await select(db).where(where).orderBy(desc(createdAt), desc(id)).limit(most).offset(offset).all();
    return found.map((row) => ({ ...row, at: row.value }));
  };
  const pages = await data.each(async ({ db }) => {
    if (typeof partnerId !== "string") {
      const until = Math.min(before?.at ?? partnerId.now, period?.to ?? partnerId.now);
      return pageByWindows(db, { until, from: period?.from ?? 0, limit, createdAt, ask, filter });
    }
    // The oldest row that a search may look at, if there are so many.
    const [end] = filter === undefined ? [] : await ask(db, undefined, 1, MAX_SEARCHED_OF_ONE - 1);
    const isSearched = end && sql`(${createdAt}, ${id}) >= (${end.value}, ${end.id})`;
    const rows = await ask(db, and(filter, isSearched), limit + 1);
    return rows.length > limit || end === undefined ? cellPage(rows, limit) : { rows, next: { id: end.id, at: end.value } };
  });
  return mergePages(pages, limit);
}

/** Reads rows of the list that fulfil a condition, newest first. */
type AskRows<Row> = (db: Cell, more: SQL | undefined, most: number, offset?: number) => Promise<(Row & Dated)[]>;

/**
 * How far back a page of several partners looks, in steps. The index has the rows of each partner by time, so a query
 * sorts all rows of its window: the first window that is full enough ends the page.
 */
const WINDOWS = [HOUR, 8 * HOUR, 64 * HOUR, 512 * HOUR, 4096 * HOUR, Number.POSITIVE_INFINITY];

interface Windowed<Row> {
  /** The newest and the oldest time that the page may have. */
  readonly until: number;
  readonly from: number;
  readonly limit: number;
  readonly createdAt: SQLiteColumn;
  readonly ask: AskRows<Row>;
  readonly filter: SQL | undefined;
}

async function pageByWindows<Row extends { readonly id: string; readonly value: number }>(
  db: Cell,
  { until, from, limit, createdAt, ask, filter }: Windowed<Row>,
): Promise<NewestPage<Row & Dated>> {
  let rows: (Row & Dated)[] = [];
  for (const window of WINDOWS) {
    const start = Math.max(from, until - window);
    const isIn = gte(createdAt, start);
    rows = await ask(db, and(isIn, filter), limit + 1);
    if (rows.length > limit) return cellPage(rows, limit);
    if (start === from) return { rows, next: null };
    const isLongSearch = filter !== undefined && (await ask(db, isIn, 1, MAX_SEARCHED - 1)).length > 0;
    if (isLongSearch) return { rows, next: { at: start, id: "" } };
  }
  return { rows, next: null };
}
