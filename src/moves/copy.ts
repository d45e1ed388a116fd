import type { Cell } from "../db/client.ts";
import {
  atRest,
  between,
  deletesOf,
  insertsInto,
  insertsOf,
  keyAfter,
  type Rows,
  readRows,
  unfinishedAfter,
  withKeys,
} from "../db/kind-rows.ts";
import { countsOf, type MovedKind, movedKinds, movedSums } from "../db/moved-rows.ts";
import { changedOf, changesSince, forgetChanges, type IncomingMove, writeToTarget } from "./store.ts";

/** The two cells of a move. */
export interface Cells {
  readonly source: Cell;
  readonly target: Cell;
}

/** Rows of any partner that one step of a walk reads; and changed or unfinished rows that are copied at once. */
export const ROWS_PER_STEP = 1_000;
export const ROWS_AT_ONCE = 300;

/** Whether a walk skips a kind of rows, because they stay in the old cell. */
export const isLeft = ({ splits }: IncomingMove, { stays }: MovedKind) => splits && stays;

/** The position after this key; null is the end of the kind's table. */
export function nextPosition({ kind }: IncomingMove, end: string | null): Pick<IncomingMove, "kind" | "position"> {
  return end === null ? { kind: kind + 1, position: "" } : { kind, position: end };
}

/** The last key of a step: neither cell has more rows until there. Null if both tables end before it. */
async function endOfStep({ source, target }: Cells, kind: MovedKind, position: string): Promise<string | null> {
  const [mine, theirs] = await Promise.all([source, target].map((db) => keyAfter(db, kind, position, ROWS_PER_STEP)));
  if (mine == null || theirs == null) return mine ?? theirs ?? null;
  const isFirst = kind.isNumber ? Number(mine) < Number(theirs) : mine < theirs;
  return isFirst ? mine : theirs;
}

/**
 * One step of the walk that copies all finished rows and replaces existing copies. Returns the updated move; null at
 * the end of the walk.
 */
export async function copyStep({ source, target }: Cells, held: IncomingMove): Promise<IncomingMove | null> {
  const kind = movedKinds[held.kind];
  if (kind === undefined) return null;
  if (isLeft(held, kind)) return writeToTarget(target, held, [], nextPosition(held, null));
  const { partnerId, position } = held;
  const end = await endOfStep({ source, target }, kind, position);
  const range = between(kind, position, end);
  const rows = await readRows(source, kind, partnerId, atRest(kind, range));
  const statements = [...deletesOf(target, kind, partnerId, range), ...insertsOf(target, kind, rows)];
  return writeToTarget(target, held, statements, { ...nextPosition(held, end), copied: held.copied + rows.rows.size });
}

/**
 * One step of the walk that compares all finished rows with their copies. A row that differs without a noted change is
 * copied again, and counted. Returns null at the end of the walk.
 */
export async function compareStep({ source, target }: Cells, held: IncomingMove): Promise<IncomingMove | null> {
  const kind = movedKinds[held.kind];
  if (kind === undefined) return null;
  if (isLeft(held, kind)) return writeToTarget(target, held, [], nextPosition(held, null));
  const { partnerId, position } = held;
  const end = await endOfStep({ source, target }, kind, position);
  const range = between(kind, position, end);
  // The copies are read first: a change in between is noted before the notes are read.
  const copies = await readRows(target, kind, partnerId, range);
  const rows = await readRows(source, kind, partnerId, atRest(kind, range));
  const gone = [...copies.rows.keys()].filter((key) => !rows.rows.has(key));
  const other = [...differing(kind, rows, copies), ...(await notIn(source, kind, partnerId, gone))];
  const changed = other.length === 0 ? new Set<string>() : await changedOf(source, partnerId, kind.table.name, other);
  const wrong = other.filter((key) => !changed.has(key));
  const statements = wrong.length === 0 ? [] : await copiesOf({ source, target }, kind, partnerId, wrong);
  return writeToTarget(target, held, statements, { ...nextPosition(held, end), differing: held.differing + wrong.length });
}

/** The keys whose row, or a child of it, differs from its copy. */
function differing(kind: MovedKind, mine: Rows, theirs: Rows): string[] {
  const theirTexts = textsOf(kind, theirs);
  return [...textsOf(kind, mine)].flatMap(([key, text]) => (theirTexts.get(key) === text ? [] : [key]));
}

/** The content of a row and its children, by key. */
function textsOf(kind: MovedKind, { rows, children }: Rows): ReadonlyMap<string, string> {
  const byOwner = children.map((child, index) => Map.groupBy(child, (row) => row[kind.children[index]?.column ?? ""]));
  return new Map(
    [...rows].map(([key, row]) => {
      const own = byOwner.map((groups, index) => groups.get(row[kind.children[index]?.of ?? ""] ?? null) ?? []);
      return [key, JSON.stringify([row, own.map((child) => child.map((one) => JSON.stringify(one)).toSorted())])];
    }),
  );
}

