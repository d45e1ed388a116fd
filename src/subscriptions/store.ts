import { eq, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import type { Database, Statement } from "../db/client.ts";
import { subscriptions } from "../db/schema/subscriptions.ts";
import { firstKnown, greater, lastSeen } from "../db/upsert.ts";
import type { SubscriptionFacts } from "../processor/facts.ts";

interface Look {
  readonly facts: SubscriptionFacts;
  readonly environment: Environment;
  readonly partnerId: string | null;
  readonly paymentLinkId: string | null;
  /** When the processor was asked, in Unix milliseconds. */
  readonly asOf: number;
}

/**
 * The subscription as the processor had it at `asOf`, or as a later look has found it that was written already. What is
 * once known of whose it is, and of its link, stays known.
 */
export function upsertSubscription(db: Database, { facts, environment, partnerId, paymentLinkId, asOf }: Look): Statement {
  const { id, status, cancelAtPeriodEnd, cancelAt, currentPeriodEnd } = facts;
  const { updatedAt } = subscriptions;
  return db
    .insert(subscriptions)
    .values({ id, environment, partnerId, paymentLinkId, status, cancelAtPeriodEnd, cancelAt, currentPeriodEnd, updatedAt: asOf })
    .onConflictDoUpdate({
      target: subscriptions.id,
      set: {
        status: lastSeen(subscriptions.status, updatedAt),
        cancelAtPeriodEnd: lastSeen(subscriptions.cancelAtPeriodEnd, updatedAt),
        cancelAt: lastSeen(subscriptions.cancelAt, updatedAt),
        currentPeriodEnd: lastSeen(subscriptions.currentPeriodEnd, updatedAt),
        partnerId: firstKnown(subscriptions.partnerId),
        paymentLinkId: firstKnown(subscriptions.paymentLinkId),
        updatedAt: greater(updatedAt),
      },
    });
}

/**
 * Holds where a running subscription of an earlier look is stored with another status, or set to end otherwise. It is
 * to be asked in the batch that stores the new look, before that: then of two looks at one change only one sees it.
 */
export function storedOtherwise({ id, status, cancelAtPeriodEnd, cancelAt }: SubscriptionFacts, asOf: number): SQL {
  const stored = subscriptions;
  return sql`EXISTS (SELECT 1 FROM ${stored} WHERE ${stored.id} = ${id} AND ${stored.updatedAt} <= ${asOf} AND ${stored.status} NOT LIKE 'incomplete%' AND (${stored.status}, ${stored.cancelAtPeriodEnd}, ${stored.cancelAt}) IS NOT (${status}, ${cancelAtPeriodEnd ? 1 : 0}, ${cancelAt}))`;
}

/** Holds unless a later look has found another status: then this one's has passed, and is no news. */
export function isNews({ id, status }: SubscriptionFacts, asOf: number): SQL {
  const stored = subscriptions;
  return sql`NOT EXISTS (SELECT 1 FROM ${stored} WHERE ${stored.id} = ${id} AND ${stored.updatedAt} > ${asOf} AND ${stored.status} <> ${status})`;
}

/** A subscription that events have told of, whoever's it is. One D1 round trip. */
export async function findSubscription(db: Database, id: string) {
  return db
    .select({ partnerId: subscriptions.partnerId, environment: subscriptions.environment, status: subscriptions.status })
    .from(subscriptions)
    .where(eq(subscriptions.id, id))
    .get();
}

/** Whose a subscription is known to be, as a row or none; to be sent together with other questions. */
export function partnerOfSubscription(db: Database, id: string) {
  return db.select({ partnerId: subscriptions.partnerId }).from(subscriptions).where(eq(subscriptions.id, id));
}
