import { countTrip } from "../core/work.ts";

/** A D1 database whose round trips count for the work that makes them. */
export function countTrips(d1: D1Database): D1Database {
  return {
    prepare: (query) => new CountedStatement(d1.prepare(query)),
    batch<Row>(statements: D1PreparedStatement[]) {
      countTrip();
      return d1.batch<Row>(statements.map((statement) => (statement instanceof CountedStatement ? statement.counted : statement)));
    },
    exec(query) {
      countTrip();
      return d1.exec(query);
    },
    withSession: (from) => d1.withSession(from),
    dump: () => d1.dump(),
  };
}

class CountedStatement implements D1PreparedStatement {
  readonly counted: D1PreparedStatement;

  constructor(counted: D1PreparedStatement) {
    this.counted = counted;
  }

  bind(...values: unknown[]): D1PreparedStatement {
    return new CountedStatement(this.counted.bind(...values));
  }

  first<Row>(column?: string): Promise<Row | null> {
    countTrip();
    return column === undefined ? this.counted.first<Row>() : this.counted.first<Row>(column);
  }

  run<Row>(): Promise<D1Result<Row>> {
    countTrip();
    return this.counted.run<Row>();
  }

  all<Row>(): Promise<D1Result<Row>> {
    countTrip();
    return this.counted.all<Row>();
  }

  raw<Row>(options: { columnNames: true }): Promise<[string[], ...Row[]]>;
  raw<Row>(options?: { columnNames?: false }): Promise<Row[]>;
  raw<Row>(options?: { columnNames?: boolean }): Promise<Row[] | [string[], ...Row[]]> {
    countTrip();
    return options?.columnNames === true ? this.counted.raw<Row>({ columnNames: true }) : this.counted.raw<Row>();
  }
}
