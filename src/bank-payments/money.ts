import { type SQL, sql } from "drizzle-orm";
import type { Cell, Statement } from "../db/client.ts";
import { bankMovements, bankPayments } from "../db/schema/bank.ts";
import type { BankPayment } from "./store.ts";

const { orderId, amount, type, transactionDate } = bankMovements;

/** What is left of an order's money. */
const left = (order: string) => sql`(SELECT COALESCE(SUM(${amount}), 0) FROM ${bankMovements} WHERE ${isOf(order)})`;

const isOf = (order: string): SQL => sql`${orderId} = ${order}`;

/** A part that the bank says it has given back: the message's id, and the kopecks. */
export interface PartlyRefunded {
  readonly message: string;
  readonly amount: number;
}

/**
 * The movements that follow from an order's stored status, for the transaction that has just changed it: the payment once it is
 * paid; a part that was given back, once for each message of the bank; and what is left, once all is given back. Each is written
 * once and never changes. The bank says neither its fee nor the time of a refund, so a refund is dated by its report.
 */
export function bankMovementRows(
  db: Cell,
  { id: paymentId, orderId: order, partnerId, environment, terminal }: BankPayment,
  part: PartlyRefunded | null,
  now: number,
): Statement[] {
  const common = sql`${partnerId}, ${environment}, ${terminal}`;
  const ofPayment = sql`FROM ${bankPayments} WHERE ${bankPayments.id} = ${paymentId} AND ${bankPayments.paidAt} IS NOT NULL`;
  const insert = (row: SQL) => db.insert(bankMovements).select(row).onConflictDoNothing();
  const refunded = (key: string, refund: SQL, condition: SQL) =>
    insert(
      sql`SELECT ${order}, ${key}, ${common}, 'bank_refund', -${refund}, ${now}, ${now} ${ofPayment} AND ${condition} AND ${left(order)} > 0`,
    );
  return [
    insert(
      sql`SELECT ${order}, 'payment', ${common}, 'bank_payment_in', ${bankPayments.amountKopecks}, ${bankPayments.paidAt}, ${now} ${ofPayment}`,
    ),
    ...(part === null ? [] : [refunded(`refund:${part.message}`, sql`MIN(${part.amount}, ${left(order)})`, sql`TRUE`)]),
    refunded("refund", left(order), sql`${bankPayments.status} = 'REFUNDED'`),
  ];
}

/** The movements of an order, oldest first. */
export function movementsOfOrder(db: Cell, order: string) {
  return db.select().from(bankMovements).where(isOf(order)).orderBy(transactionDate, bankMovements.name).all();
}

/** SQL for what the movements of an order come to, as one row for `upsertOrder`. The bank's fee is not known. */
export const sumsOfBankOrder = (order: string): SQL => sql`SELECT
  MIN(CASE WHEN ${type} = 'bank_payment_in' THEN ${transactionDate} END) AS paid_at,
  COALESCE(SUM(CASE WHEN ${type} = 'bank_payment_in' THEN ${amount} END), 0) AS charged,
  -COALESCE(SUM(CASE WHEN ${type} = 'bank_refund' THEN ${amount} END), 0) AS refunded,
  0 AS disputed, 'RUB' AS currency, CASE WHEN COUNT(*) > 0 THEN 'RUB' END AS settlement_currency, NULL AS fee, NULL AS net
  FROM ${bankMovements} WHERE ${isOf(order)}`;
