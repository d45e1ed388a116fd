import { and, count, desc, eq, inArray, isNull, not, type SQL, sql } from "drizzle-orm";
import { type Database, inList } from "../../db/client.ts";
import { isOlderThan, type PageKey } from "../../db/page-key.ts";
import { movements } from "../../db/schema/ledger.ts";
import { isDismissed } from "../dismissals.ts";

const UNATTRIBUTED = isNull(movements.partnerId);

/** Deletes those movements that have no owner in this database, because another database has them with their owner. */
export async function deleteUnattributed(db: Database, ids: readonly string[]): Promise<void> {
  await db.delete(movements).where(and(inArray(movements.id, inList(ids)), UNATTRIBUTED));
}

/** Movements without an owner that were not dismissed wait for an operator. */
const WAITS = and(UNATTRIBUTED, not(isDismissed(movements.id)));

export function countUnattributed(db: Database) {
  return db
    .select({ count: count(), oldest: sql<number | null>`MIN(${movements.transactionDate})` })
    .from(movements)
    .where(WAITS);
}

const shown = {
  id: movements.id,
  environment: movements.environment,
  amount: movements.amount,
  currency: movements.currency,
  type: movements.type,
  status: movements.status,
  transactionDate: movements.transactionDate,
  paymentIntentId: movements.paymentIntentId,
  sourceId: movements.sourceId,
  subscriptionId: movements.subscriptionId,
};

/** Movements without a known owner that wait for an operator, newest first, after a given one. */
export function unattributedMovements(db: Database, before: PageKey | undefined, limit: number) {
  const { transactionDate, id } = movements;
  const isEarlier = isOlderThan(transactionDate, id, before);
  return db.select(shown).from(movements).where(and(WAITS, isEarlier)).orderBy(desc(transactionDate), desc(id)).limit(limit);
}

/** SQL condition: true while a movement has no owner. */
export function isUnattributed(movement: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${movements} WHERE ${eq(movements.id, movement)} AND ${UNATTRIBUTED})`;
}

/** A movement without an owner, dismissed or not; undefined if it has an owner, or does not exist. */
export async function findUnattributed(db: Database, movement: string) {
  return db
    .select(shown)
    .from(movements)
    .where(and(eq(movements.id, movement), UNATTRIBUTED))
    .get();
}

/** The movements of one payment that have no known owner. */
export async function unattributedOfPayment(db: Database, paymentIntentId: string, limit: number) {
  return db
    .select({ id: movements.id })
    .from(movements)
    .where(and(eq(movements.paymentIntentId, paymentIntentId), UNATTRIBUTED))
    .limit(limit)
    .all();
}
