import { type CellCode, cellCodeOf } from "../core/cell-code.ts";

/** The bindings of the cells: `CELL_1`, `CELL_2` and so on, without a gap. */
export interface CellBindings {
  readonly CELL_1: D1Database;
  readonly [binding: `CELL_${number}`]: D1Database;
}

/** The databases of all cells, by code. Throws if there is none, or if a number is missing. */
export function boundCells(bindings: CellBindings): ReadonlyMap<CellCode, D1Database> {
  const cells = new Map<CellCode, D1Database>();
  for (let number = 1; ; number += 1) {
    const d1 = bindings[`CELL_${number}`];
    if (d1 === undefined) break;
    cells.set(cellCodeOf(number), d1);
  }
  if (cells.size === 0) throw new Error("There is no cell: bind a D1 database as CELL_1");
  const bound = Object.keys(bindings).filter((name) => /^CELL_\d+$/.test(name));
  if (bound.length > cells.size) throw new Error(`The cells must be bound without a gap, and are ${bound.toSorted().join(", ")}`);
  return cells;
}
