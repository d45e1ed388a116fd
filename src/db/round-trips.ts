import { countRoundTrip } from "../core/trace.ts";

/** Runs before a round trip; null if there is nothing to do. @throws if the round trip is not allowed */
export type BeforeRoundTrip = (isWrite: boolean) => Promise<void> | null;

/** A D1 database that counts its round trips in the current trace and runs `before` ahead of each one. */
export function observeRoundTrips(d1: D1Database, before: BeforeRoundTrip): D1Database {
  const trip: MakeTrip = (isWrite, make) => {
    countRoundTrip();
    return before(isWrite)?.then(make) ?? make();
  };
  return {
    prepare: (query) => new WatchedStatement(d1.prepare(query), !READS.test(query), trip),
    batch<Row>(statements: D1PreparedStatement[]) {
      const watched = statements.map((statement) => (statement instanceof WatchedStatement ? statement : null));
      const isWrite = watched.some((statement) => statement?.isWrite ?? true);
      return trip(isWrite, () => d1.batch<Row>(statements.map((statement, index) => watched[index]?.watched ?? statement)));
    },
    exec: (query) => trip(true, () => d1.exec(query)),
    withSession: (from) => d1.withSession(from),
    dump: () => d1.dump(),
  };
}

/** Any other statement may write. */
const READS = /^\s*(SELECT|EXPLAIN|PRAGMA)\b/i;

type MakeTrip = <Result>(isWrite: boolean, make: () => Promise<Result>) => Promise<Result>;

class WatchedStatement implements D1PreparedStatement {
  readonly watched: D1PreparedStatement;
  readonly isWrite: boolean;
  readonly #trip: MakeTrip;

  constructor(watched: D1PreparedStatement, isWrite: boolean, trip: MakeTrip) {
    this.watched = watched;
    this.isWrite = isWrite;
    this.#trip = trip;
  }

  bind(...values: unknown[]): D1PreparedStatement {
    return new WatchedStatement(this.watched.bind(...values), this.isWrite, this.#trip);
  }

  first<Row>(column?: string): Promise<Row | null> {
    return this.#trip(this.isWrite, () => (column === undefined ? this.watched.first<Row>() : this.watched.first<Row>(column)));
  }

  run<Row>(): Promise<D1Result<Row>> {
    return this.#trip(this.isWrite, () => this.watched.run<Row>());
  }

  all<Row>(): Promise<D1Result<Row>> {
    return this.#trip(this.isWrite, () => this.watched.all<Row>());
  }

  raw<Row>(options: { columnNames: true }): Promise<[string[], ...Row[]]>;
  raw<Row>(options?: { columnNames?: false }): Promise<Row[]>;
  raw<Row>(options?: { columnNames?: boolean }): Promise<Row[] | [string[], ...Row[]]> {
    return this.#trip<Row[] | [string[], ...Row[]]>(this.isWrite, () =>
      options?.columnNames === true ? this.watched.raw<Row>({ columnNames: true }) : this.watched.raw<Row>(),
    );
  }
}
