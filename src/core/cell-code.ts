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
 * The code that the ids of a partner begin with: that of its first cell. It stays when the partner moves to another cell, so
 * that a key has the same record, a cause the same event, and an order the same id as before.
 */
export const idCodeSchema = twoCharacters.brand<"id">();
export type IdCode = z.infer<typeof idCodeSchema>;

/** The place of what belongs to no partner's cell. */
export const DIRECTORY = "directory";

/** Where data is: in a cell, or in the directory. */
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
 * The code that an id of ours begins with, after the prefix of its type: of a slug, a record, a bank order or an event.
 * Null if it begins with none. Whether there is such a cell is another question.
 */
export function idCodeIn(id: string): IdCode | null {
  const start = /^[a-z]+_/.exec(id)?.[0].length ?? 0;
  return idCodeSchema.safeParse(id.slice(start, start + CELL_CODE_LENGTH)).data ?? null;
}

/** The code of an id that we have made. Throws if it begins with none. */
export function requireIdCode(id: string): IdCode {
  const code = idCodeIn(id);
  if (code === null) throw new Error(`the id ${id} begins with no code`);
  return code;
}

/** The code that the ids of a new partner begin with, whose data is in this cell. */
export function newIdCode(cell: CellCode): IdCode {
  return idCodeSchema.parse(cell);
}

/** The cell where the partners began whose ids begin with this code. */
export function firstCellOf(code: IdCode): CellCode {
  return cellCodeSchema.parse(code);
}
