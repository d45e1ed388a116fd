import * as z from "zod";
import type { Made } from "../../partners/made.ts";
import { rights } from "../../partners/permissions.ts";

/** Rights as a request names them. */
export const rightList = z
  .array(z.enum(rights))
  .describe("The six permissions, and `owner`, which manages keys and people; no operation needs `owner`");

/** Whether a change also concerns what its subject has made. */
export const andMade = z.boolean().default(false).describe("Also what it made, and what that made in turn");

/** What a person or a key has made, and still works after the change. */
export const madeAnswer = z
  .object({ keys: z.array(z.string()), people: z.array(z.string()) })
  .describe("What it made that still works: keys, and people, by id. With `and_made` it ends too");

export const viewMade = ({ keys, people }: Made): z.input<typeof madeAnswer> => ({ keys: [...keys], people: [...people] });
