import { type CellCode, firstCellOf, type IdCode, idCodeIn } from "../core/cell-code.ts";
import { cellsOf, type PartnerCells } from "./partner-data.ts";

/** A row with its owner. */
interface Owned {
  readonly partnerId: string;
}

/** A row and the cell that has it. */
export interface FoundRow<Own, Row> {
  readonly cell: Own;
  readonly found: Row;
}

type Find<Own, Row> = (cell: Own) => Promise<Row | undefined>;

/** Finds a row by one of our ids, with its cell; null if no cell has it. */
export type FindById<Own> = <Row extends Owned>(id: string, find: Find<Own, Row>) => Promise<FoundRow<Own, Row> | null>;

/** Finds a row by one of the processor's ids. Such an id names no cell, so all cells are asked. */
export type FindAnywhere<Own> = <Row extends Owned>(find: Find<Own, Row>) => Promise<FoundRow<Own, Row> | null>;

/** The further cells of the partners with an id code. `fresh`: read now, not from the isolate's memory. */
export type MovedCells = (code: IdCode, how: { readonly fresh: boolean }) => Promise<readonly CellCode[]>;

/** The location of a partner; null for an unknown partner. `fresh`: as for {@link MovedCells}. */
type FindPartnerLocation = (partnerId: string, how: { readonly fresh: boolean }) => Promise<PartnerCells | null>;

interface Cells<Own> {
  readonly cells: readonly CellCode[];
  readonly inCell: (cell: CellCode) => Own;
  readonly locationOf: FindPartnerLocation;
}

/**
 * Finds a row by one of our ids: in the original cell of its id code, or in a cell to which partners with this code
 * have moved. One round trip to each of these cells and, once a minute, one to the directory, in parallel.
 */
export async function findById<Own, Row extends Owned>(
  deps: Cells<Own> & { readonly movedCells: MovedCells },
  id: string,
  find: Find<Own, Row>,
): Promise<FoundRow<Own, Row> | null> {
  const code = idCodeIn(id);
  if (code === null) return null;
  const first = firstCellOf(code);
  // If the directory is unreachable, the original cell is used: it refuses writes for partners that have left it.
  const known = deps.movedCells(code, { fresh: false }).catch((): readonly CellCode[] => []);
  const [names, begun, moved] = await Promise.all([known, askIn(deps, [first], find), known.then((cells) => askIn(deps, cells, find))]);
  const own = await theOwn(deps, [...begun, ...moved], names.length === 0);
  if (own !== null) return own;
  // Not found with this isolate's list of moved partners. A partner may have moved a moment ago, so the list is read again.
  const others = await deps.movedCells(code, { fresh: true });
  return others.length === 0 ? null : theOwn(deps, await askIn(deps, [...new Set([first, ...others])], find), false);
}

/** Finds a row by an id that names no cell. One round trip to each cell, in parallel. */
export async function findAnywhere<Own, Row extends Owned>(deps: Cells<Own>, find: Find<Own, Row>): Promise<FoundRow<Own, Row> | null> {
  return theOwn(deps, await askIn(deps, deps.cells, find), deps.cells.length === 1);
}

/** The answer of one cell. */
type Answer<Own, Row> =
  | { readonly name: CellCode; readonly hit: FoundRow<Own, Row> | null }
  | { readonly name: CellCode; readonly failure: unknown };

function askIn<Own, Row>(
  { cells, inCell }: Pick<Cells<Own>, "cells" | "inCell">,
  names: readonly CellCode[],
  find: Find<Own, Row>,
): Promise<Answer<Own, Row>[]> {
  const bound = names.filter((name) => cells.includes(name));
  return Promise.all(
    bound.map(async (name): Promise<Answer<Own, Row>> => {
      try {
        const cell = inCell(name);
        const found = await find(cell);
        return { name, hit: found === undefined ? null : { cell, found } };
      } catch (failure) {
        return { name, failure };
      }
    }),
  );
}

/**
 * The row in the newest cell of its partner. During a move and for a while afterwards, two cells have the row. An
 * unreachable cell only matters if no other cell has the row.
 */
async function theOwn<Own, Row extends Owned>(
  { locationOf }: Pick<Cells<Own>, "locationOf">,
  answers: readonly Answer<Own, Row>[],
  isSure: boolean,
): Promise<FoundRow<Own, Row> | null> {
  const hits = answers.flatMap((answer) => ("hit" in answer && answer.hit !== null ? [{ name: answer.name, hit: answer.hit }] : []));
  const [only] = hits;
  if (only !== undefined && isSure) return only.hit;
  for (const fresh of only === undefined ? [] : [false, true]) {
    const own = await Promise.all(
      hits.map(async ({ name, hit }) => {
        const location = await locationOf(hit.found.partnerId, { fresh });
        return { hit, age: location === null ? -1 : cellsOf(location).indexOf(name) };
      }),
    );
    const [newest] = own.filter(({ age }) => age >= 0).toSorted((left, right) => left.age - right.age);
    if (newest !== undefined) return newest.hit;
  }
  const failed = answers.find((answer) => "failure" in answer);
  if (failed !== undefined && "failure" in failed) throw failed.failure;
  return null;
}
