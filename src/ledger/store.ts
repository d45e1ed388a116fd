import { and, count, desc, eq, gte, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Environment } from "../core/environment.ts";
import { type Database, listed, type Statement } from "../db/client.ts";
import { movements, sweeps } from "../db/schema/ledger.ts";
import type { Movement } from "./movement.ts";

/**
 * The movement as the processor had it at `asOf`, unless a later look has been written already: two looks at one
 * charge may be written in the wrong order. What was once known stays known: whose it is never changes, and a look
 * that does not see the rest takes nothing away.
 */
export function upsertMovement(db: Database, movement: Movement, asOf: number): Statement {
  const { fee, net, status, description, type } = movement;
  return db
    .insert(movements)
    .values({ ...movement, updatedAt: asOf })
    .onConflictDoUpdate({
      target: movements.id,
      set: {
        fee,
        net,
        status,
        description,
        type,
        sourceId: kept(movements.sourceId),
        isSubscription: sql`MAX(${movements.isSubscription}, excluded.is_subscription)`,
        clientReferenceId: kept(movements.clientReferenceId),
        paymentIntentId: kept(movements.paymentIntentId),
        subscriptionId: kept(movements.subscriptionId),
        partnerId: sql`COALESCE(${movements.partnerId}, excluded.partner_id)`,
        updatedAt: asOf,
      },
      // What nobody could classify says nothing against what somebody did.
      setWhere: sql`${lte(movements.updatedAt, asOf)} AND ${type === null ? isNull(movements.type) : sql`TRUE`}`,
    });
}

/** The new value, or the stored one where the new look does not see it. */
function kept(column: SQLiteColumn): SQL {
  return sql`COALESCE(${sql.raw(`excluded.${column.name}`)}, ${column})`;
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

/** How far each sweep has come; there is a handful of them. */
export function allSweeps(db: Database) {
  return db.select().from(sweeps).orderBy(sweeps.name);
}
