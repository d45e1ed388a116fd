import { and, count, desc, eq, gte, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Environment, environments } from "../core/environment.ts";
import { type Database, inList, type Statement } from "../db/client.ts";
import { missingIds } from "../db/missing-ids.ts";
import { movements } from "../db/schema/ledger.ts";
import { hasTold, type Told, toldAtFirst, toldSince } from "../db/told.ts";
import { excluded, isIncomingNewer, maxOf, newestNonNull } from "../db/upsert.ts";
import type { Movement } from "./movement.ts";

/**
 * Stores the movement as the processor had it at `asOf`. Two refreshes of one movement may be written in the wrong
 * order. The state comes from the later refresh. Values that were once known are kept, whichever refresh saw them. A
 * known owner never changes. A refresh that could not classify the movement never overrides one that could.
 *
 * Events in `told` that are recorded by then are remembered in the row.
 *
 * The columns of indexes have a statement of their own, which runs first and does nothing if they are as they were: an
 * update that names them would write the rows of their indexes anew.
 */
export function upsertMovement(db: Database, movement: Movement, asOf: number, told: readonly Told[] = []): Statement[] {
  const { id, partnerId, paymentIntentId, clientReferenceId } = movement;
  const { updatedAt, type } = movements;
  const isUnclassified = sql`${type} IS NULL`;
  const counts = sql`CASE WHEN (${excluded(type)} IS NULL) = (${isUnclassified}) THEN ${isIncomingNewer(updatedAt)} ELSE ${isUnclassified} END`;
  const state = (column: SQLiteColumn) => sql`CASE WHEN ${counts} THEN ${excluded(column)} ELSE ${column} END`;
  const isNewer = sql`${asOf} >= ${updatedAt}`;
  const known = (value: string | null, column: SQLiteColumn) =>
    sql`CASE WHEN ${isNewer} THEN COALESCE(${value}, ${column}) ELSE COALESCE(${column}, ${value}) END`;
  const owner = sql`COALESCE(${movements.partnerId}, ${partnerId})`;
  const payment = known(paymentIntentId, movements.paymentIntentId);
  const reference = known(clientReferenceId, movements.clientReferenceId);
  return [
    db
      .update(movements)
      .set({ partnerId: owner, paymentIntentId: payment, clientReferenceId: reference })
      .where(
        sql`${movements.id} = ${id} AND (${movements.partnerId}, ${movements.paymentIntentId}, ${movements.clientReferenceId}) IS NOT (${owner}, ${payment}, ${reference})`,
      ),
    db
      .insert(movements)
      .values({ ...movement, told: toldAtFirst(told), updatedAt: asOf })
      .onConflictDoUpdate({
        target: movements.id,
        set: {
          status: state(movements.status),
          fee: state(movements.fee),
          net: state(movements.net),
          description: state(movements.description),
          type: newestNonNull(type, updatedAt),
          sourceId: newestNonNull(movements.sourceId, updatedAt),
          subscriptionId: newestNonNull(movements.subscriptionId, updatedAt),
          isSubscription: maxOf(movements.isSubscription),
          told: toldSince(movements.told, told),
          updatedAt: maxOf(updatedAt),
        },
      })
      .returning({ seen: movements.id, seenAt: movements.updatedAt }),
  ];
}

/**
 * True unless a later refresh has stored another status for the movement: then this status is superseded. A refresh that
 * could not classify the movement supersedes none that could.
 */
export function isNotSuperseded({ id, status, type }: Movement, asOf: number): SQL {
  const { updatedAt } = movements;
  const isClassified = type === null ? sql`TRUE` : sql`${movements.type} IS NOT NULL`;
  return sql`NOT EXISTS (SELECT 1 FROM ${movements} WHERE ${movements.id} = ${id} AND ${updatedAt} > ${asOf} AND ${movements.status} <> ${status} AND ${isClassified})`;
}

