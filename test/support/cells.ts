import { env } from "cloudflare:workers";
import type { Homes } from "../../sandbox/fixtures.ts";
import { buildDeps } from "../../src/build-deps.ts";
import { type CellCode, cellCodeOf, cellNumberOf, newIdCode } from "../../src/core/cell-code.ts";
import type { MessageQueue } from "../../src/core/message-queue.ts";
import { connectCells } from "../../src/db/cells.ts";
import type { CellDeps } from "../../src/deps.ts";

/** The cell of acme, and of all partners where there is but one. */
export const CELL = cellCodeOf(1);

/** All cells of the Worker, from the first on. */
export const cells: readonly D1Database[] = [...connectCells(env).keys()].map((code) => bound(code));

function bound(code: CellCode): D1Database {
  const database = env[`CELL_${cellNumberOf(code)}`];
  if (database === undefined) throw new Error(`cell ${code} is not bound`);
  return database;
}

/** Where the fixtures' partners are: neighbours are in different cells, as far as there are any. */
export const homes: Homes = Object.fromEntries(
  ["acme", "globex", "initech"].map((partner, index) => [partner, cellCodeOf(1 + (index % cells.length))]),
);

/** What their ids begin with. */
export const ID_CODE = newIdCode(CELL);

/** The database with the data of a partner of the fixtures, or of one that a test made: those are in the first cell. */
export const cellOf = (partnerId: string): D1Database => bound(homes[partnerId] ?? CELL);

/** Further cells, each of which costs a trip where it has to be asked too. */
export const FURTHER_CELLS = cells.length - 1;

/** The bindings with the first cell alone, for a test that says how many there are. */
export const ONE_CELL = Object.fromEntries(Object.entries(env).filter(([name]) => !/^CELL_([2-9]|\d{2,})$/.test(name))) as typeof env;

/** Before a test of moves: all partners are in the first cell. */
export async function allInFirstCell(): Promise<void> {
  await env.DIRECTORY.prepare("UPDATE partners SET cell = ?1, id_code = ?1").bind(CELL).run();
}

/** The dependencies with the data of that cell. */
export const cellDeps = (): CellDeps => buildDeps(env).inCell(CELL);

/** The dependencies with the data of each cell beside that one. */
export const furtherCellDeps = (): CellDeps[] => {
  const deps = buildDeps(env);
  return deps.cells.filter((cell) => cell !== CELL).map((cell) => deps.inCell(cell));
};

/** The same, with another queue for the processor's events: wherever they are stored, it gets the messages. */
export function withEventQueue(processorEventQueue: MessageQueue): CellDeps {
  const deps = cellDeps();
  return { ...deps, processorEventQueue, inDatabase: (databaseName) => ({ ...deps.inDatabase(databaseName), processorEventQueue }) };
}

/** A queue that loses every message. */
export const losingQueue: MessageQueue = { send: () => Promise.resolve() };
