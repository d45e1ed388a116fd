import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { type Database, inList } from "../db/client.ts";
import { movements } from "../db/schema/ledger.ts";

/** A payment, and the subscription that it is of, if any. */
export interface KnownPayment {
  readonly environment: Environment;
  readonly paymentIntentId: string | null;
  readonly subscriptionId: string | null;
  /** Null where no owner is known. */
  readonly partnerId: string | null;
}

const known = {
  environment: movements.environment,
  paymentIntentId: movements.paymentIntentId,
  subscriptionId: movements.subscriptionId,
  partnerId: movements.partnerId,
};

/** What is known of a payment, whoever's it is. */
export async function paymentsById(db: Database, paymentIntentId: string): Promise<KnownPayment[]> {
  return db.selectDistinct(known).from(movements).where(eq(movements.paymentIntentId, paymentIntentId)).all();
}

/** The payment that a movement is of. */
export async function paymentsOfMovement(db: Database, movementId: string): Promise<KnownPayment[]> {
  return db.select(known).from(movements).where(eq(movements.id, movementId)).all();
}

/** The payments with an order reference, of these partners. By index, for each of them. */
export async function paymentsByReference(db: Database, partnerIds: readonly string[], clientReferenceId: string): Promise<KnownPayment[]> {
  return db
    .selectDistinct(known)
    .from(movements)
    .where(and(inArray(movements.partnerId, inList(partnerIds)), eq(movements.clientReferenceId, clientReferenceId)))
    .all();
}

/** The payments without an owner with an order reference. */
export async function unownedByReference(db: Database, clientReferenceId: string): Promise<KnownPayment[]> {
  const isUnowned = and(isNull(movements.partnerId), eq(movements.clientReferenceId, clientReferenceId));
  return db.selectDistinct(known).from(movements).where(isUnowned).all();
}

/**
 * The payments of a subscription, of its partner or without an owner (null). It reads all of the partner's movements, so only an operator
 * may ask it.
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
