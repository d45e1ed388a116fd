import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { newId } from "../core/ids.ts";
import { limits } from "../core/limits.ts";
import { type Directory, type InDirectory, violatedColumn } from "../db/client.ts";
import { cardProducts, rubleProducts } from "../db/schema/catalogue.ts";
import {
  type CardProductValues,
  entryOfNew,
  inReview,
  MAX_TRIES,
  nextRubleId,
  type RubleProductValues,
  updateProduct,
} from "./admin/products.ts";
import { findProduct, type Product } from "./admin/store.ts";
import type { CardProductRow, RubleProductRow } from "./store.ts";

/** What a partner says of a product that it wants to sell. Payment methods, terminal and receipt are for moderation. */
export type SubmittedCard = Omit<CardProductValues, "paymentMethodTypes" | "processorProductId">;
export type SubmittedRuble = Pick<RubleProductValues, "name" | "unitAmount" | "vat">;

/**
 * Adds a partner's product, which waits for moderation. An equal one that waits already is returned instead, so a repeat adds none.
 * Null if as many of the partner wait as may.
 */
export async function submitCard(deps: InDirectory, partnerId: string, submitted: SubmittedCard, actor: Actor) {
  const now = deps.clock.now();
  const values = { ...submitted, paymentMethodTypes: null, processorProductId: null };
  const row: CardProductRow = { id: newId("card"), partnerId, ...values, ...inReview(now) };
  const added = await add(deps, { kind: "card", row }, submitted, actor, now);
  return added === "id_taken" ? null : added;
}

/** {@link submitCard} for a ruble product, which gets the next number. */
export async function submitRuble(deps: InDirectory, partnerId: string, submitted: SubmittedRuble, actor: Actor) {
  const receipt = { terminal: null, receiptSubject: null, receiptMethod: null, measurementUnit: null };
  for (let tries = 1; ; tries += 1) {
    const now = deps.clock.now();
    const id = await nextRubleId(deps.directory);
    const row: RubleProductRow = { id, partnerId, ...submitted, currency: "RUB", ...receipt, ...inReview(now) };
    const added = await add(deps, { kind: "ruble", row }, submitted, actor, now);
    if (added !== "id_taken") return added;
    if (tries === MAX_TRIES) throw new Error("other products go on taking the next number");
  }
}

type Values = Readonly<Record<string, string | number | null>>;

async function add({ directory }: InDirectory, product: Product, submitted: Values, actor: Actor, now: number) {
  const { kind, row } = product;
  const table = kind === "card" ? cardProducts : rubleProducts;
  const columns = new Map(Object.entries(getTableColumns(table)));
  const equal = Object.entries(submitted).map(([property, value]) => sql`${columns.get(property)} IS ${value}`);
  const isWaiting = sql`partner_id = ${row.partnerId} AND moderation = 'in_review'`;
  const isEqual = sql.join([isWaiting, ...equal], sql` AND `);
  const mayWait = sql`(SELECT count(*) FROM ${cardProducts} WHERE ${isWaiting}) + (SELECT count(*) FROM ${rubleProducts} WHERE ${isWaiting})
    < ${limits.submissions.waiting} AND NOT EXISTS (SELECT 1 FROM ${table} WHERE ${isEqual})`;
  // Otherwise the name is NULL, and the batch is rolled back.
  const name: SQL<string> = sql`CASE WHEN ${mayWait} THEN ${row.name} END`;
  try {
    await directory.batch([
      kind === "card" ? directory.insert(cardProducts).values({ ...row, name }) : directory.insert(rubleProducts).values({ ...row, name }),
      auditRow(directory, entryOfNew(product, "product.submit", actor), now),
    ]);
    return product;
  } catch (thrown) {
    const column = violatedColumn(thrown);
    if (column === "ruble_products.id") return "id_taken" as const;
    if (column !== "card_products.name" && column !== "ruble_products.name") throw thrown;
  }
  const known = await directory.select({ id: sql<string>`CAST(id AS TEXT)` }).from(table).where(isEqual).get();
  return known === undefined ? null : ((await findProduct(directory, kind, known.id)) ?? null);
}

/** How many products of a partner wait for moderation. */
export async function countWaitingOf(directory: Directory, partnerId: string): Promise<number> {
  const isWaiting = (table: typeof cardProducts | typeof rubleProducts) =>
    directory
      .select({ count: sql<number>`count(*)` })
      .from(table)
      .where(sql`${table.partnerId} = ${partnerId} AND +${table.moderation} = 'in_review'`);
  const counts = (await directory.batch([isWaiting(cardProducts), isWaiting(rubleProducts)])).flat();
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Whether its partner can change a product: while it waits or is rejected. What the processor knows is changed by moderation alone. */
export function isChangeable({ kind, row }: Product): boolean {
  return row.moderation !== "approved" && (kind === "ruble" || row.processorProductId === null);
}

/** Changes a partner's product, which waits for moderation then. @throws ChangedByAnother */
export function resubmitProduct(
  deps: InDirectory,
  product: Product,
  change: SubmittedCard | SubmittedRuble,
  actor: Actor,
): Promise<Product> {
  return updateProduct(deps, product, "product.submit", { ...change, moderation: "in_review", rejectionReason: null }, actor);
}
