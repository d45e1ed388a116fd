import type { CellCode } from "../core/cell-code.ts";
import type { Cell, NamedCell } from "./client.ts";
import type { FoundRow } from "./find-row.ts";
import { deletesOf, insertsOf, keysOf, readRows, type Selection, withKeys } from "./kind-rows.ts";
import { type MovedKind, movedKinds } from "./moved-rows.ts";
import { cellsOf, type PartnerCells } from "./partner-data.ts";

/** The kinds of rows that may still change after their partner was split by time. */
export type PulledTable = "idempotency_records" | "payment_links" | "promotion_codes" | "movements" | "orders" | "bank_payments" | "events";

/**
 * Moves rows from an earlier cell of their partner to its current one, the only one that is written. Rows are inserted
 * in the current cell before they are deleted in the earlier one, so a reader that asks the earlier cell first cannot
 * miss them. After a crash in between, the copy in the current cell counts. Existing rows stay unchanged. Returns the
 * number of rows in the earlier cell. Four D1 round trips, or one.
 */
export async function pullRows(
  { from, to }: { readonly from: Cell; readonly to: Cell },
  table: PulledTable,
  partnerId: string,
  selection: (kind: MovedKind) => Selection,
): Promise<number> {
  const kind = kindOf(table);
  const found = await readRows(from, kind, partnerId, selection(kind));
  if (found.rows.size === 0) return 0;
  await to.$client.batch(insertsOf(to, kind, found, "INSERT OR IGNORE"));
  // A row that another one there keeps out stays where it is: a promotion code, where an active one has its text.
  const there = await keysOf(to, kind, partnerId, withKeys(kind, [...found.rows.keys()]));
  await from.$client.batch(deletesOf(from, kind, partnerId, withKeys(kind, there)));
  return found.rows.size;
}

function kindOf(table: PulledTable): MovedKind {
  const kind = movedKinds.find(({ table: { name } }) => name === table);
  if (kind === undefined) throw new Error(`${table} has no rows of partners`);
  return { ...kind, children: kind.children.filter(({ isCount }) => !isCount) };
}

type Known<Row> = FoundRow<NamedCell, Row>;

/** Moves a found row to its partner's current cell, where it may be changed. `key` is the key of the row. */
export type PullToCurrentCell<Own> = <Row extends { readonly partnerId: string }>(
  table: PulledTable,
  key: string,
  known: Known<Row>,
) => Promise<FoundRow<Own, Row>>;

interface PullDeps<Own> {
  readonly cells: readonly CellCode[];
  readonly inCell: (cell: CellCode) => Own;
  readonly locationOf: (partnerId: string) => Promise<PartnerCells | null>;
}

/**
 * {@link PullToCurrentCell}. One D1 round trip to the directory per minute. If the partner was split, one more to each
 * earlier cell, and three more if an earlier cell has the row. A row of the current cell is treated the same way: a copy
 * may be left in the earlier cell.
 */
export async function pullToCurrentCell<Own extends { readonly db: Cell }, Row extends { readonly partnerId: string }>(
  { cells, inCell, locationOf }: PullDeps<Own>,
  table: PulledTable,
  key: string,
  { cell: { databaseName }, found }: Known<Row>,
): Promise<FoundRow<Own, Row>> {
  const location = cells.length === 1 ? null : await locationOf(found.partnerId);
  // The row is in another cell if the partner moved and this isolate does not know it yet.
  if (location === null || location.earlier.length === 0 || !cellsOf(location).includes(databaseName))
    return { cell: inCell(databaseName), found };
  const cell = inCell(location.cell);
  for (const earlier of location.earlier) {
    const from = inCell(earlier.cell).db;
    await pullRows({ from, to: cell.db }, table, found.partnerId, (kind) => withKeys(kind, [key]));
  }
  return { cell, found };
}
