import * as z from "zod";
import { type Environment, environmentSchema } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { billingIntervals, linkCurrencies } from "../core/money.ts";
import type { CardProductRow } from "./store.ts";

const common = {
  processorProductId: z.string(),
  partnerId: z.string(),
  environment: environmentSchema,
  name: z.string(),
  currency: z.enum(linkCurrencies),
  paymentMethodTypes: z
    .string()
    .transform((text) => JSON.parse(text) as unknown)
    .pipe(z.array(z.string()).min(1))
    .nullable(),
};

/** A product with valid catalogue data. A product with invalid data is refused as `product_damaged`. */
const cardProductSchema = z.discriminatedUnion("type", [
  z.object({ ...common, type: z.literal("one_time") }),
  z.object({ ...common, type: z.literal("subscription"), interval: z.enum(billingIntervals), intervalCount: z.int().positive() }),
]);

export type CardProduct = z.infer<typeof cardProductSchema>;

/** The environments of those products that belong to the partner. */
export function environmentsOfOwn(products: readonly CardProductRow[], partnerId: string): readonly Environment[] {
  return [...new Set(products.filter((product) => product.partnerId === partnerId).map(({ environment }) => environment))];
}

/** A requested product. `field` is its path in the request, for error messages. */
export interface WantedProduct {
  readonly productId: string;
  readonly field: string;
}

/**
 * The requested products of a partner, in request order, among the rows that {@link selectCardProducts} found. All must be
 * approved.
 * @throws ServiceFailure for the first product that fails a check. The checks run in this order: it exists, it belongs
 * to the partner, it is approved, its data is valid. Each error contains the product id.
 */
export function ownProducts(rows: readonly CardProductRow[], partnerId: string, wanted: readonly WantedProduct[]): CardProduct[] {
  const byId = new Map(rows.map((row) => [row.processorProductId, row]));
  return wanted.map(({ productId, field }) => {
    const row = byId.get(productId);
    if (row === undefined) throw new ServiceFailure({ kind: "product_not_found", productId, field });
    if (row.partnerId !== partnerId) throw new ServiceFailure({ kind: "product_of_another_partner", productId, field });
    if (row.moderation !== "approved") throw new ServiceFailure({ kind: "product_not_approved", productId, field });
    return parseCardProduct(row, { productId, field });
  });
}

/** {@link ownProducts} for one product. */
export function ownProduct(rows: readonly CardProductRow[], partnerId: string, wanted: WantedProduct): CardProduct {
  const [product] = ownProducts(rows, partnerId, [wanted]);
  if (product === undefined) throw new Error("the catalogue returned no product for the requested id");
  return product;
}

/**
 * The currency of a requested product, in any moderation state; null if the product belongs to another partner or its
 * row is damaged.
 */
export function currencyOfOwn(rows: readonly CardProductRow[], partnerId: string): string | null {
  const own = rows.find((row) => row.partnerId === partnerId);
  return common.currency.safeParse(own?.currency).data ?? null;
}

/** Converts a row to a product that can be sold. @throws ServiceFailure `product_damaged` if its data is invalid. */
export function parseCardProduct(row: object, { productId, field }: WantedProduct): CardProduct {
  try {
    return cardProductSchema.parse(row);
  } catch (cause) {
    throw new ServiceFailure({ kind: "product_damaged", productId, field }, { cause });
  }
}
