import type { CellCode } from "../core/cell-code.ts";
import { MINUTE } from "../core/clock.ts";
import type { Cell } from "./client.ts";

/** A cell that has what a partner had made before it was split by time. */
export interface EarlierCell {
  readonly cell: CellCode;
  /** When the next one began, in Unix milliseconds. */
  readonly until: number;
}

/** All cells that have data of a partner, the newest first. */
export const cellsOf = ({ cell, earlier }: { readonly cell: CellCode; readonly earlier: readonly EarlierCell[] }): readonly CellCode[] => [
  cell,
  ...earlier.map((one) => one.cell),
];

/** A database with a part of a partner's data: the newest, or an earlier one. */
export interface Part {
  readonly db: Cell;
  /** Nothing here is of a later time than this, in Unix milliseconds. */
  readonly until: number;
}

/** Clocks differ: what the processor says was paid may lie so much in the future when it is stored. */
const CLOCKS_DIFFER = 10 * MINUTE;

export interface PartsDeps {
  readonly db: Cell;
  readonly inCell: (cell: CellCode) => { readonly db: Cell };
}

/** All databases that have data of a partner, the newest first. */
export function partsOf({ db, inCell }: PartsDeps, { earlier }: { readonly earlier: readonly EarlierCell[] }): readonly Part[] {
  const parts = earlier.map(({ cell, until }) => ({ db: inCell(cell).db, until: until + CLOCKS_DIFFER }));
  return [{ db, until: Number.POSITIVE_INFINITY }, ...parts];
}

/** What a list is sorted by: the newest first, and by id within a moment. */
export interface Dated {
  readonly id: string;
  /** In Unix milliseconds. */
  readonly at: number;
}

export const newestFirst = (left: Dated, right: Dated): number => right.at - left.at || (left.id < right.id ? 1 : -1);

/**
 * The newest rows of all parts together, at most `limit`. `ask` gives the newest of one part, at most as many. The newest part is
 * asked first. The others are asked only where they may have some of them: one trip to each, at the same time, and another to the
 * newest afterwards, because a row may be brought there meanwhile.
 */
export async function newestOfParts<Row extends Dated>(
  parts: readonly Part[],
  { limit, from }: { readonly limit: number; readonly from: number | undefined },
  ask: (db: Cell) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const [newest, ...earlier] = parts;
  if (newest === undefined) return [];
  const rows = await ask(newest.db);
  const last = rows.length < limit ? undefined : rows.at(-1);
  const oldestWanted = Math.max(last?.at ?? Number.NEGATIVE_INFINITY, from ?? Number.NEGATIVE_INFINITY);
  const asked = earlier.filter(({ until }) => until >= oldestWanted);
  if (asked.length === 0) return rows;
  const found = await Promise.all(asked.map(({ db }) => ask(db)));
  const byId = new Map(found.flat().map((row) => [row.id, row]));
  for (const row of await ask(newest.db)) byId.set(row.id, row);
  return [...byId.values()].toSorted(newestFirst).slice(0, limit);
}

/** What the first part knows that knows anything: parts are asked at the same time, the newest once more at the end. */
export async function firstOfParts<Row>(parts: readonly Part[], ask: (db: Cell) => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const [newest, ...earlier] = parts;
  if (newest === undefined) return [];
  const found = await ask(newest.db);
  if (found.length > 0 || earlier.length === 0) return found;
  const others = await Promise.all(earlier.map(({ db }) => ask(db)));
  const again = await ask(newest.db);
  return [again, ...others].find((rows) => rows.length > 0) ?? [];
}

/** Rows of all parts, one after the other, the newest first. Each part gives its own in that order; a row may be in two of them. */
export async function* mergeParts<Row extends Dated>(streams: readonly AsyncGenerator<Row, undefined>[]): AsyncGenerator<Row, undefined> {
  const heads = await Promise.all(streams.map(async (stream) => ({ stream, row: (await stream.next()).value })));
  for (let last = ""; ; ) {
    const left = heads.flatMap((head) => (head.row === undefined ? [] : [{ head, row: head.row }]));
    const [first] = left.toSorted((one, other) => newestFirst(one.row, other.row));
    if (first === undefined) return undefined;
    if (first.row.id !== last) yield first.row;
    last = first.row.id;
    first.head.row = (await first.head.stream.next()).value;
  }
}
