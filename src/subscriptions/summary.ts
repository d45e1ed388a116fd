import { and, inArray, sql } from "drizzle-orm";
import type { Environment } from "../core/environment.ts";
import { inList } from "../db/client.ts";
import { isOwnedBy, type ListData, type OwnList } from "../db/newest-page.ts";
import { subscriptions } from "../db/schema/subscriptions.ts";

/** Subscriptions that are alike: of one link, with the same prices, in the same state. */
export interface SubscriptionGroup {
  readonly environment: Environment;
  readonly partnerId: string | null;
  readonly paymentLinkId: string | null;
  /** JSON array of price and quantity; null if it is not known. */
  readonly items: string | null;
  readonly status: string;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly currentPeriodEnd: number | null;
  readonly count: number;
}

/** Counts the subscriptions of partners that have not ended, by link, prices and state. One D1 round trip to each cell. */
export async function groupSubscriptions(
  data: ListData,
  partnerId: OwnList["partnerId"],
  wanted: readonly Environment[],
): Promise<SubscriptionGroup[]> {
  const { environment, paymentLinkId, items, status, cancelAtPeriodEnd, cancelAt } = subscriptions;
  const found = await data.each(({ db }) =>
    db
      .select({
        environment,
        partnerId: subscriptions.partnerId,
        paymentLinkId,
        items,
        status,
        cancelAtPeriodEnd,
        cancelAt: sql<number | null>`MAX(${cancelAt})`,
        currentPeriodEnd: sql<number | null>`MAX(${subscriptions.currentPeriodEnd})`,
        count: sql<number>`COUNT(*)`,
      })
      .from(subscriptions)
      .where(and(isOwnedBy(subscriptions.partnerId, { partnerId }), inArray(environment, inList(wanted))))
      .groupBy(environment, subscriptions.partnerId, paymentLinkId, items, status, cancelAtPeriodEnd, sql`${cancelAt} IS NULL`)
      .all(),
  );
  return found.flat();
}
