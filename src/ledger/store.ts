import { and, count, desc, eq, gte, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Environment } from "../core/environment.ts";
import { type Database, listed, type Statement } from "../db/client.ts";
import { movements, sweeps } from "../db/schema/ledger.ts";
import { firstKnown, greater, incoming, isLater, lastKnown } from "../db/upsert.ts";
import type { Movement } from "./movement.ts";

/**
 * The movement as the processor had it at `asOf`. Two looks at one may be written in the wrong order: its state is the
 * later look's, and what was once known stays known, whichever look saw it. Whose it is never changes. What nobody
 * could classify says nothing against what somebody did.
 */
export function upsertMovement(db: Database, movement: Movement, asOf: number): Statement {
  const { updatedAt, type } = movements;
  const isUnclassified = sql`${type} IS NULL`;
  const counts = sql`CASE WHEN (${incoming(type)} IS NULL) = (${isUnclassified}) THEN ${isLater(updatedAt)} ELSE ${isUnclassified} END`;
  const state = (column: SQLiteColumn) => sql`CASE WHEN ${counts} THEN ${incoming(column)} ELSE ${column} END`;
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
        type: lastKnown(type, updatedAt),
        sourceId: lastKnown(movements.sourceId, updatedAt),
        clientReferenceId: lastKnown(movements.clientReferenceId, updatedAt),
        paymentIntentId: lastKnown(movements.paymentIntentId, updatedAt),
        subscriptionId: lastKnown(movements.subscriptionId, updatedAt),
        isSubscription: greater(movements.isSubscription),
        partnerId: firstKnown(movements.partnerId),
        updatedAt: greater(updatedAt),
      },
    });
}

/** Holds unless a later look has shown the movement in another state: then this one's has passed, and is no news. */
export function isNews({ id, status }: Movement, asOf: number): SQL {
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

/** Unix milliseconds, both inclusive; a bound that is not given does not bind. */
export function inPeriod({ from, to }: Pick<MovementFilter, "from" | "to">) {
  const { transactionDate } = movements;
  return and(from === undefined ? undefined : gte(transactionDate, from), to === undefined ? undefined : lte(transactionDate, to));
}

/** A partner's latest movements, newest first. One round trip, by index, no more rows than asked for. */
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

/** Whose a payment is known to be, as a row or none; to be sent together with other questions. */
export function partnerOfPayment(db: Database, paymentIntentId: string) {
  return db
    .selectDistinct({ partnerId: movements.partnerId })
    .from(movements)
    .where(and(eq(movements.paymentIntentId, paymentIntentId), isNotNull(movements.partnerId)));
}

/** Which of these movements are not in the ledger. */
export async function missingMovements(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: movements.id })
    .from(movements)
    .where(inArray(movements.id, listed(ids)))
    .all();
  return new Set(ids).difference(new Set(rows.map(({ id }) => id)));
}

/** How far a sweep has come, if it ever ran. */
export async function findSweep(db: Database, name: string) {
  return db.select().from(sweeps).where(eq(sweeps.name, name)).get();
}

/** Notes how far a sweep has come, never back, and how many movements it found that events had missed. */
export async function recordSweep(db: Database, name: string, cursor: number, found: number, now: number): Promise<void> {
  await db
    .insert(sweeps)
    .values({ name, cursor, found, updatedAt: now })
    .onConflictDoUpdate({
      target: sweeps.name,
      set: { cursor: sql`MAX(${sweeps.cursor}, ${cursor})`, found: sql`${sweeps.found} + ${found}`, updatedAt: now },
    });
}

const UNATTRIBUTED = isNull(movements.partnerId);

export function countUnattributed(db: Database) {
  return db.select({ count: count() }).from(movements).where(UNATTRIBUTED);
}

/** Movements that nobody is known to own, newest first. */
export function unattributedMovements(db: Database, limit: number) {
  const { id, environment, amount, currency, type, status, transactionDate, paymentIntentId, sourceId, subscriptionId } = movements;
  return db
    .select({ id, environment, amount, currency, type, status, transactionDate, paymentIntentId, sourceId, subscriptionId })
    .from(movements)
    .where(UNATTRIBUTED)
    .orderBy(desc(transactionDate))
    .limit(limit);
}

/** The movements of one payment that nobody is known to own. */
export async function unattributedOfPayment(db: Database, paymentIntentId: string, limit: number) {
  return db
    .select({ id: movements.id })
    .from(movements)
    .where(and(eq(movements.paymentIntentId, paymentIntentId), UNATTRIBUTED))
    .limit(limit)
    .all();
}

/** How far each sweep has come; there is a handful of them. */
export function allSweeps(db: Database) {
  return db.select().from(sweeps).orderBy(sweeps.name);
}
