import * as z from "zod";
import type { Cell } from "./client.ts";
import type { MovedKind, MovedTable } from "./moved-rows.ts";

/** A row as it is stored, by the names of its columns. */
const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
type Row = z.infer<typeof rowSchema>;

/** Some rows of one kind, with their child rows. */
export interface Rows {
  /** By key. */
  readonly rows: ReadonlyMap<string, Row>;
  /** The child rows, one list for each child table. */
  readonly children: readonly (readonly Row[])[];
}

/** A selection of a partner's rows: a condition, where `?1` is the partner, and `?2` and so on are the parameters. */
export interface Selection {
  readonly where: string;
  readonly parameters: readonly string[];
}

/** A value in the type of the kind's key. */
const keyOf = ({ isNumber }: MovedKind, value: string) => (isNumber ? `CAST(${value} AS INTEGER)` : value);

/**
 * Rows are found by key. The plus keeps SQLite from using the index by partner, which would scan all of the partner's
 * rows at each step.
 */
const ofPartner = "+partner_id = ?1";

/** The rows after a key, up to another. */
export function between(kind: MovedKind, after: string, until: string | null): Selection {
  const from = `${kind.key} > ${keyOf(kind, "?2")}`;
  return until === null
    ? { where: from, parameters: [after] }
    : { where: `${from} AND ${kind.key} <= ${keyOf(kind, "?3")}`, parameters: [after, until] };
}

export function withKeys(kind: MovedKind, keys: readonly string[]): Selection {
  return { where: `${kind.key} IN (SELECT ${keyOf(kind, "value")} FROM json_each(?2))`, parameters: [JSON.stringify(keys)] };
}

/** The rows of a selection without pending work. A row of which that is not known, for a column without a value, is at rest. */
export function atRest({ unfinished }: MovedKind, { where, parameters }: Selection): Selection {
  return { where: [where, ...unfinished.map((one) => `(${one.where}) IS NOT TRUE`)].join(" AND "), parameters };
}

/**
 * The first unfinished row after a key, found by the small partial indexes of pending work. If the partner is split
 * (`splits`), rows that unfinished rows of other kinds need are included, by key. Null if the kind has no unfinished
 * rows.
 */
export function unfinishedAfter(kind: MovedKind, splits: boolean, after: string, limit: number): Selection | null {
  const { table, key, isNumber, unfinished, needed } = kind;
  const each = unfinished.map(
    ({ index, where }) => `SELECT ${key} FROM ${table.name} INDEXED BY ${index} WHERE partner_id = ?1 AND ${where}`,
  );
  if (splits && needed !== null) each.push(`SELECT ${key} FROM ${table.name} WHERE ${ofPartner} AND ${needed}`);
  if (each.length === 0) return null;
  const from = isNumber ? "CAST(?2 AS INTEGER)" : "?2";
  const first = `SELECT ${key} FROM (${each.join(" UNION ")}) WHERE ${key} > ${from} ORDER BY ${key} LIMIT ${limit}`;
  return { where: `${key} IN (${first})`, parameters: [after] };
}

/** The rows of a selection, with their children. One D1 round trip. */
export async function readRows({ $client }: Cell, kind: MovedKind, partnerId: string, selection: Selection): Promise<Rows> {
  const { table, key, children } = kind;
  const from = `FROM ${table.name} WHERE ${ofPartner} AND ${selection.where}`;
  const values = [partnerId, ...selection.parameters];
  const [roots, ...others] = await $client.batch([
    $client.prepare(`SELECT ${table.columns.join()} ${from} ORDER BY ${key}`).bind(...values),
    ...children.map(({ table: child, column, of }) =>
      $client.prepare(`SELECT ${child.columns.join()} FROM ${child.name} WHERE ${column} IN (SELECT ${of} ${from})`).bind(...values),
    ),
  ]);
  const rows = rowsOf(roots).map((row) => [String(row[key]), row] as const);
  return { rows: new Map(rows), children: others.map(rowsOf) };
}

/** The keys of a selection, in their order. One D1 round trip. */
export async function keysOf({ $client }: Cell, { table, key }: MovedKind, partnerId: string, selection: Selection): Promise<string[]> {
  const text = `SELECT ${key} AS key FROM ${table.name} WHERE ${ofPartner} AND ${selection.where} ORDER BY ${key}`;
  const found = await $client
    .prepare(text)
    .bind(partnerId, ...selection.parameters)
    .all();
  return rowsOf(found).map((row) => String(row.key));
}

const rowsOf = (result: D1Result | undefined) => z.array(rowSchema).parse(result?.results ?? []);

/** The key of the row that is this many rows after another one, of any partner; null at the end of the table. */
export async function keyAfter({ $client }: Cell, kind: MovedKind, after: string, count: number): Promise<string | null> {
  const from = `FROM ${kind.table.name} WHERE ${kind.key} > ${keyOf(kind, "?")}`;
  const text = `SELECT ${kind.key} AS key ${from} ORDER BY ${kind.key} LIMIT 1 OFFSET ${count - 1}`;
  const row = await $client.prepare(text).bind(after).first();
  return row === null ? null : String(row.key);
}

/** A string parameter holds two million bytes. A character may take several bytes. */
const MAX_CHARACTERS = 400_000;

/** Statements that insert rows and their children into a cell that has none of them. */
export function insertsOf(
  db: Cell,
  kind: MovedKind,
  { rows, children }: Rows,
  verb: "INSERT" | "INSERT OR IGNORE" = "INSERT",
): D1PreparedStatement[] {
  return [
    ...insertsInto(db, kind.table, [...rows.values()], verb),
    // A notification may already be there: it can arrive before its payment is stored.
    ...kind.children.flatMap(({ table }, index) => insertsInto(db, table, children[index] ?? [], "INSERT OR REPLACE")),
  ];
}

export function insertsInto(
  { $client }: Cell,
  { name, columns }: MovedTable,
  rows: readonly Row[],
  verb: "INSERT" | "INSERT OR IGNORE" | "INSERT OR REPLACE" = "INSERT",
): D1PreparedStatement[] {
  const values = columns.map((column) => `value ->> '$.${column}'`).join();
  const text = `${verb} INTO ${name} (${columns.join()}) SELECT ${values} FROM json_each(?)`;
  return inChunks(rows).map((chunk) => $client.prepare(text).bind(chunk));
}

/** JSON arrays of rows, each short enough for a parameter. */
function inChunks(rows: readonly Row[]): string[] {
  const chunks: string[][] = [];
  let room = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (text.length > room) {
      chunks.push([]);
      room = MAX_CHARACTERS;
    }
    chunks.at(-1)?.push(text);
    room -= text.length;
  }
  return chunks.map((chunk) => `[${chunk.join()}]`);
}

/** Statements that delete rows and their children. */
export function deletesOf({ $client }: Cell, kind: MovedKind, partnerId: string, selection: Selection): D1PreparedStatement[] {
  const from = `FROM ${kind.table.name} WHERE ${ofPartner} AND ${selection.where}`;
  const values = [partnerId, ...selection.parameters];
  return [
    ...kind.children.map(({ table, column, of }) =>
      $client.prepare(`DELETE FROM ${table.name} WHERE ${column} IN (SELECT ${of} ${from})`).bind(...values),
    ),
    $client.prepare(`DELETE ${from}`).bind(...values),
  ];
}
