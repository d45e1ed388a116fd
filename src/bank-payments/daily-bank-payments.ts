import { type SQL, sql } from "drizzle-orm";
import type { Period } from "../core/clock.ts";
import { environments } from "../core/environment.ts";
import { type CountedBy, countIf, dayOf, sumIf } from "../db/aggregates.ts";
import { inList } from "../db/client.ts";
import { bankMovements } from "../db/schema/bank.ts";

const { amount, environment, partnerId, transactionDate, type } = bankMovements;

/**
 * Counts what moved rubles of some partners in a period, by day, as rows of `daily_payments`: payments on the day when they were first
 * seen as paid, refunds on the day of their report.
 */
export function countBankPaymentsByDay(partnerIds: readonly string[], { from, to }: Period): SQL {
  const isPaid = sql`${type} = 'bank_payment_in'`;
  const isRefunded = sql`${type} = 'bank_refund'`;
  return sql`SELECT ${dayOf(transactionDate)}, ${partnerId}, ${environment}, 'bank', 'RUB', ${countIf(isPaid)}, ${sumIf(isPaid, amount)}, 0,
    ${countIf(isRefunded)}, ${sumIf(isRefunded, amount)}, 0, 0
    FROM ${bankMovements} WHERE ${partnerId} IN ${inList(partnerIds)} AND ${environment} IN ${inList(environments)}
    AND ${transactionDate} >= ${from} AND ${transactionDate} < ${to} GROUP BY 1, 2, 3`;
}

/** SQL condition: a row of {@link countBankPaymentsByDay} that was stored would be counted again. By index. */
export const hasBankMovements = (row: CountedBy<"partnerId" | "environment">, { from, to }: Period): SQL =>
  sql`EXISTS (SELECT 1 FROM ${bankMovements} WHERE ${partnerId} = ${row.partnerId} AND ${environment} = ${row.environment}
    AND ${transactionDate} >= ${from} AND ${transactionDate} < ${to})`;
