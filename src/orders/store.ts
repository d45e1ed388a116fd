import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Cell, Database, Statement } from "../db/client.ts";
import { orders } from "../db/schema/orders.ts";
import { excluded, maxOf, newestNonNull } from "../db/upsert.ts";
import { unitsOf } from "./items.ts";

/** Query for the owner of an order, and for the time of its latest stored look: one row or none, for a batch. */
export function latestLookAt(db: Cell, id: string) {
  return db.select({ partnerId: orders.partnerId, latest: orders.updatedAt }).from(orders).where(eq(orders.id, id));
}

/** The free checkouts that were completed through a link. At most `limit`. One D1 round trip, by the index of its partner's free ones. */
export async function freeCheckoutsThrough(db: Cell, link: Pick<OrderRow, "id" | "partnerId" | "environment">, limit: number) {
  const isFree = sql`substr(${orders.id}, 1, 3) = 'cs_'`;
  const isOfPartner = and(eq(orders.partnerId, link.partnerId), eq(orders.environment, link.environment));
  const found = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(isOfPartner, isFree, eq(orders.paymentLinkId, link.id)))
    .limit(limit)
    .all();
  return found.map(({ id }) => id);
}

export type OrderRow = typeof orders.$inferSelect;

/** What a look shows of an order besides its money. */
export type OrderFacts = Omit<
  OrderRow,
  "paidAt" | "refundedAt" | "status" | "units" | "charged" | "refunded" | "disputed" | "settlementCurrency" | "fee" | "net"
>;

/**
 * The status of an order from its sums: the one rule, for cards and rubles. Nothing paid: as the latest look says. Otherwise an
 * open or lost dispute comes before a refund.
 */
const STATUS = sql`CASE
  WHEN paid_at IS NULL THEN unpaid
  WHEN disputed > 0 THEN 'disputed'
  WHEN refunded = 0 THEN 'paid'
  WHEN refunded < charged THEN 'partly_refunded'
  ELSE 'refunded' END`;

/**
 * Stores an order as a look shows it, with the money that its movements come to. `sums` is a SELECT of one row with `paid_at`, `refunded_at`,
 * `charged`, `refunded`, `disputed`, `currency`, `settlement_currency`, `fee` and `net`. It is read when the statement runs, so the
 * movements must have been written before it, in the same transaction; whichever look is stored last, the money is that of the
 * movements. Known facts are kept; what differs comes from the later look.
 *
 * The indexed columns have a statement of their own, as those of movements.
 */
export function upsertOrder(db: Database, facts: OrderFacts, sums: SQL): Statement[] {
  const { id, clientReferenceId: reference, email, promotionCodeId: codeId } = facts;
  const { updatedAt } = orders;
  const columns = sql`COALESCE(sums.currency, ${facts.currency}) AS currency, sums.settlement_currency, sums.fee, sums.net`;
  const known = [
    sql`COALESCE(${orders.clientReferenceId}, ${reference})`,
    sql`COALESCE(${orders.email}, ${email})`,
    sql`COALESCE(${orders.promotionCodeId}, ${codeId})`,
  ] as const;
  const stored = (column: SQLiteColumn) => sql`(SELECT ${column} FROM ${orders} WHERE ${orders.id} = ${id})`;
  return [
    db
      .update(orders)
      .set({ clientReferenceId: known[0], email: known[1], promotionCodeId: known[2] })
      .where(
        sql`${orders.id} = ${id} AND (${orders.clientReferenceId}, ${orders.email}, ${orders.promotionCodeId}) IS NOT (${sql.join([...known], sql`, `)})`,
      ),
    db
      .insert(orders)
      .select(
        sql`SELECT ${id}, ${facts.partnerId}, ${facts.environment}, ${facts.createdAt}, paid_at, refunded_at, ${STATUS}, unpaid, ${reference}, ${facts.paymentLinkId},
          ${facts.subscriptionId}, ${facts.method}, ${facts.methodLabel}, ${email}, ${facts.customerName}, ${facts.items}, ${unitsOf(facts.items)}, ${facts.promotionCode}, ${codeId},
          ${facts.discount}, currency, charged, refunded, disputed, settlement_currency, fee, net, ${facts.updatedAt}
          FROM (SELECT sums.paid_at, sums.refunded_at, sums.charged, sums.refunded, sums.disputed, ${columns},
            CASE WHEN ${stored(updatedAt)} > ${facts.updatedAt} THEN ${stored(orders.unpaid)} ELSE ${facts.unpaid} END AS unpaid
            FROM (${sums}) AS sums) WHERE TRUE`,
      )
      .onConflictDoUpdate({
        target: orders.id,
        set: {
          status: excluded(orders.status),
          unpaid: excluded(orders.unpaid),
          paidAt: excluded(orders.paidAt),
          refundedAt: excluded(orders.refundedAt),
          currency: excluded(orders.currency),
          charged: excluded(orders.charged),
          refunded: excluded(orders.refunded),
          disputed: excluded(orders.disputed),
          settlementCurrency: excluded(orders.settlementCurrency),
          fee: excluded(orders.fee),
          net: excluded(orders.net),
          paymentLinkId: newestNonNull(orders.paymentLinkId, updatedAt),
          subscriptionId: newestNonNull(orders.subscriptionId, updatedAt),
          method: newestNonNull(orders.method, updatedAt),
          methodLabel: newestNonNull(orders.methodLabel, updatedAt),
          customerName: sql`COALESCE(${orders.customerName}, ${excluded(orders.customerName)})`,
          items: sql`COALESCE(${orders.items}, ${excluded(orders.items)})`,
          units: sql`CASE WHEN ${orders.items} IS NULL THEN ${excluded(orders.units)} ELSE ${orders.units} END`,
          promotionCode: sql`COALESCE(${orders.promotionCode}, ${excluded(orders.promotionCode)})`,
          discount: maxOf(orders.discount),
          updatedAt: maxOf(updatedAt),
        },
      }),
  ];
}
