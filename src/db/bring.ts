import type { CellCode } from "../core/cell-code.ts";
import type { Cell } from "./client.ts";
import type { InCell } from "./find-in-cell.ts";
import { deletesOf, insertsOf, readRows, type Selection, withKeys } from "./kind-rows.ts";
import { type MovedKind, movedKinds } from "./moved-rows.ts";
import { cellsOf, type EarlierCell } from "./parts.ts";

/** The kinds of rows that something may still happen to after their partner was split. */
export type BroughtTable = "idempotency_records" | "payment_links" | "promotion_codes" | "movements" | "bank_payments" | "events";

/**
 * Brings rows from an earlier cell of their partner to its newest one, which alone is written. They are there first, and deleted
 * here afterwards: so nobody who asks this cell before that one misses them, and a cut in between leaves a copy that nobody
 * believes. Rows that are there already stay as they are. Returns how many were here. Three D1 round trips, or one.
 */
export async function bringRows(
  { from, to }: { readonly from: Cell; readonly to: Cell },
  table: BroughtTable,
  partnerId: string,
  selection: (kind: MovedKind) => Selection,
): Promise<number> {
  const kind = kindOf(table);
  const found = await readRows(from, kind, partnerId, selection(kind));
  if (found.rows.size === 0) return 0;
  await to.$client.batch(insertsOf(to, kind, found, "INSERT OR IGNORE"));
  await from.$client.batch(deletesOf(from, kind, partnerId, withKeys(kind, [...found.rows.keys()])));
  return found.rows.size;
}

function kindOf(table: BroughtTable): MovedKind {
  const kind = movedKinds.find(({ table: { name } }) => name === table);
  if (kind === undefined) throw new Error(`${table} has no rows of partners`);
  return kind;
}

/** What was found, and where. */
type Known<Row> = InCell<{ readonly place: CellCode; readonly db: Cell }, Row>;

/** A row with the cell where it may be changed: its partner's newest, to which it was brought. `key` is that of the row. */
export type BringHome<CellDeps> = <Row extends { readonly partnerId: string }>(
  table: BroughtTable,
  key: string,
  known: Known<Row>,
) => Promise<InCell<CellDeps, Row>>;

interface BringDeps<CellDeps> {
  readonly cells: readonly CellCode[];
  readonly inCell: (cell: CellCode) => CellDeps;
  readonly homeOf: (partnerId: string) => Promise<{ readonly cell: CellCode; readonly earlier: readonly EarlierCell[] } | null>;
}

/**
 * {@link BringHome}. One D1 round trip to the directory in a minute. If the partner was split, one more to each of its earlier cells,
 * and two where the row is: also where the newest cell has it, because it may have been brought there and not been deleted.
 */
export async function bringHome<CellDeps extends { readonly db: Cell }, Row extends { readonly partnerId: string }>(
  { cells, inCell, homeOf }: BringDeps<CellDeps>,
  table: BroughtTable,
  key: string,
  { cell: { place }, found }: Known<Row>,
): Promise<InCell<CellDeps, Row>> {
  const home = cells.length === 1 ? null : await homeOf(found.partnerId);
  // It is elsewhere where this isolate does not know yet that its partner has moved.
  if (home === null || home.earlier.length === 0 || !cellsOf(home).includes(place)) return { cell: inCell(place), found };
  const cell = inCell(home.cell);
  for (const earlier of home.earlier) {
    const from = inCell(earlier.cell).db;
    await bringRows({ from, to: cell.db }, table, found.partnerId, (kind) => withKeys(kind, [key]));
  }
  return { cell, found };
}
