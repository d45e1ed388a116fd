import * as z from "zod";
import { ServiceFailure } from "../core/errors.ts";
import { MAX_UNIT_LENGTH, receiptMethods, receiptSubjects } from "../core/receipts.ts";
import { onOneLine } from "../core/text.ts";
import type { RubleProductRow } from "./store.ts";

/** A ruble product with valid catalogue data. Amounts in kopecks. */
const rubleProductSchema = z.object({
  id: z.int().positive(),
  name: z.string().transform(onOneLine).pipe(z.string().min(1)),
  unitAmount: z.int().positive(),
  /** The name of its bank terminal. The terminal determines the tax regime. */
  terminal: z.string().min(1),
  /** The VAT rate as the bank's code. The bank decides which rates exist, so only the format is checked. */
  vat: z.string().regex(/^(none|vat\d{1,3})$/),
  /** Of the receipt; null: as its terminal says. */
  receiptSubject: z.enum(receiptSubjects).nullable(),
  receiptMethod: z.enum(receiptMethods).nullable(),
  measurementUnit: z.string().min(1).max(MAX_UNIT_LENGTH).nullable(),
});

export type RubleProduct = z.infer<typeof rubleProductSchema>;

/**
 * Converts a row to a ruble product that can be sold. @throws ServiceFailure `product_damaged` if its data is invalid.
 */
export function parseRubleProduct(row: RubleProductRow): RubleProduct {
  const product = rubleProductSchema.safeParse(row);
  if (product.success && row.currency === "RUB") return product.data;
  throw new ServiceFailure({ kind: "product_damaged", productId: String(row.id), field: "id" }, { cause: product.error });
}

/** A requested product. `field` is its path in the request, for error messages. */
export interface WantedRubleProduct {
  readonly productId: number;
  readonly field: string;
}

/**
 * The requested ruble products of a partner, in request order, among the rows that {@link selectRubleProducts} found. All
 * must be approved.
 * @throws ServiceFailure `product_not_found` for the first product that is unknown, belongs to another partner, is not
 * sold in rubles or is not approved (interface 9.1, E.8). The answer does not say which.
 * `product_damaged` if its data is invalid.
 */
export function ownRubleProducts(
  rows: readonly RubleProductRow[],
  partnerId: string,
  wanted: readonly WantedRubleProduct[],
): RubleProduct[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return wanted.map(({ productId, field }) => {
    const row = byId.get(productId);
    const about = { productId: String(productId), field };
    const isSold = row?.partnerId === partnerId && row.currency === "RUB" && row.moderation === "approved";
    if (!isSold) throw new ServiceFailure({ kind: "product_not_found", ...about });
    const product = rubleProductSchema.safeParse(row);
    if (!product.success) throw new ServiceFailure({ kind: "product_damaged", ...about }, { cause: product.error });
    return product.data;
  });
}
