import { and, desc, eq, getTableColumns, inArray, lte, notInArray, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { type Database, inList, type Statement } from "../db/client.ts";
import { movements, processorObjects } from "../db/schema/ledger.ts";
import { newestNonNull } from "../db/upsert.ts";
import type { ProcessorObject } from "../processor/facts.ts";
import { inPeriod, type MovementFilter } from "./store.ts";

/** Stores the object as the processor had it at `asOf`, unless a later refresh is already stored. */
export function upsertProcessorObject(
  db: Database,
  object: ProcessorObject,
  environment: Environment,
  paymentIntentId: string | null,
  asOf: number,
): Statement {
  const data = JSON.stringify(object.data);
  return db
    .insert(processorObjects)
    .values({ id: object.id, type: object.type, environment, paymentIntentId, data, fetchedAt: asOf })
    .onConflictDoUpdate({
      target: processorObjects.id,
      // A refresh that started from another object may not see the payment of this object.
      set: { data, paymentIntentId: newestNonNull(processorObjects.paymentIntentId, processorObjects.fetchedAt), fetchedAt: asOf },
      setWhere: lte(processorObjects.fetchedAt, asOf),
    });
}

/** A stored processor object of a payment, as JSON text. */
export interface StoredObject {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

type PaymentFilter = Pick<MovementFilter, "partnerId" | "from" | "to">;

function paymentsIn(db: Database, filter: PaymentFilter, limit: number) {
  const { id, partnerId, type, environment, sourceId, paymentIntentId, subscriptionId, transactionDate } = movements;
  return db
    .select({ id, environment, sourceId, paymentIntentId, subscriptionId })
    .from(movements)
    .where(and(eq(partnerId, filter.partnerId), eq(type, "processor_payment_in"), inPeriod(filter)))
    .orderBy(desc(transactionDate), desc(id))
    .limit(limit);
}

/** Refunds and disputes are not part of the payment's own record, and there may be many. */
const IS_OF_PAYMENT = notInArray(processorObjects.type, ["refund", "dispute"]);

/** Queries for the stored objects of payments and of their subscriptions. The objects stay JSON text. */
function objectsOf(db: Database, ofThesePayments: SQL | undefined, ofTheseSubscriptions: SQL) {
  const { id, type, data, paymentIntentId } = processorObjects;
  return [
    db.select({ id, type, data, paymentIntentId, seen: FIRST_SEEN }).from(processorObjects).where(ofThesePayments),
    db.select({ id, type, data, seen: FIRST_SEEN }).from(processorObjects).where(ofTheseSubscriptions),
  ] as const;
}

/**
 * A partner's latest incoming payments, newest first, with the objects of the first `withObjects` payments. One round
 * trip, by index.
 */
export async function findPayments(db: Database, filter: PaymentFilter, limit: number, withObjects: number) {
  const page = paymentsIn(db, filter, withObjects).as("page");
  const [payments, ofPayments, ofSubscriptions] = await db.batch([
    paymentsIn(db, filter, limit),
    ...objectsOf(
      db,
      and(inArray(processorObjects.paymentIntentId, db.select({ of: page.paymentIntentId }).from(page)), IS_OF_PAYMENT),
      inArray(processorObjects.id, db.select({ of: page.subscriptionId }).from(page)),
    ),
  ]);
  return { payments, objects: { ofPayments, ofSubscriptions } };
}

/** The objects of these payments. One round trip, and one parameter per query for any number of payments. */
export async function findObjects(
  db: Database,
  payments: readonly { readonly paymentIntentId: string | null; readonly subscriptionId: string | null }[],
) {
  const [ofPayments, ofSubscriptions] = await db.batch([
    ...objectsOf(
      db,
      and(inArray(processorObjects.paymentIntentId, inList(payments.map(({ paymentIntentId }) => paymentIntentId))), IS_OF_PAYMENT),
      inArray(processorObjects.id, inList(payments.map(({ subscriptionId }) => subscriptionId))),
    ),
  ]);
  return { ofPayments, ofSubscriptions };
}

/**
 * A partner's movements of one payment, oldest first, and the stored objects of the payment. One round trip, by index.
 */
export async function findPaymentWithObjects(db: Database, partnerId: string, paymentIntentId: string) {
  const ofPayment = and(eq(movements.paymentIntentId, paymentIntentId), eq(movements.partnerId, partnerId));
  const [found, ...objects] = await db.batch([
    db
      .select({ ...getTableColumns(movements), seen: FIRST_SEEN })
      .from(movements)
      .where(ofPayment)
      .orderBy(movements.transactionDate, movements.id),
    ...objectsOf(
      db,
      eq(processorObjects.paymentIntentId, paymentIntentId),
      inArray(processorObjects.id, db.select({ of: movements.subscriptionId }).from(movements).where(ofPayment)),
    ),
  ]);
  // The processor's timestamps are in seconds. Within one second, the row that we stored first comes first.
  const oldestFirst = found.toSorted((left, right) => left.transactionDate - right.transactionDate || left.seen - right.seen);
  return { movements: oldestFirst, objects: objects.flat().toSorted((left, right) => left.seen - right.seen) };
}

/** Rows are never deleted, so SQLite's rowid shows which of two rows was inserted first. */
const FIRST_SEEN = sql<number>`rowid`.as("seen");