/** Copies without a finished row, of which the row itself no longer exists. */
async function notIn(source: Cell, kind: MovedKind, partnerId: string, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  const { rows } = await readRows(source, kind, partnerId, withKeys(kind, keys));
  return keys.filter((key) => !rows.has(key));
}

/** The statements that update some copies to the current rows. Unfinished rows are copied at the end. */
async function copiesOf({ source, target }: Cells, kind: MovedKind, partnerId: string, keys: readonly string[]) {
  const gone = await notIn(source, kind, partnerId, keys);
  const rows = await readRows(source, kind, partnerId, atRest(kind, withKeys(kind, keys)));
  return [...deletesOf(target, kind, partnerId, withKeys(kind, [...gone, ...rows.rows.keys()])), ...insertsOf(target, kind, rows)];
}

/** Copies some of the changed rows again. Returns whether no changed row is left. */
export async function copyChanges({ source, target }: Cells, held: IncomingMove): Promise<boolean> {
  const { partnerId } = held;
  const changes = await changesSince(source, partnerId, ROWS_AT_ONCE);
  const last = changes.at(-1);
  if (last === undefined) return true;
  const statements: D1PreparedStatement[] = [];
  for (const [name, ofTable] of Map.groupBy(changes, (change) => change.name)) {
    const kind = movedKinds.find(({ table }) => table.name === name);
    if (kind === undefined) throw new Error(`a change of ${name} was noted, whose rows do not move`);
    if (isLeft(held, kind)) continue;
    const keys = [...new Set(ofTable.map(({ key }) => key))];
    statements.push(...(await copiesOf({ source, target }, kind, partnerId, keys)));
  }
  await writeToTarget(target, held, statements);
  await forgetChanges(source, held, last.seq);
  return false;
}

/**
 * One step of the walk that copies unfinished rows, each once, because the new cell may continue with it at once.
 * Returns null at the end of the walk.
 */
export async function finishStep({ source, target }: Cells, held: IncomingMove): Promise<IncomingMove | null> {
  const kind = movedKinds[held.kind];
  if (kind === undefined) return null;
  const { partnerId, position } = held;
  const unfinished = unfinishedAfter(kind, held.splits, position, ROWS_AT_ONCE);
  if (unfinished === null) return writeToTarget(target, held, [], nextPosition(held, null));
  const rows = await readRows(source, kind, partnerId, unfinished);
  const keys = [...rows.rows.keys()];
  const statements = [...deletesOf(target, kind, partnerId, withKeys(kind, keys)), ...insertsOf(target, kind, rows)];
  return writeToTarget(target, held, statements, { ...nextPosition(held, keys.at(-1) ?? null), copied: held.copied + keys.length });
}

/** The statements that copy the daily counts. */
export async function copiesOfCounts({ source, target }: Cells, { partnerId, splits }: IncomingMove): Promise<D1PreparedStatement[]> {
  const counts = countsOf(splits);
  const found = await source.$client.batch<Record<string, string | number | null>>(
    counts.map(({ name, columns }) => source.$client.prepare(`SELECT ${columns.join()} FROM ${name} WHERE partner_id = ?`).bind(partnerId)),
  );
  return counts.flatMap((table, index) => [
    target.$client.prepare(`DELETE FROM ${table.name} WHERE partner_id = ?`).bind(partnerId),
    ...insertsInto(target, table, found[index]?.results ?? []),
  ]);
}

/** Whether the sums of payments match in both cells. In a split, payments stay in the old cell. */
export async function haveSameSums({ source, target }: Cells, { partnerId, splits }: IncomingMove): Promise<boolean> {
  if (splits) return true;
  const sumsIn = async ({ $client }: Cell) => {
    const results = await $client.batch(movedSums.map((text) => $client.prepare(text).bind(partnerId)));
    return JSON.stringify(results.map((one) => one.results));
  };
  const [mine, theirs] = await Promise.all([sumsIn(source), sumsIn(target)]);
  return mine === theirs;
}

/** Whether an operation or a delivery that started after a time is in progress. */
export async function isBusy({ $client }: Cell, partnerId: string, after: number): Promise<boolean> {
  const found = await $client.batch(
    movedKinds.flatMap(({ table, busy }) =>
      busy === null
        ? []
        : [$client.prepare(`SELECT 1 FROM ${table.name} WHERE +partner_id = ?1 AND ${busy} LIMIT 1`).bind(partnerId, after)],
    ),
  );
  return found.some(({ results }) => results.length > 0);
}
