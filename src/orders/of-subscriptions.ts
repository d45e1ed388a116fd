import { and, inArray, lt, sql } from "drizzle-orm";
import { type Cell, inList } from "../db/client.ts";
import { isOwnedBy, type OwnList, type SummedData } from "../db/newest-page.ts";
import { orders } from "../db/schema/orders.ts";

/**
 * What was paid for a subscription, and by whom: of its orders in one cell. Amounts in minor units of `currency`. The customer is that of
 * the latest order that has one, which began at `seenAt`; 0 without one.
 */
export type PaidSubscription = Awaited<ReturnType<typeof paidIn>>[number];

const { id, subscriptionId, createdAt, paidAt, currency, charged, refunded, disputed, email, customerName } = orders;

/** The paid orders of some subscriptions, by subscription. One D1 round trip to each cell, by index, and two more for a partner in several. */
export async function paidOfSubscriptions(data: SummedData, partnerId: OwnList["partnerId"], subscriptions: readonly string[]) {
  const parts = await data.sums(
    ({ db }, until) => idsIn(db, partnerId, subscriptions, until),
    ({ db }, without) => paidIn(db, partnerId, subscriptions, without),
  );
  return parts.flat();
}

const isOf = (partnerId: OwnList["partnerId"]) => isOwnedBy(sql`+${orders.partnerId}`, { partnerId });

async function idsIn(db: Cell, partnerId: OwnList["partnerId"], subscriptions: readonly string[], until: number): Promise<string[]> {
  const rows = await db
    .select({ id })
    .from(orders)
    .where(and(inArray(subscriptionId, inList(subscriptions)), isOf(partnerId), lt(createdAt, until)))
    .all();
  return rows.map((row) => row.id).toSorted();
}

async function paidIn(db: Cell, partnerId: OwnList["partnerId"], subscriptions: readonly string[], without: readonly string[]) {
  const isPaid = sql`${paidAt} IS NOT NULL`;
  // With one maximum, SQLite takes the other columns from its row.
  const seenAt = sql<number>`MAX(CASE WHEN ${email} IS NOT NULL THEN ${createdAt} ELSE 0 END)`;
  return db
    .select({
      subscriptionId,
      currency,
      orders: sql<number>`SUM(${isPaid})`,
      charged: sql<number>`SUM(${charged})`,
      kept: sql<number>`SUM(${charged} - ${refunded} - ${disputed})`,
      email,
      customerName,
      seenAt,
    })
    .from(orders)
    .where(sql`${subscriptionId} IN ${inList(subscriptions)} AND ${isOf(partnerId)} AND ${id} NOT IN ${inList(without)}`)
    .groupBy(subscriptionId, currency)
    .all();
}

/** What was paid for each subscription in all its cells, in its one currency; the customer is the latest one. */
export function joinPaid(parts: readonly PaidSubscription[]): ReadonlyMap<string | null, PaidSubscription> {
  const joined = new Map<string | null, PaidSubscription>();
  for (const part of parts) {
    const known = joined.get(part.subscriptionId);
    // The processor charges a subscription in one currency. Another one would not be added up.
    if (known === undefined || known.currency === part.currency)
      joined.set(part.subscriptionId, known === undefined ? part : plus(known, part));
  }
  return joined;
}

const plus = (one: PaidSubscription, other: PaidSubscription): PaidSubscription => ({
  ...(one.seenAt >= other.seenAt ? one : other),
  orders: one.orders + other.orders,
  charged: one.charged + other.charged,
  kept: one.kept + other.kept,
});

/** Those of some subscriptions that were paid before a time. One D1 round trip, by index. */
export async function paidBefore(db: Cell, subscriptions: readonly string[], time: number): Promise<readonly string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT value AS id FROM json_each(${JSON.stringify(subscriptions)})
    WHERE EXISTS (SELECT 1 FROM ${orders} WHERE ${subscriptionId} = value AND ${paidAt} < ${time})`);
  return rows.map((row) => row.id);
}
