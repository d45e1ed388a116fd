import { and, desc, eq, inArray, lte } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import type { Database, Statement } from "../db/client.ts";
import { movements, processorObjects } from "../db/schema/ledger.ts";
import type { ProcessorObject } from "../processor/port.ts";
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

/**
 * A partner's latest incoming payments of a period with the objects around each, newest first. One round trip, by
 * index, whatever their number; the objects stay texts, since nobody here needs to read them.
 */
export async function listPaymentObjects(
  db: Database,
  { partnerId, from, to, limit }: Pick<MovementFilter, "partnerId" | "from" | "to" | "limit">,
) {
  const { id, environment, sourceId, paymentIntentId, subscriptionId, transactionDate } = movements;
  const payments = db
    .select({ id, environment, sourceId, paymentIntentId, subscriptionId })
    .from(movements)
    .where(and(eq(movements.partnerId, partnerId), eq(movements.type, "processor_payment_in"), inPeriod({ from, to })))
    .orderBy(desc(transactionDate), desc(id))
    .limit(limit);
  const page = payments.as("page");
  const object = { id: processorObjects.id, type: processorObjects.type, data: processorObjects.data };
  const [rows, ofPayments, ofSubscriptions] = await db.batch([
    payments,
    db
      .select({ ...object, paymentIntentId: processorObjects.paymentIntentId })
      .from(page)
      .innerJoin(processorObjects, eq(processorObjects.paymentIntentId, page.paymentIntentId)),
    db
      .select(object)
      .from(processorObjects)
      .where(inArray(processorObjects.id, db.select({ id: page.subscriptionId }).from(page))),
  ]);
  return { rows, ofPayments, ofSubscriptions };
}
