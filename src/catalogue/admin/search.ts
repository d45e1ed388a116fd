import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Environment } from "../../core/environment.ts";
import { type Directory, inList } from "../../db/client.ts";
import { isAnyOf } from "../../db/newest-page.ts";
import { cardProducts, rubleProducts } from "../../db/schema/catalogue.ts";
import type { Moderation, Product, ProductKind } from "./store.ts";

/** What products are searched by; without a field, any. Amounts in minor units. */
export interface ProductSearch {
  readonly partnerId?: string | undefined;
  /** `decided`: approved or rejected. */
  readonly moderation?: Moderation | "decided" | undefined;
  readonly kind?: ProductKind | undefined;
  /** Of a card product. A ruble product is sold in both. */
  readonly environment?: Environment | undefined;
  readonly currency?: string | undefined;
  readonly amountFrom?: number | undefined;
  readonly amountTo?: number | undefined;
  /** A part of its name, in any case. */
  readonly name?: string | undefined;
}

// A search may read all products, at a person's command. The name says so in the plan of its query.
const cards = alias(cardProducts, "searched");
const rubles = alias(rubleProducts, "searched");
type Table = typeof cards | typeof rubles;

/** The place of a product in a list: when it was changed, and its kind and id. */
export const placeOf = ({ kind, row }: Product): readonly [at: number, name: string] => [
  row.updatedAt,
  kind === "card" ? `card ${row.id}` : `ruble ${String(row.id).padStart(15, "0")}`,
];

const NAMES = { card: sql`'card ' || ${cards.id}`, ruble: sql`printf('ruble %015d', ${rubles.id})` };

/**
 * The products of all partners that a search finds, after a place, at most `limit`: those in review with the longest waiting first,
 * others with the last changed one first. One that was changed waits since then. One D1 round trip.
 */
export async function searchProducts(
  directory: Directory,
  search: ProductSearch,
  after: ReturnType<typeof placeOf> | undefined,
  limit: number,
): Promise<Product[]> {
  const isQueue = search.moderation === "in_review";
  const sorted = isQueue ? asc : desc;
  const isBehind = (table: Table, name: SQL) => {
    if (after === undefined) return undefined;
    const [at, own] = after;
    return isQueue
      ? sql`${table.updatedAt} >= ${at} AND (${table.updatedAt} > ${at} OR ${name} > ${own})`
      : sql`${table.updatedAt} <= ${at} AND (${table.updatedAt} < ${at} OR ${name} < ${own})`;
  };
  const [ofCards, ofRubles] = await directory.batch([
    directory
      .select()
      .from(cards)
      .where(and(isBehind(cards, NAMES.card), conditionOf("card", cards, search)))
      .orderBy(sorted(cards.updatedAt), sorted(cards.id))
      .limit(limit),
    directory
      .select()
      .from(rubles)
      .where(and(isBehind(rubles, NAMES.ruble), conditionOf("ruble", rubles, search)))
      .orderBy(sorted(rubles.updatedAt), sorted(rubles.id))
      .limit(limit),
  ]);
  const found: Product[] = [
    ...ofCards.map((row) => ({ kind: "card" as const, row })),
    ...ofRubles.map((row) => ({ kind: "ruble" as const, row })),
  ];
  const direction = isQueue ? 1 : -1;
  return found.toSorted((one, other) => direction * compare(placeOf(one), placeOf(other))).slice(0, limit);
}

const compare = ([at, name]: ReturnType<typeof placeOf>, [otherAt, otherName]: ReturnType<typeof placeOf>): number =>
  at - otherAt || (name < otherName ? -1 : 1);

/** How many products a search finds. */
export async function countProducts(directory: Directory, search: ProductSearch): Promise<number> {
  const counted = (kind: ProductKind, table: Table) =>
    directory
      .select({ count: sql<number>`count(*)`.as("count") })
      .from(table)
      .where(conditionOf(kind, table, search));
  const found = await directory.batch([counted("card", cards), counted("ruble", rubles)]);
  return found.flat().reduce((sum, { count }) => sum + count, 0);
}

