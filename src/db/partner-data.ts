import type { CellCode } from "../core/cell-code.ts";
import { MINUTE } from "../core/clock.ts";
import type { Cell } from "./client.ts";

/** A cell that has what a partner had made before it was split by time. */
export interface EarlierCell {
  readonly cell: CellCode;
  /** When the next one began, in Unix milliseconds. */
  readonly until: number;
}

/** Where the data of a partner is: the cell that is written, and the earlier ones, the newest first. */
export interface PartnerCells {
  readonly cell: CellCode;
  readonly earlier: readonly EarlierCell[];
}

/** All cells that have data of a partner, the newest first. */
export const cellsOf = ({ cell, earlier }: PartnerCells): readonly CellCode[] => [cell, ...earlier.map((one) => one.cell)];

/** What a list is sorted by: the newest first, and by id within a moment. */
export interface Dated {
  readonly id: string;
  /** In Unix milliseconds. */
  readonly at: number;
}

export const newestFirst = (left: Dated, right: Dated): number => right.at - left.at || (left.id < right.id ? 1 : -1);

/** Clocks differ: the time of a payment may be up to this much later than the time at which it is stored. */
const CLOCKS_DIFFER = 10 * MINUTE;

/** A database with a part of a partner's data. */
interface PartDatabase<Own> {
  readonly own: Own;
  /** No row here is of a later time than this, in Unix milliseconds. */
  readonly until: number;
}

/**
 * The data of one partner, in one database or in several: a partner that was split by time has its newest rows in the one that is
 * written, and its older rows in earlier ones. A row may be copied to the newest one while it is read.
 */
export class PartnerData<Own extends { readonly db: Cell } = { readonly db: Cell }> {
  readonly #newest: PartDatabase<Own>;
  readonly #earlier: readonly PartDatabase<Own>[];

  constructor({ cell, earlier }: PartnerCells, inCell: (cell: CellCode) => Own) {
    this.#newest = { own: inCell(cell), until: Number.POSITIVE_INFINITY };
    this.#earlier = earlier.map((one) => ({ own: inCell(one.cell), until: one.until + CLOCKS_DIFFER }));
  }

  /** The databases, the newest first. */
  get cells(): readonly [Own, ...Own[]] {
    return [this.#newest.own, ...this.#earlier.map(({ own }) => own)];
  }

  /** What each database answers, the newest first. One trip to each, at the same time. */
  each<Answer>(ask: (own: Own) => Promise<Answer>): Promise<Answer[]> {
    return Promise.all(this.cells.map(ask));
  }

  /**
   * The newest rows of all databases together, at most `limit`. `ask` gives the newest rows of one. The newest database is asked
   * first. The others are asked only where they may have some of these rows: one trip to each, at the same time, and another one
   * to the newest database afterwards, because a row may have been copied there in between.
   */
  async newestRows<Row extends Dated>(
    { limit, from }: { readonly limit: number; readonly from: number | undefined },
    ask: (db: Cell) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const { db } = this.#newest.own;
    const rows = await ask(db);
    const last = rows.length < limit ? undefined : rows.at(-1);
    const oldestWanted = Math.max(last?.at ?? Number.NEGATIVE_INFINITY, from ?? Number.NEGATIVE_INFINITY);
    const asked = this.#earlier.filter(({ until }) => until >= oldestWanted);
    if (asked.length === 0) return rows;
    const found = await Promise.all(asked.map(({ own }) => ask(own.db)));
    const byId = new Map(found.flat().map((row) => [row.id, row]));
    for (const row of await ask(db)) byId.set(row.id, row);
    return [...byId.values()].toSorted(newestFirst).slice(0, limit);
  }

  /** The rows of the first database that has any. The earlier ones are asked at the same time, the newest one once more at the end. */
  async firstRows<Row>(ask: (db: Cell) => Promise<readonly Row[]>): Promise<readonly Row[]> {
    const { db } = this.#newest.own;
    const found = await ask(db);
    if (found.length > 0 || this.#earlier.length === 0) return found;
    const others = await Promise.all(this.#earlier.map(({ own }) => ask(own.db)));
    const again = await ask(db);
    return [again, ...others].find((rows) => rows.length > 0) ?? [];
  }

  /**
   * All pages of a list, the newest rows first. `pagesIn` reads the pages of one database, in that order. The pages of a partner
   * with one database are as they are read; otherwise they are put together anew, of at most `size` rows.
   */
  async *pages<Row extends Dated>(
    size: number,
    pagesIn: (db: Cell) => AsyncGenerator<RowPage<Row>, undefined>,
  ): AsyncGenerator<RowPage<Row>, undefined> {
    if (this.#earlier.length === 0) return yield* pagesIn(this.#newest.own.db);
    const streams = this.cells.map(({ db }) => rowsOf(pagesIn(db)));
    let rows: Row[] = [];
    for await (const row of merged(streams)) {
      if (rows.length === size) {
        yield { rows, isLast: false };
        rows = [];
      }
      rows.push(row);
    }
    yield { rows, isLast: true };
    return undefined;
  }
}

/** A page of a list. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly isLast: boolean;
}

async function* rowsOf<Row>(pages: AsyncGenerator<RowPage<Row>, undefined>): AsyncGenerator<Row, undefined> {
  for await (const { rows } of pages) yield* rows;
  return undefined;
}

/** Rows of several streams, the newest first. Each stream is in that order already; a row may be in two of them, and counts once. */
async function* merged<Row extends Dated>(streams: readonly AsyncGenerator<Row, undefined>[]): AsyncGenerator<Row, undefined> {
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
