import { and, eq, sql } from "drizzle-orm";
import type { AuditAction } from "../../audit/actions.ts";
import { type AuditEntry, auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { newId } from "../../core/ids.ts";
import { type Directory, type InDirectory, runBatch, type Statement, violatedColumn } from "../../db/client.ts";
import { cardProducts, rubleProducts } from "../../db/schema/catalogue.ts";
import type { CardProductRow, RubleProductRow } from "../store.ts";
import { findProduct, type Moderation, type Product, valuesBefore } from "./store.ts";

/** The values of a card product that an operator sets. Amount in minor units. */
export type CardProductValues = Pick<
  CardProductRow,
  | "environment"
  | "name"
  | "description"
  | "type"
  | "currency"
  | "unitAmount"
  | "interval"
  | "intervalCount"
  | "paymentMethodTypes"
  | "processorProductId"
>;

/** The values of a ruble product that an operator sets. Amount in kopecks. */
export type RubleProductValues = Pick<
  RubleProductRow,
  "name" | "currency" | "unitAmount" | "terminal" | "vat" | "receiptSubject" | "receiptMethod" | "measurementUnit"
>;

/** Another product already has this id. `field` is the column. */
export interface IdTaken {
  readonly taken: string;
}

/** Another operator changed the product after it was read. Nothing was changed. */
export class ChangedByAnother extends Error {
  override readonly name = "ChangedByAnother";
}

/** What a product begins with. */
export const inReview = (now: number) =>
  ({ moderation: "in_review", rejectionReason: null, createdAt: now, updatedAt: now, revision: 1 }) as const;

/** Adds a card product. It waits for moderation. */
export async function createCardProduct(
  { directory, clock }: InDirectory,
  partnerId: string,
  values: CardProductValues,
  actor: Actor,
): Promise<Product | IdTaken> {
  const now = clock.now();
  const row: CardProductRow = { id: newId("card"), partnerId, ...values, ...inReview(now) };
  return insert(directory, { kind: "card", row }, directory.insert(cardProducts).values(row), actor, now);
}

/** Attempts to get the next number while other operators add products. */
export const MAX_TRIES = 5;

/** Adds a ruble product. It waits for moderation. Without an id, it gets the next number. */
export async function createRubleProduct(
  { directory, clock }: InDirectory,
  partnerId: string,
  wantedId: number | undefined,
  values: RubleProductValues,
  actor: Actor,
): Promise<Product | IdTaken> {
  for (let tries = 1; ; tries += 1) {
    const now = clock.now();
    const row: RubleProductRow = { id: wantedId ?? (await nextRubleId(directory)), partnerId, ...values, ...inReview(now) };
    const made = await insert(directory, { kind: "ruble", row }, directory.insert(rubleProducts).values(row), actor, now);
    if (!("taken" in made) || wantedId !== undefined || tries === MAX_TRIES) return made;
  }
}

/** The highest id plus one. */
export async function nextRubleId(directory: Directory): Promise<number> {
  const found = await directory
    .select({ largest: sql<number | null>`MAX(${rubleProducts.id})` })
    .from(rubleProducts)
    .get();
  return (found?.largest ?? 0) + 1;
}

async function insert(directory: Directory, product: Product, statement: Statement, actor: Actor, now: number): Promise<Product | IdTaken> {
  const entry = entryOfNew(product, "product.create", actor);
  try {
    await directory.batch([statement, auditRow(directory, entry, now)]);
  } catch (thrown) {
    const column = violatedColumn(thrown);
    if (column === "ruble_products.id" || column === "card_products.processor_product_id") return { taken: column.replace(/^.*\./, "") };
    throw thrown;
  }
  return product;
}

/** What the audit log says of a new product. */
export function entryOfNew(product: Product, action: AuditAction, actor: Actor): AuditEntry {
  const { kind, row } = product;
  const after = { kind, name: row.name, currency: row.currency, unit_amount: row.unitAmount };
  return { actor, action, target: targetOf(product), partnerId: row.partnerId, after };
}

/** A product's id in the form that paths and the audit log use. */
function targetOf({ kind, row }: Product): string {
  return `${kind}/${row.id}`;
}

type ProductChange = Partial<Omit<CardProductValues, "environment" | "type"> & RubleProductValues>;

/** Changes a product. Payments that were made keep their price. Returns the changed product. */
export async function changeProduct(
  { directory, clock }: InDirectory,
  product: Product,
  change: ProductChange,
  actor: Actor,
): Promise<Product | IdTaken> {
  try {
    return await updateProduct({ directory, clock }, product, "product.change", change, actor);
  } catch (thrown) {
    if (violatedColumn(thrown) === "card_products.processor_product_id") return { taken: "processor_product_id" };
    throw thrown;
  }
}

/** What is stored with a decision: the id that an approval got, or the reason of a rejection. */
interface WithDecision {
  readonly processorProductId?: string | null;
  readonly rejectionReason?: string | null;
}

/**
 * Approves or rejects a product. `more` is stored with the decision; an approval has no reason. Returns the changed
 * product. @throws ChangedByAnother
 */
export async function moderateProduct(
  deps: InDirectory,
  product: Product,
  moderation: Exclude<Moderation, "in_review">,
  actor: Actor,
  more: WithDecision = {},
): Promise<Product> {
  const { row } = product;
  const rejectionReason = moderation === "approved" ? null : (more.rejectionReason ?? null);
  const isSame = row.moderation === moderation && row.rejectionReason === rejectionReason && more.processorProductId === undefined;
  if (isSame) return product;
  const change = { ...more, moderation, ...(rejectionReason === row.rejectionReason ? {} : { rejectionReason }) };
  return updateProduct(deps, product, moderation === "approved" ? "product.approve" : "product.reject", change, actor);
}

/** Writes an audit entry that a product got its first link, once per link. */
export async function auditFirstLink(
  { directory, clock }: InDirectory,
  product: Product,
  paymentLinkId: string,
  actor: Actor,
): Promise<void> {
  const { row } = product;
  const action = "payment_link.create_first";
  const after = { product: targetOf(product), currency: row.currency, unit_amount: row.unitAmount };
  const isNew = sql`NOT EXISTS (SELECT 1 FROM audit_log WHERE target = ${paymentLinkId} AND action = ${action})`;
  await runBatch(directory, [
    auditRow(directory, { actor, action, target: paymentLinkId, partnerId: row.partnerId, after }, clock.now(), isNew),
  ]);
}

/** Changes a product and its audit log, if it is still as it was read. Returns the changed product. @throws ChangedByAnother */
export async function updateProduct(
  { directory, clock }: InDirectory,
  product: Product,
  action: AuditAction,
  change: ProductChange & Partial<CardProductValues> & WithDecision & { readonly moderation?: Moderation },
  actor: Actor,
): Promise<Product> {
  const now = clock.now();
  const table = product.kind === "card" ? cardProducts : rubleProducts;
  const names = new Map(Object.entries(table).map(([property, column]) => [property, columnName(column)]));
  const after = Object.fromEntries(Object.entries(change).map(([property, value]) => [names.get(property) ?? property, value]));
  const entry = {
    actor,
    action,
    target: targetOf(product),
    partnerId: product.row.partnerId,
    before: valuesBefore(product, Object.keys(after)),
    after,
  };
  const set = { ...change, updatedAt: now, revision: product.row.revision + 1 };
  const { id, revision } = product.row;
  const isAsSeen = sql`EXISTS (SELECT 1 FROM ${table} WHERE id = ${id} AND revision = ${revision})`;
  const [, changed] = await directory.batch([
    auditRow(directory, entry, now, isAsSeen),
    product.kind === "card"
      ? directory
          .update(cardProducts)
          .set(set)
          .where(and(eq(cardProducts.id, product.row.id), eq(cardProducts.revision, revision)))
          .returning({ kept: cardProducts.revision })
      : directory
          .update(rubleProducts)
          .set(set)
          .where(and(eq(rubleProducts.id, product.row.id), eq(rubleProducts.revision, revision)))
          .returning({ kept: rubleProducts.revision }),
  ]);
  const stored = changed.length === 0 ? undefined : await findProduct(directory, product.kind, String(id));
  if (stored === undefined) throw new ChangedByAnother(`the product ${targetOf(product)} was changed in the meantime`);
  return stored;
}

function columnName(column: unknown): string {
  return typeof column === "object" && column !== null && "name" in column ? String(column.name) : "";
}
