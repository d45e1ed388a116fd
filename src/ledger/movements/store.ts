import { and, desc, eq, gt, gte, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { type Environment, environments } from "../../core/environment.ts";
import { rankOf } from "../../core/movements.ts";
import { type Database, inList, type Query, type Statement } from "../../db/client.ts";
import { missingIds } from "../../db/missing-ids.ts";
import { type Dated, newestFirst, type PartnerData } from "../../db/partner-data.ts";
import { movements } from "../../db/schema/ledger.ts";
import type { Movement, SeenMovement } from "../movement.ts";
import type { MovementFilter } from "./list.ts";

/** Bounds in Unix milliseconds, both inclusive. An undefined bound is ignored. */
function inPeriod({ from, to }: Pick<MovementFilter, "from" | "to">) {
  const { transactionDate } = movements;
  return and(from === undefined ? undefined : gte(transactionDate, from), to === undefined ? undefined : lte(transactionDate, to));
}

/**
 * The newest rows of both environments, by an index that starts with the environment: `query` returns the rows of one,
 * newest first. One round trip. It reads at most `limit` rows of each.
 */
async function newestOfBoth<Row extends Dated>(
  db: Database,
  limit: number,
  query: (environment: Environment) => Query<Row>,
): Promise<Row[]> {
  const [first, ...others] = environments.map(query);
  if (first === undefined) return [];
  const found: Row[][] = await db.batch([first, ...others]);
  return found.flat().toSorted(newestFirst).slice(0, limit);
}

/**
 * A partner's movements of one payment, oldest first; within one second, what follows a payment comes after it. One database has all of them. One round trip per database that is
 * asked, by index.
 */
export async function movementsOfPayment(data: PartnerData, partnerId: string, paymentIntentId: string): Promise<readonly Movement[]> {
  const found = await data.firstRows((db) =>
    db
      .select()
      .from(movements)
      .where(and(eq(movements.paymentIntentId, paymentIntentId), eq(movements.partnerId, partnerId)))
      .orderBy(movements.transactionDate, movements.id)
      .all(),
  );
  return found.toSorted((one, other) => one.transactionDate - other.transactionDate || rankOf(one.type) - rankOf(other.type));
}

type PaymentFilter = Pick<MovementFilter, "partnerId" | "from" | "to" | "limit">;

/**
 * A partner's latest incoming payments of both environments, newest first. One round trip per database that is asked,
 * by index.
 */
export async function incomingPayments(data: PartnerData, filter: PaymentFilter) {
  return data.newestRows(filter, (db) => incomingPaymentsIn(db, filter));
}

function incomingPaymentsIn(db: Database, filter: PaymentFilter) {
  const { id, partnerId, type, sourceId, paymentIntentId, subscriptionId, transactionDate } = movements;
  return newestOfBoth(db, filter.limit, (environment) =>
    db
      .select({ id, environment: movements.environment, sourceId, paymentIntentId, subscriptionId, at: transactionDate })
      .from(movements)
      .where(
        and(eq(partnerId, filter.partnerId), eq(movements.environment, environment), eq(type, "processor_payment_in"), inPeriod(filter)),
      )
      .orderBy(desc(transactionDate), desc(id))
      .limit(filter.limit),
  );
}

/** Query for the time of a payment's latest stored refresh, for a batch. */
export function latestRefreshOf(db: Database, paymentIntentId: string) {
  return db
    .select({ latest: sql<number | null>`MAX(${movements.updatedAt})` })
    .from(movements)
    .where(eq(movements.paymentIntentId, paymentIntentId));
}

/** Query for the known owner of a payment: one row or none, for a batch. */
export function ownerOfPayment(db: Database, paymentIntentId: string) {
  return db
    .selectDistinct({ partnerId: movements.partnerId })
    .from(movements)
    .where(and(eq(movements.paymentIntentId, paymentIntentId), isNotNull(movements.partnerId)));
}

/** SQL for the owner of a payment, or of a movement's payment, as far as this database knows it; else NULL. */
export function partnerOfPayment(id: string): SQL {
  const isOfPayment = and(eq(movements.paymentIntentId, id), isNotNull(movements.partnerId));
  return sql`(SELECT partner_id FROM ${movements} WHERE ${isOfPayment} LIMIT 1)`;
}

/** The ids that are not in the ledger. */
export function missingMovements(db: Database, ids: readonly string[]): Promise<Set<string>> {
  return missingIds(db, movements, ids);
}

/** Deletes these movements, because another database has their state at `asOf` (Unix milliseconds). Later ones stay. */
export function deleteMovements(db: Database, ids: readonly string[], asOf: number): Statement {
  return db.delete(movements).where(and(inArray(movements.id, inList(ids)), lte(movements.updatedAt, asOf)));
}

/** Empties the descriptions of the movements of these payments, which may name their buyer. By the index of payments. */
export async function emptyDescriptions(db: Database, paymentIntentIds: readonly string[]): Promise<void> {
  const { paymentIntentId, description } = movements;
  await db
    .update(movements)
    .set({ description: null })
    .where(and(inArray(paymentIntentId, inList(paymentIntentIds)), isNotNull(description)));
}

/** Some movements of a database, in id order. In the directory they have no known owner. */
export async function movementsAfter(db: Database, id: string, limit: number) {
  const { environment, partnerId } = movements;
  const next = db.select({ id: movements.id, environment, partnerId }).from(movements).where(gt(movements.id, id));
  return next.orderBy(movements.id).limit(limit).all();
}

/** All movements of a payment, of any partner, oldest first. */
export async function movementsOfAnyPayment(db: Database, paymentIntentId: string): Promise<SeenMovement[]> {
  return db
    .select()
    .from(movements)
    .where(eq(movements.paymentIntentId, paymentIntentId))
    .orderBy(movements.transactionDate, movements.id)
    .all();
}
