import type { CellCode } from "../core/cell-code.ts";
import { boundCells, type CellBindings } from "./cell-bindings.ts";
import { type Cell, connectCell } from "./client.ts";
import { requireMigrations } from "./migrations.ts";
import { observeRoundTrips } from "./round-trips.ts";

/** Connects all cells, by code. Throws if there is none, or if a number is missing. */
export function connectCells(bindings: CellBindings): ReadonlyMap<CellCode, Cell> {
  const connected = [...boundCells(bindings)].map(
    ([code, d1]) => [code, connectCell(observeRoundTrips(d1, requireMigrations(d1, code)))] as const,
  );
  return new Map(connected);
}
