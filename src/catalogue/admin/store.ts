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

/** The place of a product in the queue: since when it waits as it is, and its kind and id. */
export const placeOf = ({ kind, row }: Product): readonly [at: number, name: string] => [
  row.updatedAt,
  kind === "card" ? `card ${row.id}` : `ruble ${String(row.id).padStart(15, "0")}`,
];

/**
 * The products of all partners that wait for moderation, the longest waiting first, after a place: at most `limit`. One that was
 * changed waits since then. One D1 round trip.
 */
export async function listWaiting(directory: Directory, after: ReturnType<typeof placeOf> | undefined, limit: number): Promise<Product[]> {
  const [at, name] = after ?? [0, ""];
  // The state is a literal, because the index of those that wait has it.
  const isBehind = (own: SQL) => sql`moderation = 'in_review' AND updated_at >= ${at} AND (updated_at > ${at} OR ${own} > ${name})`;
  const [cards, rubles] = await directory.batch([
    directory
      .select()
      .from(cardProducts)
      .where(isBehind(sql`'card ' || id`))
      .orderBy(asc(cardProducts.updatedAt), asc(cardProducts.id))
      .limit(limit),
    directory
      .select()
      .from(rubleProducts)
      .where(isBehind(sql`printf('ruble %015d', id)`))
      .orderBy(asc(rubleProducts.updatedAt), asc(rubleProducts.id))
      .limit(limit),
  ]);
  const found: Product[] = [
    ...cards.map((row) => ({ kind: "card" as const, row })),
    ...rubles.map((row) => ({ kind: "ruble" as const, row })),
  ];
  return found.toSorted((one, other) => compare(placeOf(one), placeOf(other))).slice(0, limit);
}

const compare = ([at, name]: ReturnType<typeof placeOf>, [otherAt, otherName]: ReturnType<typeof placeOf>): number =>
  at - otherAt || (name < otherName ? -1 : 1);

/** A partner's products whose names have a text in them, at most `limit` of each kind. Letter case is immaterial in Latin names. */
export async function productsNamed(directory: Directory, partnerId: string, text: string, limit: number): Promise<Product[]> {
  const isNamed = (table: typeof cardProducts | typeof rubleProducts) =>
    and(eq(table.partnerId, partnerId), sql`(instr(lower(${table.name}), lower(${text})) > 0 OR instr(${table.name}, ${text}) > 0)`);
  const [cards, rubles] = await directory.batch([
    directory.select().from(cardProducts).where(isNamed(cardProducts)).orderBy(asc(cardProducts.id)).limit(limit),
    directory.select().from(rubleProducts).where(isNamed(rubleProducts)).limit(limit),
  ]);
  return [...cards.map((row) => ({ kind: "card" as const, row })), ...rubles.map((row) => ({ kind: "ruble" as const, row }))];
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
