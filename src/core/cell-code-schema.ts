import * as z from "zod";
import { CODE, DIRECTORY } from "./cell-code.ts";

const code = z.string().regex(CODE);

/** The code of a cell. The cell need not exist. */
export const cellCodeSchema = code.brand<"cell">();

/** An id code (`cell-code.ts`). */
export const idCodeSchema = code.brand<"id">();

/** The name of a database. */
export const databaseNameSchema = z.union([z.literal(DIRECTORY), cellCodeSchema]);
