import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import { type Cell, inList } from "../../db/client.ts";
import { movements } from "../../db/schema/ledger.ts";

/** What the movements of a payment say of its order, besides its money. */
export type OrderStart = Awaited<ReturnType<typeof orderStarts>>[number];

/** The payments of a partner after one, in the order of their ids. Walks the index of payments. */
export async function paymentIdsAfter(db: Cell, partnerId: string, after: string, limit: number): Promise<string[]> {
  const { paymentIntentId } = movements;
  const rows = await db
    .selectDistinct({ id: paymentIntentId })
    .from(movements)
    .where(and(gt(paymentIntentId, after), sql`+${movements.partnerId} = ${partnerId}`))
    .orderBy(asc(paymentIntentId))
    .limit(limit)
    .all();
  return rows.flatMap(({ id }) => id ?? []);
}

/** How the orders of some payments began, as their movements say. By index. */
export async function orderStarts(db: Cell, partnerId: string, ids: readonly string[]) {
  const { paymentIntentId, transactionDate, chargedCurrency, currency } = movements;
  return db
    .select({
      paymentIntentId: sql<string>`${paymentIntentId}`,
      environment: movements.environment,
      createdAt: sql<number>`MIN(${transactionDate})`,
      currency: sql<string>`COALESCE(MAX(${chargedCurrency}), MAX(${currency}))`,
      clientReferenceId: sql<string | null>`MAX(${movements.clientReferenceId})`,
      paymentLinkId: sql<string | null>`MAX(${movements.paymentLinkId})`,
      subscriptionId: sql<string | null>`MAX(${movements.subscriptionId})`,
    })
    .from(movements)
    .where(and(inArray(paymentIntentId, inList(ids)), eq(sql`+${movements.partnerId}`, partnerId)))
    .groupBy(paymentIntentId, movements.environment)
    .all();
}
