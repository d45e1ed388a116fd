import { z } from "zod";
import { ServiceFailure } from "../core/errors.ts";
import type { Database } from "../db/client.ts";
import { findRubleProducts } from "./store.ts";

/** A ruble product whose catalogue data makes sense. Amounts in kopecks. */
const rubleProductSchema = z.object({
  id: z.int().positive(),
  name: z.string().min(1),
  unitAmount: z.int().positive(),
  /** The name of the bank terminal that it sells through, and so its tax regime. */
  terminal: z.string().min(1),
  /** The rate of its value-added tax, in the bank's spelling. Which of them exist is the bank's business. */
  vat: z.string().regex(/^(none|vat\d{1,3})$/),
});

export type RubleProduct = z.infer<typeof rubleProductSchema>;

/** A product as it was asked for: `field` is where it stood in the request, for the error that names it. */
export interface WantedRubleProduct {
  readonly productId: number;
  readonly field: string;
}

/**
 * The approved ruble products of a partner, in the order they were asked for. One D1 round trip.
 * @throws ServiceFailure `product_not_found` for the first that is unknown, another partner's, not sold in rubles or
 * still in moderation (interface, errors of operation 9): the caller learns not which; `product_damaged`.
 */
export async function loadOwnRubleProducts(
  db: Database,
  partnerId: string,
  wanted: readonly WantedRubleProduct[],
): Promise<RubleProduct[]> {
  const rows = await findRubleProducts(
    db,
    wanted.map(({ productId }) => productId),
  );
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
