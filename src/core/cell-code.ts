import type * as z from "zod";

/** Two characters: all codes have the same length, so that an id that begins with one has a fixed length. */
const CODE_LENGTH = 2;
export const CODE = /^[0-9a-z]{2}$/;

/** The code of a cell. */
export type CellCode = string & z.core.$brand<"cell">;

/**
 * The prefix of all ids of a partner: the code of its first cell. It stays when the partner moves to another cell. So a
 * key keeps its record, a cause its event, and an order its id.
 */
export type IdCode = string & z.core.$brand<"id">;

/** Whether a value has the form of a cell's code. The cell need not exist. */
export const isCellCode = (value: unknown): value is CellCode => typeof value === "string" && CODE.test(value);

/** Whether a value has the form of an id code. */
export const isIdCode = (value: unknown): value is IdCode => typeof value === "string" && CODE.test(value);

/** The name of the directory, which holds data that belongs to no cell. */
export const DIRECTORY = "directory";

/** The name of a database: the code of a cell, or the directory. */
export type DatabaseName = CellCode | typeof DIRECTORY;

/** The code of the cell with this number, from 1: `01`, up to `zz`. */
export function cellCodeOf(number: number): CellCode {
  const code = number.toString(36).padStart(CODE_LENGTH, "0");
  if (!isCellCode(code)) throw new Error(`there is no cell ${number}`);
  return code;
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
  const code = id.slice(start, start + CODE_LENGTH);
  return isIdCode(code) ? code : null;
}

/** The id code of an id that this service has created. Throws if there is none. */
export function requireIdCode(id: string): IdCode {
  const code = idCodeIn(id);
  if (code === null) throw new Error(`the id ${id} begins with no code`);
  return code;
}

/** The id code of a new partner whose data is in this cell. */
export function newIdCode(cell: CellCode): IdCode {
  return requireIdCode(cell);
}

/** The original cell of the partners with this id code. */
export function firstCellOf(code: IdCode): CellCode {
  return cellCodeOf(Number.parseInt(code, 36));
}
