import { and, count, desc, eq, gte, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Environment } from "../core/environment.ts";
import type { Database, Statement } from "../db/client.ts";
import { missingIds } from "../db/missing-ids.ts";
import { movements } from "../db/schema/ledger.ts";
import { excluded, firstNonNull, isIncomingNewer, maxOf, newestNonNull } from "../db/upsert.ts";
import type { Movement } from "./movement.ts";

/**
 * Stores the movement as the processor had it at `asOf`. Two refreshes of one movement may be written in the wrong
 * order. The state comes from the later refresh. Values that were once known are kept, whichever refresh saw them. A
 * known owner never changes. A refresh that could not classify the movement never overrides one that could.
 */
export function upsertMovement(db: Database, movement: Movement, asOf: number): Statement {
  const { updatedAt, type } = movements;
  const isUnclassified = sql`${type} IS NULL`;
  const counts = sql`CASE WHEN (${excluded(type)} IS NULL) = (${isUnclassified}) THEN ${isIncomingNewer(updatedAt)} ELSE ${isUnclassified} END`;
  const state = (column: SQLiteColumn) => sql`CASE WHEN ${counts} THEN ${excluded(column)} ELSE ${column} END`;
  return db
    .insert(movements)
    .values({ ...movement, updatedAt: asOf })
    .onConflictDoUpdate({
      target: movements.id,
      set: {
        status: state(movements.status),
        fee: state(movements.fee),
        net: state(movements.net),
        description: state(movements.description),
        type: newestNonNull(type, updatedAt),
        sourceId: newestNonNull(movements.sourceId, updatedAt),
        clientReferenceId: newestNonNull(movements.clientReferenceId, updatedAt),
        paymentIntentId: newestNonNull(movements.paymentIntentId, updatedAt),
        subscriptionId: newestNonNull(movements.subscriptionId, updatedAt),
        isSubscription: maxOf(movements.isSubscription),
        partnerId: firstNonNull(movements.partnerId),
        updatedAt: maxOf(updatedAt),
      },
    });
}

/** True unless a later refresh has stored another status for the movement: then this status is superseded. */
export function isNotSuperseded({ id, status }: Movement, asOf: number): SQL {
  const { updatedAt } = movements;
  return sql`NOT EXISTS (SELECT 1 FROM ${movements} WHERE ${movements.id} = ${id} AND ${updatedAt} > ${asOf} AND ${movements.status} <> ${status})`;
}

export interface MovementFilter {
  readonly partnerId: string;
  readonly environment: Environment | undefined;
  /** Unix milliseconds, inclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly clientReferenceId: string | undefined;
  readonly limit: number;
}

/** Bounds in Unix milliseconds, both inclusive. An undefined bound is ignored. */
export function inPeriod({ from, to }: Pick<MovementFilter, "from" | "to">) {
  const { transactionDate } = movements;
  return and(from === undefined ? undefined : gte(transactionDate, from), to === undefined ? undefined : lte(transactionDate, to));
}

/** A partner's latest movements, newest first. One round trip, by index. It reads no more rows than `limit`. */
export async function listMovements(db: Database, filter: MovementFilter): Promise<Movement[]> {
  return db
    .select()
    .from(movements)
    .where(
      and(
        eq(movements.partnerId, filter.partnerId),
        filter.environment === undefined ? undefined : eq(movements.environment, filter.environment),
        filter.clientReferenceId === undefined ? undefined : eq(movements.clientReferenceId, filter.clientReferenceId),
        inPeriod(filter),
      ),
    )
    .orderBy(desc(movements.transactionDate), desc(movements.id))
    .limit(filter.limit)
    .all();
}

/** Query for the known owner of a payment: one row or none. It is sent in one batch with other queries. */
export function ownerOfPayment(db: Database, paymentIntentId: string) {
  return db
    .selectDistinct({ partnerId: movements.partnerId })
    .from(movements)
    .where(and(eq(movements.paymentIntentId, paymentIntentId), isNotNull(movements.partnerId)));
}

/** The ids that are not in the ledger. */
export function missingMovements(db: Database, ids: readonly string[]): Promise<Set<string>> {
  return missingIds(db, movements, ids);
}

const UNATTRIBUTED = isNull(movements.partnerId);

export function countUnattributed(db: Database) {
  return db.select({ count: count() }).from(movements).where(UNATTRIBUTED);
}

/** Movements without a known owner, newest first. */
export function unattributedMovements(db: Database, limit: number) {
  const { id, environment, amount, currency, type, status, transactionDate, paymentIntentId, sourceId, subscriptionId } = movements;
  return db
    .select({ id, environment, amount, currency, type, status, transactionDate, paymentIntentId, sourceId, subscriptionId })
    .from(movements)
    .where(UNATTRIBUTED)
    .orderBy(desc(transactionDate))
    .limit(limit);
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
