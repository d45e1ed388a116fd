import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import type { Environment } from "../../core/environment.ts";
import { type Database, inList } from "../../db/client.ts";
import { movements } from "../../db/schema/ledger.ts";
import { movementId, transactionIdOf } from "../movement.ts";

const known = {
  environment: movements.environment,
  paymentIntentId: movements.paymentIntentId,
  subscriptionId: movements.subscriptionId,
  /** Null if the owner is unknown. */
  partnerId: movements.partnerId,
};
/** A payment, and its subscription if it has one. */
export type KnownPayment = SelectResultFields<typeof known>;

/** The stored rows of a payment, of any partner. */
export async function paymentsById(db: Database, paymentIntentId: string): Promise<KnownPayment[]> {
  return db.selectDistinct(known).from(movements).where(eq(movements.paymentIntentId, paymentIntentId)).all();
}

/** The payment of a balance transaction, by its id or by that of its movement. */
export async function paymentsOfTransaction(db: Database, id: string): Promise<KnownPayment[]> {
  return db
    .select(known)
    .from(movements)
    .where(eq(movements.id, movementId(transactionIdOf(id))))
    .all();
}

/** The payments of these partners with an order reference, by index. */
export async function paymentsByReference(db: Database, partnerIds: readonly string[], clientReferenceId: string): Promise<KnownPayment[]> {
  return db
    .selectDistinct(known)
    .from(movements)
    .where(and(inArray(movements.partnerId, inList(partnerIds)), eq(movements.clientReferenceId, clientReferenceId)))
    .all();
}

/** The payments with an order reference that have no owner. */
export async function unownedByReference(db: Database, clientReferenceId: string): Promise<KnownPayment[]> {
  const isUnowned = and(isNull(movements.partnerId), eq(movements.clientReferenceId, clientReferenceId));
  return db.selectDistinct(known).from(movements).where(isUnowned).all();
}

/**
 * The payments of a subscription that belong to its partner, or have no owner (null). It reads all of the partner's
 * movements, so only operators may call it.
 */
export async function paymentsOfSubscription(
  db: Database,
  partnerId: string | null,
  environment: Environment,
  subscriptionId: string,
): Promise<KnownPayment[]> {
  const isOfOwner = partnerId === null ? isNull(movements.partnerId) : eq(movements.partnerId, partnerId);
  const ofPartner = and(isOfOwner, eq(movements.environment, environment));
  return db
    .selectDistinct(known)
    .from(movements)
    .where(and(ofPartner, eq(movements.subscriptionId, subscriptionId)))
    .all();
}

/** The newest rows of a link or of a reference that are looked at. */
const MAX_LOOKED_AT = 2_000;

/** The newest payments of a partner's link, by index. */
export async function paymentsOfLink(db: Database, partnerId: string, paymentLinkId: string): Promise<KnownPayment[]> {
  const newest = db
    .select(known)
    .from(movements)
    // The plus keeps SQLite from using the index by partner.
    .where(and(eq(movements.paymentLinkId, paymentLinkId), sql`+${movements.partnerId} = ${partnerId}`))
    .orderBy(desc(movements.transactionDate))
    .limit(MAX_LOOKED_AT)
    .as("newest");
  return db.selectDistinct().from(newest).all();
}

/** The newest payments of a partner with an order reference, each with its link, by index. */
export async function newestOfReference(db: Database, partnerId: string, clientReferenceId: string) {
  const newest = db
    .select({ ...known, paymentLinkId: movements.paymentLinkId })
    .from(movements)
    .where(and(eq(movements.partnerId, partnerId), eq(movements.clientReferenceId, clientReferenceId)))
    .limit(MAX_LOOKED_AT)
    .as("newest");
  return db.selectDistinct().from(newest).all();
}
