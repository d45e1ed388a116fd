import * as z from "zod";

/** All codes have the same length, so that an id that begins with one has a fixed length. */
const CELL_CODE_LENGTH = 2;

/** The code of a cell. */
export const cellCodeSchema = z
  .string()
  .regex(/^[0-9a-z]+$/)
  .length(CELL_CODE_LENGTH)
  .brand<"cell">();
export type CellCode = z.infer<typeof cellCodeSchema>;

/** The place of what belongs to no partner's cell. */
export const DIRECTORY = "directory";

/** Where data is: in a cell, or in the directory. */
export const placeSchema = z.union([z.literal(DIRECTORY), cellCodeSchema]);
export type Place = z.infer<typeof placeSchema>;

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
export function cellCodeIn(id: string): CellCode | null {
  const start = /^[a-z]+_/.exec(id)?.[0].length ?? 0;
  return cellCodeSchema.safeParse(id.slice(start, start + CELL_CODE_LENGTH)).data ?? null;
}
