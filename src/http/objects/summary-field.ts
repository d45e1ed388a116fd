import * as z from "zod";

/** The summary of an object. */
export const summaryField = z
  .object({ en: z.string(), ru: z.string() })
  .describe("What became of it in a sentence or two, as support sends it on, in English and in Russian");

/** The answer to the customer of an order. */
export const customerField = z
  .object({ en: z.string(), ru: z.string() })
  .nullable()
  .describe("The same for the customer who asks, without what concerns the partner; null where it is no customer's");
