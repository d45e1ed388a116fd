import * as z from "zod";

/** A fiscal receipt that was registered. It is public: anyone with its numbers finds it at the tax office. */
export const fiscalReceiptSchema = z.object({
  kind: z.enum(["payment", "refund"]),
  /** The number of the fiscal drive, of the document, and its sign: together they find the receipt. */
  fn: z.string(),
  document: z.string(),
  sign: z.string(),
  /** The registration number of the cash register. */
  register: z.string().nullable(),
  /** As the bank says it, in the time of the cash register. */
  registeredAt: z.string().nullable(),
  /** In kopecks. */
  amount: z.int().nullable(),
  /** Where the receipt is shown; null if the bank gives no https address. */
  url: z.string().nullable(),
});
export type FiscalReceipt = z.infer<typeof fiscalReceiptSchema>;
