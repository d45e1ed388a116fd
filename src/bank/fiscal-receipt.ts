import * as z from "zod";
import type { FiscalReceipt } from "../core/fiscal-receipt.ts";

/** What a fiscal receipt is of: a payment, or what was given back. The bank's names are those of the tax office's document. */
const KINDS = { Income: "payment", IncomeReturn: "refund" } as const;

const digits = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,20}$/));
const messageSchema = z.object({
  Type: z.enum(["Income", "IncomeReturn"]),
  FnNumber: digits,
  FiscalDocumentNumber: digits,
  FiscalDocumentAttribute: digits,
  EcrRegNumber: digits.nullish().catch(null),
  ReceiptDatetime: z.string().max(40).nullish().catch(null),
  Url: z.string().max(500).startsWith("https://").nullish().catch(null),
});

/** The receipt in the bank's message about one, of so many kopecks; null if it lacks the numbers by which a receipt is found. */
export function fiscalReceiptIn(message: unknown, amount: number | null): FiscalReceipt | null {
  const { data } = messageSchema.safeParse(message);
  if (data === undefined) return null;
  return {
    kind: KINDS[data.Type],
    fn: data.FnNumber,
    document: data.FiscalDocumentNumber,
    sign: data.FiscalDocumentAttribute,
    register: data.EcrRegNumber ?? null,
    registeredAt: data.ReceiptDatetime ?? null,
    amount,
    url: data.Url ?? null,
  };
}