/** True unless the movement has told the event. */
export function isNews({ id }: Movement, name: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${movements} WHERE ${movements.id} = ${id} AND ${hasTold(movements.told, name)})`;
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
function inPeriod({ from, to }: Pick<MovementFilter, "from" | "to">) {
  const { transactionDate } = movements;
  return and(from === undefined ? undefined : gte(transactionDate, from), to === undefined ? undefined : lte(transactionDate, to));
}

type Ordered = Pick<Movement, "id" | "transactionDate">;

/**
 * The newest rows of both environments, or of one, by an index that begins with the environment: `query` gives those of
 * one, newest first. One round trip. It reads no more than `limit` rows of each.
 */
async function newestOfEach<Row extends Ordered>(
  db: Database,
  environment: Environment | undefined,
  limit: number,
  query: (environment: Environment) => BatchItem<"sqlite"> & { readonly _: { readonly result: Row[] } },
): Promise<Row[]> {
  const [first, ...others] = (environment === undefined ? environments : [environment]).map(query);
  if (first === undefined) return [];
  const found: Row[][] = await db.batch([first, ...others]);
  return found
    .flat()
    .toSorted((left, right) => right.transactionDate - left.transactionDate || (left.id < right.id ? 1 : -1))
    .slice(0, limit);
}

/** A partner's latest movements, newest first. One round trip, by index. */
export async function listMovements(db: Database, filter: MovementFilter): Promise<Movement[]> {
  const { partnerId, clientReferenceId, transactionDate, id } = movements;
  return newestOfEach(db, filter.environment, filter.limit, (environment) =>
    db
      .select()
      .from(movements)
      .where(
        and(
          eq(partnerId, filter.partnerId),
          eq(movements.environment, environment),
          filter.clientReferenceId === undefined ? undefined : eq(clientReferenceId, filter.clientReferenceId),
          inPeriod(filter),
        ),
      )
      .orderBy(desc(transactionDate), desc(id))
      .limit(filter.limit),
  );
}

/** A payment, and the subscription that it is of, if any. */
export interface KnownPayment {
  readonly environment: Environment;
  readonly paymentIntentId: string | null;
  readonly subscriptionId: string | null;
}

const known = {
  environment: movements.environment,
  paymentIntentId: movements.paymentIntentId,
  subscriptionId: movements.subscriptionId,
};

/** What is known of a payment, whoever's it is. */
export async function paymentsById(db: Database, paymentIntentId: string): Promise<KnownPayment[]> {
  return db.selectDistinct(known).from(movements).where(eq(movements.paymentIntentId, paymentIntentId)).all();
}

/** The payments with an order reference, of these partners. By index, for each of them. */
export async function paymentsByReference(db: Database, partnerIds: readonly string[], clientReferenceId: string): Promise<KnownPayment[]> {
  return db
    .selectDistinct(known)
    .from(movements)
    .where(and(inArray(movements.partnerId, inList(partnerIds)), eq(movements.clientReferenceId, clientReferenceId)))
    .all();
}

/** The payments of a partner's subscription. It reads all of the partner's movements, so only an operator may ask it. */
export async function paymentsOfSubscription(
  db: Database,
  partnerId: string,
  environment: Environment,
  subscriptionId: string,
): Promise<KnownPayment[]> {
  const ofPartner = and(eq(movements.partnerId, partnerId), eq(movements.environment, environment));
  return db
    .selectDistinct(known)
    .from(movements)
    .where(and(ofPartner, eq(movements.subscriptionId, subscriptionId)))
    .all();
}

/** A partner's movements of one payment, oldest first. One round trip, by index. */
export async function movementsOfPayment(db: Database, partnerId: string, paymentIntentId: string): Promise<Movement[]> {
  return db
    .select()
    .from(movements)
    .where(and(eq(movements.paymentIntentId, paymentIntentId), eq(movements.partnerId, partnerId)))
    .orderBy(movements.transactionDate, movements.id)
    .all();
}

type PaymentFilter = Pick<MovementFilter, "partnerId" | "from" | "to" | "limit">;

/** A partner's latest incoming payments of both environments, newest first. One round trip, by index. */
export async function incomingPayments(db: Database, filter: PaymentFilter) {
  const { id, partnerId, type, sourceId, paymentIntentId, subscriptionId, transactionDate } = movements;
  return newestOfEach(db, undefined, filter.limit, (environment) =>
    db
      .select({ id, environment: movements.environment, sourceId, paymentIntentId, subscriptionId, transactionDate })
      .from(movements)
      .where(
        and(eq(partnerId, filter.partnerId), eq(movements.environment, environment), eq(type, "processor_payment_in"), inPeriod(filter)),
      )
      .orderBy(desc(transactionDate), desc(id))
      .limit(filter.limit),
  );
}

/** Query for when the latest stored refresh of a payment saw it. It is sent in one batch with other queries. */
export function latestRefreshOf(db: Database, paymentIntentId: string) {
  return db
    .select({ latest: sql<number | null>`MAX(${movements.updatedAt})` })
    .from(movements)
    .where(eq(movements.paymentIntentId, paymentIntentId));
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
