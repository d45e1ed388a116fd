import { type SQL, sql } from "drizzle-orm";
import { dayOf, type Period } from "../db/aggregates.ts";
import { inList } from "../db/client.ts";
import { bankPayments } from "../db/schema/bank.ts";

const { amountKopecks, environment, paidAt, partnerId, status } = bankPayments;

/**
 * Counts the ruble payments of some partners that were paid in a period, by the day when they were first seen as paid,
 * as rows of `daily_payments`. The bank reports neither the time of a refund nor the amount of a part of one: a refund counts on the
 * day of its payment, and a part by its number alone.
 */
export function countBankPaymentsByDay(partnerIds: readonly string[], { from, to }: Period): SQL {
  return sql`SELECT ${dayOf(paidAt)}, ${partnerId}, ${environment}, 'bank', 'RUB', COUNT(*), SUM(${amountKopecks}), 0,
    SUM(${status} IN ('REFUNDED', 'PARTIAL_REFUNDED')), SUM(CASE WHEN ${status} = 'REFUNDED' THEN ${amountKopecks} ELSE 0 END), 0, 0
    FROM ${bankPayments} WHERE ${partnerId} IN ${inList(partnerIds)} AND ${paidAt} >= ${from} AND ${paidAt} < ${to} GROUP BY 1, 2, 3`;
}
