import type { CellCode } from "../core/cell-code.ts";
import { MINUTE } from "../core/clock.ts";
import type { Cell } from "./client.ts";

/** A cell with the older rows of a partner that was split by time. */
export interface EarlierCell {
  readonly cell: CellCode;
  /** When the next cell took over, in Unix milliseconds. */
  readonly until: number;
}

/** The cells of a partner: the current one, which is written, and earlier ones, newest first. */
export interface PartnerCells {
  readonly cell: CellCode;
  readonly earlier: readonly EarlierCell[];
}

/** All cells with data of a partner, newest first. */
export const cellsOf = ({ cell, earlier }: PartnerCells): readonly CellCode[] => [cell, ...earlier.map((one) => one.cell)];

/** The sort key of a list: newest first, then by id. */
export interface Dated {
  readonly id: string;
  /** In Unix milliseconds. */
  readonly at: number;
}

export const newestFirst = (left: Dated, right: Dated): number => right.at - left.at || (left.id < right.id ? 1 : -1);

/** Clocks differ: the time of a payment may be this much later than the time when it was stored. */
const CLOCKS_DIFFER = 10 * MINUTE;

/** How often sums are read again because a row was copied. */
const MOST_TRIES = 5;

/** A database with a part of a partner's data. */
interface PartDatabase<Own> {
  readonly own: Own;
  /** No row here is later than this, in Unix milliseconds. */
  readonly until: number;
}

/**
 * The data of one partner, in one or more databases. A partner that was split by time has new rows in its current
 * database and older rows in earlier ones. A row may be copied to the current one during a read.
 */
export class PartnerData<Own extends { readonly db: Cell } = { readonly db: Cell }> {
  readonly #newest: PartDatabase<Own>;
  readonly #earlier: readonly PartDatabase<Own>[];

  constructor({ cell, earlier }: PartnerCells, inCell: (cell: CellCode) => Own) {
    this.#newest = { own: inCell(cell), until: Number.POSITIVE_INFINITY };
    this.#earlier = earlier.map((one) => ({ own: inCell(one.cell), until: one.until + CLOCKS_DIFFER }));
  }

  /** The databases, newest first. */
  get cells(): readonly [Own, ...Own[]] {
    return [this.#newest.own, ...this.#earlier.map(({ own }) => own)];
  }

  /** The answers of all databases, newest first. One round trip to each, in parallel. */
  each<Answer>(ask: (own: Own) => Promise<Answer>): Promise<Answer[]> {
    return Promise.all(this.cells.map(ask));
  }

  /**
   * The sums of all databases, in which no row counts twice and none is left out, although rows may be copied to the current one and
   * deleted in an earlier one during the read. `copied` returns the ids of the current database's rows of before a time: those that may have
   * been copied. `ask` sums one database without some rows. Both are asked again as long as rows are being copied. Two round trips more
   * for a partner in several databases.
   * @throws if rows go on being copied
   */
  async sums<Answer>(
    copied: (own: Own, until: number) => Promise<readonly string[]>,
    ask: (own: Own, without: readonly string[]) => Promise<Answer>,
  ): Promise<Answer[]> {
    const current = this.#newest.own;
    if (this.#earlier.length === 0) return [await ask(current, [])];
    const until = Math.max(...this.#earlier.map((one) => one.until));
    let before = await copied(current, until);
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const answers = await Promise.all(this.cells.map((own) => ask(own, own === current ? [] : before)));
      const after = await copied(current, until);
      if (after.length === before.length && after.every((id, index) => id === before[index])) return answers;
      before = after;
    }
    throw new Error("a partner's rows go on being copied while they are summed");
  }

  /**
   * The newest rows across all databases, at most `limit`. `ask` returns the newest rows of one database. The current
   * database is asked first. Earlier ones are only asked if they may have some of these rows: one round trip each, in
   * parallel. Then the current one is asked again, because a row may have been copied there.
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

  /**
   * The rows of the first database that has any. Earlier databases are asked in parallel, and the current one again at
   * the end.
   */
  async firstRows<Row>(ask: (db: Cell) => Promise<readonly Row[]>): Promise<readonly Row[]> {
    const { db } = this.#newest.own;
    const found = await ask(db);
    if (found.length > 0 || this.#earlier.length === 0) return found;
    const others = await Promise.all(this.#earlier.map(({ own }) => ask(own.db)));
    const again = await ask(db);
    return [again, ...others].find((rows) => rows.length > 0) ?? [];
  }

  /**
   * All pages of a list, newest rows first. `pagesIn` reads the pages of one database in that order. With one database
   * they are passed through; otherwise they are merged into pages of at most `size` rows.
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

/** Merges streams that are newest first. A row that is in two streams is returned once. */
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
