import { z } from "zod";
import { ServiceFailure } from "../core/errors.ts";
import type { Database } from "../db/client.ts";
import { findCardProducts } from "./store.ts";

const common = {
  processorProductId: z.string(),
  partnerId: z.string(),
  environment: z.enum(["live", "test"]),
  name: z.string(),
  currency: z.enum(["USD", "EUR", "GBP", "BRL"]),
  paymentMethodTypes: z
    .string()
    .transform((text) => JSON.parse(text) as unknown)
    .pipe(z.array(z.string()).min(1))
    .nullable(),
};

/** A product whose catalogue data makes sense. Anything else is damaged, and is refused instead of guessed at. */
const cardProductSchema = z.discriminatedUnion("type", [
  z.object({ ...common, type: z.literal("one_time") }),
  z.object({
    ...common,
    type: z.literal("subscription"),
    interval: z.enum(["day", "week", "month", "year"]),
    intervalCount: z.int().positive(),
  }),
]);

export type CardProduct = z.infer<typeof cardProductSchema>;

/** A product as it was asked for: `field` is where it stood in the request, for the error that names it. */
export interface WantedProduct {
  readonly productId: string;
  readonly field: string;
}

/**
 * The approved products of a partner, in the order they were asked for. One D1 round trip.
 * @throws ServiceFailure for the first product that is unknown, another partner's, not approved, or damaged, looked
 * at in this order; each error names the product.
 */
export async function loadOwnProducts(db: Database, partnerId: string, wanted: readonly WantedProduct[]): Promise<CardProduct[]> {
  const rows = await findCardProducts(
    db,
    wanted.map(({ productId }) => productId),
  );
  const byId = new Map(rows.map((row) => [row.processorProductId, row]));
  return wanted.map(({ productId, field }) => {
    const row = byId.get(productId);
    if (row === undefined) throw new ServiceFailure({ kind: "product_not_found", productId, field });
    if (row.partnerId !== partnerId) throw new ServiceFailure({ kind: "product_of_another_partner", productId, field });
    if (row.moderation !== "approved") throw new ServiceFailure({ kind: "product_not_approved", productId, field });
    return parseCardProduct(row, { productId, field });
  });
}

function parseCardProduct(row: object, { productId, field }: WantedProduct): CardProduct {
  try {
    return cardProductSchema.parse(row);
  } catch (cause) {
    throw new ServiceFailure({ kind: "product_damaged", productId, field }, { cause });
  }
}
