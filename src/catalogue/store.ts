import { and, eq, inArray } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { type Directory, inList, type Query } from "../db/client.ts";
import { cardProducts, rubleProducts } from "../db/schema/catalogue.ts";

/** A card product as it is stored, of any owner and in any state. */
export type CardProductRow = typeof cardProducts.$inferSelect;

/** Query for the rows of these products. The ids are one parameter, so any number is allowed. */
export function selectCardProducts(directory: Directory, productIds: readonly string[]): Query<CardProductRow> {
  return directory
    .select()
    .from(cardProducts)
    .where(inArray(cardProducts.processorProductId, inList(productIds)));
}

/** Query for the approved products of a partner in one environment; if `ids` are given, for those of them. */
export function approvedProductsOf(directory: Directory, partnerId: string, environment: Environment, ids?: readonly string[]) {
  const { processorProductId, name, description, moderation } = cardProducts;
  return directory
    .select({ processorProductId, name, description })
    .from(cardProducts)
    .where(
      and(
        eq(cardProducts.partnerId, partnerId),
        eq(cardProducts.environment, environment),
        eq(moderation, "approved"),
        ids === undefined ? undefined : inArray(processorProductId, inList(ids)),
      ),
    )
    .$dynamic();
}

/** A ruble product as it is stored, of any owner and in any state. */
export type RubleProductRow = typeof rubleProducts.$inferSelect;

/** Query for the rows of these products. The ids are one parameter, so any number is allowed. */
export function selectRubleProducts(directory: Directory, productIds: readonly number[]): Query<RubleProductRow> {
  return directory
    .select()
    .from(rubleProducts)
    .where(inArray(rubleProducts.id, inList(productIds)));
}
