import * as z from "zod";

/** The summary of an object. */
export const summaryField = z
  .object({ en: z.string(), ru: z.string() })
  .describe("What became of it in a sentence or two, as support sends it on, in English and in Russian");
