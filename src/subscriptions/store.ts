import { eq, lte, type SQL, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import type { Database, Statement } from "../db/client.ts";
import { subscriptions } from "../db/schema/subscriptions.ts";
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
 * The subscription as the processor had it at `asOf`, unless a later look has been written already. Whose it is, once
 * known, never changes.
 */
export function upsertSubscription(db: Database, { facts, environment, partnerId, paymentLinkId, asOf }: Look): Statement {
  const { id, status, cancelAtPeriodEnd, cancelAt, currentPeriodEnd } = facts;
  const state = { status, cancelAtPeriodEnd, cancelAt, currentPeriodEnd, updatedAt: asOf };
  return db
    .insert(subscriptions)
    .values({ id, environment, partnerId, paymentLinkId, ...state })
    .onConflictDoUpdate({
      target: subscriptions.id,
      set: {
        ...state,
        partnerId: sql`COALESCE(${subscriptions.partnerId}, excluded.partner_id)`,
        paymentLinkId: sql`COALESCE(${subscriptions.paymentLinkId}, excluded.payment_link_id)`,
      },
      setWhere: lte(subscriptions.updatedAt, asOf),
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
