import { and, eq, getTableColumns, inArray, isNull, ne, or } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { type Directory, inList } from "../db/client.ts";
import { type Prepared, preparedQuery, prepareOnce, readerOf } from "../db/prepared.ts";
import { cardProducts, rubleProducts } from "../db/schema/catalogue.ts";

/** A row of a card product, of any partner and in any state. */
export type CardProductRow = typeof cardProducts.$inferSelect;

const readCardProduct = readerOf(getTableColumns(cardProducts));

/** The statement for the rows of these products. The ids are one parameter, so any number is allowed. */
export function selectCardProducts(directory: Directory, productIds: readonly string[]): Prepared<CardProductRow> {
  const build = () =>
    directory
      .select()
      .from(cardProducts)
      .where(inArray(cardProducts.processorProductId, inList(productIds)));
  return preparedQuery(prepareOnce(directory, "card products", build, [JSON.stringify(productIds)]), readCardProduct);
}

/** The names of card products, by their ids at the processor. One D1 round trip. */
export async function namesOfProducts(directory: Directory, ids: readonly string[]): Promise<ReadonlyMap<string | null, string>> {
  if (ids.length === 0) return new Map();
  const { processorProductId: id, name } = cardProducts;
  const rows = await directory
    .select({ id, name })
    .from(cardProducts)
    .where(inArray(id, inList(ids)))
    .all();
  return new Map(rows.map((row) => [row.id, row.name]));
}

/**
 * The names of those among some card products, by their ids at the processor, that are taken from sale: rejected, or never approved, where
 * an approval was cut off behind its first link. One D1 round trip.
 */
export async function takenFromSale(directory: Directory, ids: readonly string[]): Promise<string[]> {
  const { id, processorProductId, name, moderation } = cardProducts;
  const cutOff = and(inArray(id, inList(ids.map(catalogueIdOf))), isNull(processorProductId), ne(moderation, "approved"));
  const isTaken = or(and(inArray(processorProductId, inList(ids)), eq(moderation, "rejected")), cutOff);
  return (await directory.select({ name }).from(cardProducts).where(isTaken).all()).map((row) => row.name);
}

/**
 * The id of a product at the processor, also of one that is not known there yet, or whose approval was cut off. It is derived from our
 * id, so a repeat creates no second product.
 */
export const processorIdOf = ({ id, processorProductId }: Pick<CardProductRow, "id" | "processorProductId">): string =>
  processorProductId ?? `prod_${id.replace(/^card_/, "")}`;

/** Our id of a product whose id at the processor is derived. */
const catalogueIdOf = (processorId: string): string => processorId.replace(/^prod_/, "card_");

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

/** A row of a ruble product, of any partner and in any state. */
export type RubleProductRow = typeof rubleProducts.$inferSelect;

const readRubleProduct = readerOf(getTableColumns(rubleProducts));

/** The statement for the rows of these products. The ids are one parameter, so any number is allowed. */
export function selectRubleProducts(directory: Directory, productIds: readonly number[]): Prepared<RubleProductRow> {
  const build = () =>
    directory
      .select()
      .from(rubleProducts)
      .where(inArray(rubleProducts.id, inList(productIds)));
  return preparedQuery(prepareOnce(directory, "ruble products", build, [JSON.stringify(productIds)]), readRubleProduct);
}
