import { inArray } from "drizzle-orm";
import { type Database, listed } from "../db/client.ts";
import { cardProducts } from "../db/schema/catalogue.ts";

/** The rows of these products, whoever owns them and whatever state they are in. One parameter, so any number fits. */
export function findCardProducts(db: Database, productIds: readonly string[]) {
  return db
    .select()
    .from(cardProducts)
    .where(inArray(cardProducts.processorProductId, listed(productIds)))
    .all();
}
