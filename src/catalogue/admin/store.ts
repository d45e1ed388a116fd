import { and, asc, eq, gt, or, type SQL, sql } from "drizzle-orm";
import { earliestOf } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import type { moderationStates } from "../../core/object-states.ts";
import type { Directory } from "../../db/client.ts";
import { cardProducts, rubleProducts } from "../../db/schema/catalogue.ts";
import type { CardProductRow, RubleProductRow } from "../store.ts";

export type Moderation = (typeof moderationStates)[number];

/** A product of either kind. Card products are sold through the processor, ruble products through the bank. */
export type Product = { readonly kind: "card"; readonly row: CardProductRow } | { readonly kind: "ruble"; readonly row: RubleProductRow };
export type ProductKind = Product["kind"];

/** The product with this id; a card product also by its id at the processor. Undefined if no product has it. */
export async function findProduct(directory: Directory, kind: ProductKind, id: string): Promise<Product | undefined> {
  if (kind === "card") {
    const row = await directory
      .select()
      .from(cardProducts)
      .where(or(eq(cardProducts.id, id), eq(cardProducts.processorProductId, id)))
      .get();
    return row && { kind, row };
  }
  if (!/^[1-9]\d{0,14}$/.test(id)) return undefined;
  const row = await directory
    .select()
    .from(rubleProducts)
    .where(eq(rubleProducts.id, Number(id)))
    .get();
  return row && { kind, row };
}

/** Which products of a partner to list. */
export interface ProductFilter {
  readonly partnerId: string;
  readonly moderation?: Moderation | undefined;
  /** Of a card product. A ruble product is sold in both. */
  readonly environment?: Environment | undefined;
}

/** Card products in the order of their ids, after a given one. */
export async function listCardProducts(
  directory: Directory,
  filter: ProductFilter,
  after: string,
  limit: number,
): Promise<CardProductRow[]> {
  return directory
    .select()
    .from(cardProducts)
    .where(
      and(
        conditionOf(cardProducts, filter),
        filter.environment === undefined ? undefined : eq(cardProducts.environment, filter.environment),
        gt(cardProducts.id, after),
      ),
    )
    .orderBy(asc(cardProducts.id))
    .limit(limit)
    .all();
}

/** Ruble products in the order of their ids, after a given one. */
export async function listRubleProducts(
  directory: Directory,
  filter: ProductFilter,
  after: number,
  limit: number,
): Promise<RubleProductRow[]> {
  return (
    directory
      .select()
      .from(rubleProducts)
      // The unary plus makes SQLite use the partner's index. Without it, SQLite would scan all ids, because the id of
      // this table is the rowid. The ids of card products are text, and need no plus.
      .where(and(conditionOf(rubleProducts, filter), sql`+${rubleProducts.id} > ${after}`))
      .orderBy(asc(rubleProducts.id))
      .limit(limit)
      .all()
  );
}

function conditionOf(table: typeof cardProducts | typeof rubleProducts, { partnerId, moderation }: ProductFilter): SQL | undefined {
  // The plus keeps SQLite from the index of those that wait, of all partners.
  return and(eq(table.partnerId, partnerId), moderation === undefined ? undefined : sql`+${table.moderation} = ${moderation}`);
}

/** The number of products that wait for moderation, and since when the longest waiting one does (Unix milliseconds). */
export async function countInReview(directory: Directory): Promise<{ readonly count: number; readonly oldest: number | null }> {
  const waiting = (table: typeof cardProducts | typeof rubleProducts) =>
    directory
      .select({ count: sql<number>`count(*)`.as("count"), oldest: sql<number | null>`MIN(updated_at)`.as("oldest") })
      .from(table)
      .where(sql`moderation = 'in_review'`);
  const found = (await directory.batch([waiting(cardProducts), waiting(rubleProducts)])).flat();
  return { count: found.reduce((sum, { count }) => sum + count, 0), oldest: earliestOf(found.map(({ oldest }) => oldest)) };
}

/** The values of a product in the form of the audit log, read in the transaction that changes them. */
export function valuesBefore(product: Product, columns: readonly string[]): SQL {
  const pairs = columns.flatMap((column) => [sql`${column}`, sql.identifier(column)]);
  const table = product.kind === "card" ? cardProducts : rubleProducts;
  return sql`(SELECT json_object(${sql.join(pairs, sql`, `)}) FROM ${table} WHERE id = ${product.row.id})`;
}
