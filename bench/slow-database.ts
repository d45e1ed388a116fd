/** A wrapper around a round trip. */
export type Around = <Answer>(trip: () => Promise<Answer>) => Promise<Answer>;

type Method = (...given: unknown[]) => Promise<unknown>;

/** A database with a wrapper around each round trip, which delays or times it. */
export function slowDatabase(database: D1Database, around: Around): D1Database {
  return {
    prepare: (sql: string) => slowStatement(database.prepare(sql), around),
    batch: (statements: D1PreparedStatement[]) => around(() => database.batch(statements)),
  } as unknown as D1Database;
}

function slowStatement(statement: D1PreparedStatement, around: Around): D1PreparedStatement {
  const bind = statement.bind.bind(statement);
  statement.bind = (...values: unknown[]) => slowStatement(bind(...values), around);
  const methods = statement as unknown as Record<string, Method>;
  for (const name of ["first", "run", "all", "raw"]) {
    const original = methods[name];
    if (original === undefined) throw new Error(`the statement has no method ${name}`);
    methods[name] = (...given) => around(() => original.apply(statement, given));
  }
  return statement;
}
