import * as z from "zod";
import type { Made } from "../../partners/made.ts";

/** Whether a change also concerns what its subject has made. */
export const andMade = z.boolean().default(false).describe("Also what it made, and what that made in turn");

/** What a person or a key has made, and still works after the change. */
export const madeAnswer = z
  .object({ keys: z.array(z.string()), people: z.array(z.string()) })
  .describe("What it made that still works: keys, and people, by id. With `and_made` it ends too");

export const viewMade = ({ keys, people }: Made): z.input<typeof madeAnswer> => ({ keys: [...keys], people: [...people] });
