import { and, desc, eq, inArray, lte, type SQL } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { type Database, listed, type Statement } from "../db/client.ts";
import { movements, processorObjects } from "../db/schema/ledger.ts";
import type { ProcessorObject } from "../processor/facts.ts";
import { inPeriod, type MovementFilter } from "./store.ts";

/** The object as the processor had it at `asOf`, unless a later look has been written already. */
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
      set: { data, paymentIntentId, fetchedAt: asOf },
      setWhere: lte(processorObjects.fetchedAt, asOf),
    });
}

/** What is stored of a payment: the processor's objects around it, as JSON texts. */
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

/** What is stored around payments, and the subscriptions that they pay for. The objects stay texts: nobody needs to read them. */
function objectsOf(db: Database, ofThesePayments: SQL, ofTheseSubscriptions: SQL) {
  const { id, type, data, paymentIntentId } = processorObjects;
  return [
    db.select({ id, type, data, paymentIntentId }).from(processorObjects).where(ofThesePayments),
    db.select({ id, type, data }).from(processorObjects).where(ofTheseSubscriptions),
  ] as const;
}

/** A partner's latest incoming payments, newest first, with the objects around the first of them. One round trip, by index. */
export async function findPayments(db: Database, filter: PaymentFilter, limit: number, withObjects: number) {
  const page = paymentsIn(db, filter, withObjects).as("page");
  const [payments, ofPayments, ofSubscriptions] = await db.batch([
    paymentsIn(db, filter, limit),
    ...objectsOf(
      db,
      inArray(processorObjects.paymentIntentId, db.select({ of: page.paymentIntentId }).from(page)),
      inArray(processorObjects.id, db.select({ of: page.subscriptionId }).from(page)),
    ),
  ]);
  return { payments, objects: { ofPayments, ofSubscriptions } };
}

/** The objects around these payments. One round trip and one parameter each, however many there are. */
export async function findObjects(
  db: Database,
  payments: readonly { readonly paymentIntentId: string | null; readonly subscriptionId: string | null }[],
) {
  const [ofPayments, ofSubscriptions] = await db.batch([
    ...objectsOf(
      db,
      inArray(processorObjects.paymentIntentId, listed(payments.map(({ paymentIntentId }) => paymentIntentId))),
      inArray(processorObjects.id, listed(payments.map(({ subscriptionId }) => subscriptionId))),
    ),
  ]);
  return { ofPayments, ofSubscriptions };
}

/** A partner's movements of one payment, oldest first, and what is stored around it. One round trip, by index. */
export async function findPaymentWithObjects(db: Database, partnerId: string, paymentIntentId: string) {
  const ofPayment = and(eq(movements.paymentIntentId, paymentIntentId), eq(movements.partnerId, partnerId));
  const [found, ...objects] = await db.batch([
    db.select().from(movements).where(ofPayment).orderBy(movements.transactionDate, movements.id),
    ...objectsOf(
      db,
      eq(processorObjects.paymentIntentId, paymentIntentId),
      inArray(processorObjects.id, db.select({ of: movements.subscriptionId }).from(movements).where(ofPayment)),
    ),
  ]);
  return { movements: found, objects: objects.flat() };
}
