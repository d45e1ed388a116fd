import { sql } from "drizzle-orm";
import type { Period } from "../../core/clock.ts";
import type { Environment } from "../../core/environment.ts";
import type { Cell } from "../../db/client.ts";
import { movements } from "../../db/schema/ledger.ts";
import { IS_SALE } from "./entries.ts";

const { paymentIntentId, paymentLinkId, subscriptionId, transactionDate } = movements;

/**
 * The payments through a link in a period, by what tells them apart: of a subscription, all payments are one. At most `limit`. One D1
 * round trip, by index.
 */
export async function paidIn(db: Cell, linkId: string, { from, to }: Period, limit: number): Promise<readonly string[]> {
  const isIn = sql`${transactionDate} >= ${from} AND ${transactionDate} < ${to}`;
  const rows = await db.all<{ id: string }>(sql`SELECT DISTINCT COALESCE(${subscriptionId}, ${paymentIntentId}) AS id
    FROM ${movements} WHERE ${paymentLinkId} = ${linkId} AND ${isIn} AND ${IS_SALE} LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}

/**
 * How many payments came through each of a partner's links in a period, counted as by {@link paidIn}. One D1 round trip, by the index of
 * the partner's movements.
 */
export async function paidByLink(db: Cell, partner: string, environment: Environment, { from, to }: Period) {
  const isIn = sql`${transactionDate} >= ${from} AND ${transactionDate} < ${to} AND ${paymentLinkId} IS NOT NULL`;
  return db.all<{
    link: string;
    paid: number;
  }>(sql`SELECT ${paymentLinkId} AS link, COUNT(DISTINCT COALESCE(${subscriptionId}, ${paymentIntentId})) AS paid
    FROM ${movements} WHERE ${movements.partnerId} = ${partner} AND ${movements.environment} = ${environment} AND ${isIn} AND ${IS_SALE} GROUP BY 1`);
}