function conditionOf(kind: ProductKind, table: Table, search: ProductSearch): SQL | undefined {
  const { partnerId, moderation, environment, currency, amountFrom, amountTo, name } = search;
  return and(
    search.kind === undefined || search.kind === kind ? undefined : sql`FALSE`,
    partnerId === undefined ? undefined : eq(table.partnerId, partnerId),
    stateIs(moderation),
    environment === undefined || !("environment" in table) ? undefined : eq(table.environment, environment),
    currency === undefined ? undefined : eq(table.currency, currency),
    amountFrom === undefined ? undefined : gte(table.unitAmount, amountFrom),
    amountTo === undefined ? undefined : lte(table.unitAmount, amountTo),
    name === undefined ? undefined : hasInName(table, name),
  );
}

function stateIs(moderation: ProductSearch["moderation"]): SQL | undefined {
  if (moderation === undefined) return undefined;
  // A literal, because the index of those that wait has it.
  if (moderation === "in_review") return sql`moderation = 'in_review'`;
  return moderation === "decided" ? sql`moderation <> 'in_review'` : sql`moderation = ${moderation}`;
}

/** SQL condition: a part of its name, or the whole of an id of it, in any case. SQLite knows the case of Latin letters only. So a word of another script is also looked for in small letters and with a capital. */
function hasInName(table: Table, typed: string): SQL {
  const { name } = table;
  // A stored name has single blanks.
  const text = typed.replaceAll(/\s+/g, " ");
  const small = text.toLowerCase();
  const spellings = [...new Set([text, small, small.replace(/^./u, (first) => first.toUpperCase()), text.toUpperCase()])];
  const isIn = spellings.map((spelling) => sql`instr(${name}, ${spelling}) > 0`);
  const ids = "processorProductId" in table ? [isAnyOf(small, table.id, table.processorProductId)] : [];
  return sql`(${sql.join([sql`instr(lower(${name}), ${small}) > 0`, ...isIn, ...ids], sql` OR `)})`;
}

/** Products of a partner, or of any, whose names have a text in them, in any case, at most `limit`. */
export const productsNamed = (directory: Directory, partnerId: string | undefined, name: string, limit: number): Promise<Product[]> =>
  searchProducts(directory, { partnerId, name }, undefined, limit);

/** What a product is compared with: the other products of its partner. */
export interface Neighbour {
  readonly kind: ProductKind;
  readonly id: string;
  readonly partnerId: string;
  readonly environment: Environment | null;
  readonly name: string;
  readonly currency: string;
  readonly unitAmount: number;
  readonly moderation: Moderation;
  readonly terminal: string | null;
  readonly vat: string | null;
}

/** Products of a partner that others are compared with, at most: the newest. */
const MOST_NEIGHBOURS = 1_000;

/** The products of some partners that were not rejected. One D1 round trip. */
export async function neighboursOf(directory: Directory, partnerIds: readonly string[]): Promise<Neighbour[]> {
  const isOwn = (table: Table, stored: typeof cardProducts | typeof rubleProducts) =>
    inArray(
      table.id,
      sql`(SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY partner_id ORDER BY updated_at DESC) AS place FROM ${stored}
        WHERE ${inArray(stored.partnerId, inList(partnerIds))} AND +moderation <> 'rejected') WHERE place <= ${MOST_NEIGHBOURS})`,
    );
  const [ofCards, ofRubles] = await directory.batch([
    directory.select().from(cards).where(isOwn(cards, cardProducts)),
    directory.select().from(rubles).where(isOwn(rubles, rubleProducts)),
  ]);
  return [...ofCards.map((row) => neighbourOf({ kind: "card", row })), ...ofRubles.map((row) => neighbourOf({ kind: "ruble", row }))];
}

/** A product, as others are compared with it. */
export function neighbourOf({ kind, row }: Product): Neighbour {
  const { partnerId, name, currency, unitAmount, moderation } = row;
  const own = { id: String(row.id), partnerId, name, currency, unitAmount, moderation };
  return kind === "card"
    ? { kind, ...own, environment: row.environment, terminal: null, vat: null }
    : { kind, ...own, environment: null, terminal: row.terminal, vat: row.vat };
}
