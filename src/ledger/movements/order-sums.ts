import { type SQL, sql } from "drizzle-orm";
import { movements } from "../../db/schema/ledger.ts";
import { IS_GIVEN_BACK, isOfKind } from "./entries.ts";

const { amount, chargedAmount, chargedCurrency, currency, fee, net, paymentIntentId, status, transactionDate, type } = movements;

const IS_PAYMENT = sql`${type} = 'processor_payment_in'`;

/**
 * SQL for what the movements of a payment come to, as one row for `upsertOrder`. Amounts are in what the customer was
 * charged in. Where a movement does not say its part of that, it has the share that it has of the settled payment. A payment that
 * failed after it was booked was never paid; a refund that failed is no refund, and so with a dispute that was won.
 */
export function sumsOfPayment(id: string): SQL {
  const isOf = sql`${paymentIntentId} = ${id}`;
  // Of several attempts, the last one that did not fail is the payment.
  const payment = (column: SQL | typeof amount | typeof currency) =>
    sql`(SELECT ${column} FROM ${movements} WHERE ${isOf} AND ${IS_PAYMENT} ORDER BY ${status} = 'failed', ${transactionDate} DESC LIMIT 1)`;
  const charged = sql`COALESCE(${chargedAmount}, CASE WHEN ${currency} = charged_in THEN ${amount} ELSE CAST(ROUND(1.0 * ${amount} * paid / settled) AS INTEGER) END)`;
  const isBooked = sql`${IS_PAYMENT} AND ${status} = 'completed'`;
  const sumIf = (condition: SQL) => sql`COALESCE(SUM(CASE WHEN ${condition} THEN ${charged} END), 0)`;
  // A payment that failed after all leaves its fees; of one that may still fail nothing is left yet.
  const isKnown = sql`COUNT(*) = COUNT(${fee}) AND COUNT(DISTINCT ${currency}) = 1
    AND COUNT(*) FILTER (WHERE ${IS_PAYMENT}) > 0 AND COUNT(*) FILTER (WHERE ${IS_PAYMENT} AND ${status} = 'pending') = 0`;
  return sql`SELECT
    MAX(CASE WHEN ${isBooked} THEN ${transactionDate} END) AS paid_at,
    MAX(CASE WHEN ${IS_GIVEN_BACK} THEN ${transactionDate} END) AS refunded_at,
    ${sumIf(isBooked)} AS charged,
    MAX(0, -${sumIf(isOfKind("refund"))}) AS refunded,
    MAX(0, -${sumIf(isOfKind("dispute"))}) AS disputed,
    MAX(charged_in) AS currency,
    MAX(${currency}) AS settlement_currency,
    CASE WHEN ${isKnown} THEN SUM(${fee}) END AS fee,
    CASE WHEN ${isKnown} THEN SUM(${net}) END AS net
    FROM ${movements}, (SELECT ${payment(sql`COALESCE(${chargedCurrency}, ${currency})`)} AS charged_in,
      ${payment(sql`COALESCE(${chargedAmount}, ${amount})`)} AS paid, NULLIF(${payment(amount)}, 0) AS settled)
    WHERE ${isOf}`;
}

/** SQL for the sums of a checkout with nothing to pay, completed at a time: it has no movements. */
export const sumsOfFreeCheckout = (at: number): SQL =>
  sql`SELECT ${at} AS paid_at, NULL AS refunded_at, 0 AS charged, 0 AS refunded, 0 AS disputed, NULL AS currency, NULL AS settlement_currency, 0 AS fee, 0 AS net`;
