import { and, eq, inArray } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { type Directory, inList } from "../db/client.ts";
import { cardProducts, rubleProducts } from "../db/schema/catalogue.ts";

/** The rows of these products, of any owner and in any state. The ids are one parameter, so any number is allowed. */
export function findCardProducts(directory: Directory, productIds: readonly string[]) {
  return directory
    .select()
    .from(cardProducts)
    .where(inArray(cardProducts.processorProductId, inList(productIds)))
    .all();
}

/** Query for the approved products of a partner in one environment. Send it in a batch with other queries. */
export function approvedProductsOf(directory: Directory, partnerId: string, environment: Environment) {
  const { processorProductId, name, description, moderation } = cardProducts;
  return directory
    .select({ processorProductId, name, description })
    .from(cardProducts)
    .where(and(eq(cardProducts.partnerId, partnerId), eq(cardProducts.environment, environment), eq(moderation, "approved")));
}

/** The rows of these ruble products, of any owner and state. The ids are one parameter, so any number is allowed. */
export function findRubleProducts(directory: Directory, productIds: readonly number[]) {
  return directory
    .select()
    .from(rubleProducts)
    .where(inArray(rubleProducts.id, inList(productIds)))
    .all();
}
