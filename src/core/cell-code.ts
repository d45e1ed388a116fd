import * as z from "zod";

/** All codes have the same length, so that an id that begins with one has a fixed length. */
const CELL_CODE_LENGTH = 2;

const twoCharacters = z
  .string()
  .regex(/^[0-9a-z]+$/)
  .length(CELL_CODE_LENGTH);

/** The code of a cell. */
export const cellCodeSchema = twoCharacters.brand<"cell">();
export type CellCode = z.infer<typeof cellCodeSchema>;

/**
 * The prefix of all ids of a partner: the code of its first cell. It stays when the partner moves to another cell. So a
 * key keeps its record, a cause its event, and an order its id.
 */
export const idCodeSchema = twoCharacters.brand<"id">();
export type IdCode = z.infer<typeof idCodeSchema>;

/** The name of the directory, which holds data that belongs to no cell. */
export const DIRECTORY = "directory";

/** The name of a database: the code of a cell, or the directory. */
export const databaseNameSchema = z.union([z.literal(DIRECTORY), cellCodeSchema]);
export type DatabaseName = z.infer<typeof databaseNameSchema>;

/** The code of the cell with this number, from 1: `01`, up to `zz`. */
export function cellCodeOf(number: number): CellCode {
  return cellCodeSchema.parse(number.toString(36).padStart(CELL_CODE_LENGTH, "0"));
}

/** The number of the cell with this code, from 1. */
export function cellNumberOf(code: CellCode): number {
  return Number.parseInt(code, 36);
}

/**
 * The id code of one of our ids, after the type prefix: of a slug, a record, a bank order or an event. Null if there is
 * none. The cell need not exist.
 */
export function idCodeIn(id: string): IdCode | null {
  const start = /^[a-z]+_/.exec(id)?.[0].length ?? 0;
  return idCodeSchema.safeParse(id.slice(start, start + CELL_CODE_LENGTH)).data ?? null;
}

/** The id code of an id that this service has created. Throws if there is none. */
export function requireIdCode(id: string): IdCode {
  const code = idCodeIn(id);
  if (code === null) throw new Error(`the id ${id} begins with no code`);
  return code;
}

/** The id code of a new partner whose data is in this cell. */
export function newIdCode(cell: CellCode): IdCode {
  return idCodeSchema.parse(cell);
}

/** The original cell of the partners with this id code. */
export function firstCellOf(code: IdCode): CellCode {
  return cellCodeSchema.parse(code);
}
