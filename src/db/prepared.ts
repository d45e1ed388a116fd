import type { Database } from "./client.ts";

/** A value of a bound parameter. */
type Value = string | number | null;

/**
 * The texts of statements that are built once in the life of an isolate. Where a request is little more than its
 * statement, to build it anew costs as much as to run it.
 */
const texts = new Map<string, string>();

/**
 * A statement whose text was built once. `name` stands for the text: it must differ wherever the text does. `values` are
 * those of the parameters, in their order.
 */
export function prepareOnce(
  db: Database,
  name: string,
  build: () => { toSQL(): { readonly sql: string } },
  values: readonly Value[],
): D1PreparedStatement {
  const text = texts.get(name) ?? build().toSQL().sql;
  texts.set(name, text);
  return db.$client.prepare(text).bind(...values);
}
