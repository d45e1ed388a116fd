import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { CellCode } from "../core/cell-code.ts";
import type { Directory } from "../db/client.ts";
import { cellsOf } from "../db/partner-data.ts";
import { earlierCells, partners } from "../db/schema/partners.ts";
import { EARLIER_CELLS, type PartnerLocation, readLocation } from "./read-location.ts";

/** The earlier cells of a partner as JSON, newest first, for a query of the query builder. */
export const EARLIER = sql<string>`(${sql.raw(EARLIER_CELLS)})`.as("earlier");

/** The ids of all partners. */
export async function allPartnerIds(directory: Directory): Promise<string[]> {
  return (await directory.select({ id: partners.id }).from(partners).all()).map(({ id }) => id);
}

const COLUMNS = {
  cell: partners.cell,
  idCode: partners.idCode,
  timeZone: partners.timeZone,
  expiredCheckouts: partners.expiredCheckouts,
  earlier: EARLIER,
};

/** The locations of all partners, by id. A partner with a damaged code is left out. */
export async function allLocations(directory: Directory): Promise<ReadonlyMap<string, PartnerLocation>> {
  const rows = await directory
    .select({ id: partners.id, ...COLUMNS })
    .from(partners)
    .all();
  return new Map(
    rows.flatMap((row) => {
      const location = readLocation(row);
      return location === null ? [] : [[row.id, location] as const];
    }),
  );
}

/** Which of a partner's cells have some rows: all, or the current one alone, to which the rows of some tables move whole. */
export type Cells = "all" | "current";

/** The partners whose data is in a cell, by the cell. A copy that a move makes or leaves behind is in another one. */
export async function partnersByCell(directory: Directory, which: Cells = "all"): Promise<(cell: CellCode) => readonly string[]> {
  const cellsWith = (location: PartnerLocation) => (which === "current" ? [location.cell] : cellsOf(location));
  const found = [...(await allLocations(directory))].flatMap(([id, location]) => cellsWith(location).map((cell) => ({ id, cell })));
  const byCell = Map.groupBy(found, ({ cell }) => cell);
  return (cell) => (byCell.get(cell) ?? []).map(({ id }) => id);
}

/** Some partners with data in a cell, or an earlier part of it, in id order, after a given one. */
export async function partnersOfCell(directory: Directory, cell: CellCode, after: string, limit: number): Promise<string[]> {
  const { partnerId } = earlierCells;
  const [own, split] = await directory.batch([
    directory
      .select({ id: partners.id })
      .from(partners)
      .where(and(eq(partners.cell, cell), gt(partners.id, after)))
      .orderBy(asc(partners.id))
      .limit(limit),
    directory
      .select({ id: partnerId })
      .from(earlierCells)
      .where(and(eq(earlierCells.cell, cell), gt(partnerId, after)))
      .orderBy(asc(partnerId))
      .limit(limit),
  ]);
  const ids = [...own, ...split].map(({ id }) => id);
  return ids.toSorted().slice(0, limit);
}

/** The number of partners of each cell; no entry for a cell without partners. */
export async function countPartnersByCell(directory: Directory): Promise<ReadonlyMap<string, number>> {
  const counts = await directory.select({ cell: partners.cell, count: sql<number>`count(*)` }).from(partners).groupBy(partners.cell).all();
  return new Map(counts.map(({ cell, count }) => [cell, count]));
}

/** The disabled partners, each with its cell. By index. */
export async function disabledPartners(directory: Directory) {
  // The text must match the condition of the partial index.
  const isDisabled = and(sql`status = 'disabled'`, gt(partners.id, ""));
  return directory.select({ id: partners.id, cell: partners.cell }).from(partners).where(isDisabled).all();
}

/**
 * Sets the current cell of a partner, unless it is set already. `splitAt`: rows until then stay in the old cell; null
 * if all moved.
 */
export async function setCell(
  directory: Directory,
  partnerId: string,
  { from, to, splitAt }: { readonly from: string; readonly to: CellCode; readonly splitAt: number | null },
): Promise<void> {
  const isThere = and(eq(partners.id, partnerId), eq(partners.cell, from));
  const earlier = sql`SELECT ${partnerId}, ${from}, ${splitAt} WHERE ${splitAt} IS NOT NULL AND EXISTS (SELECT 1 FROM ${partners} WHERE ${isThere})`;
  await directory.batch([
    directory.insert(earlierCells).select(earlier).onConflictDoNothing(),
    directory.update(partners).set({ cell: to }).where(isThere),
  ]);
}
