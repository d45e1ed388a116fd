import { eq, lte, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import type { Database, Statement } from "../db/client.ts";
import { subscriptions } from "../db/schema/subscriptions.ts";
import type { SubscriptionFacts } from "../processor/port.ts";

/**
 * The subscription as the processor had it at `asOf`, unless a later look has been written already. Whose it is, once
 * known, never changes.
 */
export function upsertSubscription(
  db: Database,
  facts: SubscriptionFacts,
  environment: Environment,
  partnerId: string | null,
  asOf: number,
): Statement {
  const { id, status, cancelAtPeriodEnd, cancelAt, currentPeriodEnd } = facts;
  const state = { status, cancelAtPeriodEnd, cancelAt, currentPeriodEnd, updatedAt: asOf };
  return db
    .insert(subscriptions)
    .values({ id, environment, partnerId, ...state })
    .onConflictDoUpdate({
      target: subscriptions.id,
      set: { ...state, partnerId: sql`COALESCE(${subscriptions.partnerId}, excluded.partner_id)` },
      setWhere: lte(subscriptions.updatedAt, asOf),
    });
}

/** A subscription that events have told of, whoever's it is. One D1 round trip. */
export async function findSubscription(db: Database, id: string) {
  return db
    .select({ partnerId: subscriptions.partnerId, environment: subscriptions.environment, status: subscriptions.status })
    .from(subscriptions)
    .where(eq(subscriptions.id, id))
    .get();
}
