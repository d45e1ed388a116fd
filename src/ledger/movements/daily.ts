import { type SQL, sql } from "drizzle-orm";
import type { Period } from "../../core/clock.ts";
import { environments } from "../../core/environment.ts";
import { type CountedBy, countIf, dayOf, sumIf } from "../../db/aggregates.ts";
import { inList } from "../../db/client.ts";
import { movements } from "../../db/schema/ledger.ts";

const { amount, currency, environment, partnerId, status, transactionDate, type } = movements;

/**
 * Counts the movements of some partners in a period, by day, as rows of `daily_payments`. It uses an index and reads
 * only the counted movements.
 */
export function countMovementsByDay(partnerIds: readonly string[], { from, to }: Period): SQL {
  const isPaid = sql`${type} = 'processor_payment_in' AND ${status} = 'completed'`;
  const isFailed = sql`${type} = 'processor_payment_in' AND ${status} = 'failed'`;
  const isRefunded = sql`${type} = 'processor_refund' AND ${status} = 'refunded'`;
  const isDisputed = sql`${type} = 'processor_dispute_freeze'`;
  return sql`SELECT ${dayOf(transactionDate)}, ${partnerId}, ${environment}, 'processor', ${currency},
    ${countIf(isPaid)}, ${sumIf(isPaid, amount)}, ${countIf(isFailed)}, ${countIf(isRefunded)}, ${sumIf(isRefunded, amount)},
    ${countIf(isDisputed)}, ${sumIf(isDisputed, amount)}
    FROM ${movements}
    WHERE ${partnerId} IN ${inList(partnerIds)} AND ${environment} IN ${inList(environments)} AND ${transactionDate} >= ${from} AND ${transactionDate} < ${to}
    GROUP BY 1, 2, 3, 5`;
}

/** SQL condition: a row of {@link countMovementsByDay} that was stored would be counted again. By index. */
export const hasMovements = (row: CountedBy<"partnerId" | "environment" | "currency">, { from, to }: Period): SQL =>
  sql`EXISTS (SELECT 1 FROM ${movements} WHERE ${partnerId} = ${row.partnerId} AND ${environment} = ${row.environment}
    AND ${transactionDate} >= ${from} AND ${transactionDate} < ${to} AND ${currency} = ${row.currency})`;
