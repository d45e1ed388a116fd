import { and, eq, inArray } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { type Database, listed } from "../db/client.ts";
import { cardProducts, rubleProducts } from "../db/schema/catalogue.ts";

/** The rows of these products, whoever owns them and whatever state they are in. One parameter, so any number fits. */
export function findCardProducts(db: Database, productIds: readonly string[]) {
  return db
    .select()
    .from(cardProducts)
    .where(inArray(cardProducts.processorProductId, listed(productIds)))
    .all();
}

/** What a partner sells in one environment, as moderation approved it; to be sent together with other questions. */
export function approvedProductsOf(db: Database, partnerId: string, environment: Environment) {
  const { processorProductId, name, description, moderation } = cardProducts;
  return db
    .select({ processorProductId, name, description })
    .from(cardProducts)
    .where(and(eq(cardProducts.partnerId, partnerId), eq(cardProducts.environment, environment), eq(moderation, "approved")));
}

/** The rows of these ruble products, whoever owns them and whatever state they are in. One parameter, so any number fits. */
export function findRubleProducts(db: Database, productIds: readonly number[]) {
  return db
    .select()
    .from(rubleProducts)
    .where(inArray(rubleProducts.id, listed(productIds)))
    .all();
}
