import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { requireIdCode } from "../core/cell-code.ts";
import type { Period } from "../core/clock.ts";
import type { Cell, Statement } from "../db/client.ts";
import { isWithin } from "../db/newest-page.ts";
import { bankMovements, bankPayments } from "../db/schema/bank.ts";
import { AMOUNT_PATH, bankPaymentRefunded } from "../webhooks/outbox/events/bank-payment-refunded.ts";
import type { PartnerEvent } from "../webhooks/outbox/events/define-event.ts";
import { recordEvent } from "../webhooks/outbox/store.ts";
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
    ...(part === null ? [] : [refunded(partName(part), sql`MIN(${part.amount}, ${left(order)})`, sql`TRUE`)]),
    refunded(REST, left(order), sql`${bankPayments.status} = 'REFUNDED'`),
  ];
}

/** The name of the movement of a part that the bank has given back, and of what was left. */
const partName = ({ message }: Pick<PartlyRefunded, "message">) => `refund:${message}`;
const REST = "refund";

/** The id of a message begins so that an operator entered; the bank's own are hexadecimal. */
export const ENTERED = "entered:";

/** The names that the refunds of a payment may have, after these messages of the bank about it. */
export const refundNames = (messages: readonly string[]): string[] => [REST, ...messages.map((message) => partName({ message }))];

interface Refunding {
  /** The name of the movement. */
  readonly movement: string;
  readonly event: PartnerEvent;
}

/** The refunds that a report may lead to, with their events: of a part, and of what is left. */
export async function refundsOf({ id: paymentId, ...payment }: BankPayment, part: PartlyRefunded | null): Promise<Refunding[]> {
  const named = [...(part === null ? [] : [[partName(part), "PARTIAL_REFUNDED"] as const]), [REST, "REFUNDED"] as const];
  return Promise.all(
    named.map(async ([movement, status]) => {
      const facts = { ...payment, paymentId, movement, status };
      return { movement, event: await bankPaymentRefunded.make(requireIdCode(payment.orderId), facts) };
    }),
  );
}

/**
 * The events of the refunds that {@link bankMovementRows} has written before in the same batch, each with the amount of its movement. A
 * movement of an earlier batch has its event already.
 */
export function bankRefundEvents(db: Cell, order: string, refunds: readonly Refunding[], now: number): Statement[] {
  return refunds.map(({ movement, event }) => {
    const isIt = sql`${isOf(order)} AND ${bankMovements.name} = ${movement}`;
    const isNew = sql`EXISTS (SELECT 1 FROM ${bankMovements} WHERE ${isIt} AND ${bankMovements.bookedAt} = ${now})`;
    const given = sql`(SELECT -${amount} FROM ${bankMovements} WHERE ${isIt})`;
    return recordEvent(db, event, now, isNew, (payload) => sql`json_set(${payload}, ${AMOUNT_PATH}, ${given})`);
  });
}

/** The movements of an order, oldest first. */
export function movementsOfOrder(db: Cell, order: string) {
  return db.select().from(bankMovements).where(isOf(order)).orderBy(transactionDate, bankMovements.name).all();
}

export const isRefund = ({ type: of }: Pick<typeof bankMovements.$inferSelect, "type">): boolean => of === "bank_refund";

/** SQL condition: the bank gave something of the order back in this time. */
export function hasBankRefund(order: SQLiteColumn, period: Period): SQL {
  const isWanted = and(eq(type, "bank_refund"), isWithin(transactionDate, period));
  return sql`EXISTS (SELECT 1 FROM ${bankMovements} WHERE ${orderId} = ${order} AND ${isWanted})`;
}

/** SQL for what the movements of an order come to, as one row for `upsertOrder`. The bank's fee is not known. */
export const sumsOfBankOrder = (order: string): SQL => sql`SELECT
  MIN(CASE WHEN ${type} = 'bank_payment_in' THEN ${transactionDate} END) AS paid_at,
  MAX(CASE WHEN ${type} = 'bank_refund' THEN ${transactionDate} END) AS refunded_at,
  COALESCE(SUM(CASE WHEN ${type} = 'bank_payment_in' THEN ${amount} END), 0) AS charged,
  -COALESCE(SUM(CASE WHEN ${type} = 'bank_refund' THEN ${amount} END), 0) AS refunded,
  0 AS disputed, 'RUB' AS currency, CASE WHEN COUNT(*) > 0 THEN 'RUB' END AS settlement_currency, NULL AS fee, NULL AS net
  FROM ${bankMovements} WHERE ${isOf(order)}`;
