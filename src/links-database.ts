import type { CellCode } from "./core/cell-code.ts";
import { type Clock, systemClock } from "./core/clock.ts";
import { boundCells, type CellBindings } from "./db/cell-bindings.ts";
import { findById } from "./db/find-row.ts";
import { observeRoundTrips } from "./db/round-trips.ts";
import { createMovedCells, createPartnerLocations } from "./partners/locations.ts";
import type { FindTarget } from "./short-links/resolve-from-database.ts";
import { findTarget } from "./short-links/store.ts";

/** Counts the round trips. Nothing is written, so no migration is asked for. */
const read = (d1: D1Database) => observeRoundTrips(d1, () => null);

/**
 * Reads targets without the rest of the service: from the cell of the slug's code, or that to which its partner has moved.
 * A slug whose code names no cell costs no round trip. Throws if no cell is bound.
 */
export function openDatabase(bindings: CellBindings & { readonly DIRECTORY: D1Database }, clock: Clock = systemClock): FindTarget {
  const databases = boundCells(bindings);
  const directory = read(bindings.DIRECTORY);
  const deps = {
    cells: [...databases.keys()],
    inCell(cell: CellCode) {
      const d1 = databases.get(cell);
      if (d1 === undefined) throw new Error(`there is no cell ${cell}`);
      return read(d1);
    },
    locationOf: createPartnerLocations(directory, clock),
    movedCells: createMovedCells(directory, clock),
  };
  return async (slug) => (await findById(deps, slug, (cell) => findTarget(cell, slug)))?.found ?? null;
}
