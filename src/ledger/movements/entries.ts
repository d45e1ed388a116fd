import { and, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Period } from "../../core/clock.ts";
import { typesOfKind } from "../../core/movements.ts";
import { inList } from "../../db/client.ts";
import type { SelectEntries } from "../../db/entries.ts";
import { isOwnedBy, isWithin } from "../../db/newest-page.ts";
import { movements } from "../../db/schema/ledger.ts";

const { type, status, transactionDate } = movements;

/** SQL: whether a movement is the payment that makes an order. */
export const IS_SALE = sql`${type} IS 'processor_payment_in' AND ${status} = 'completed'`;

/** SQL: whether a movement is a payment that may still fail. */
export const IS_PENDING = sql`${type} IS 'processor_payment_in' AND ${status} = 'pending'`;

/** SQL: whether a movement is of a kind. */
export const isOfKind = (kind: keyof typeof typesOfKind) =>
  sql`${type} IN (${sql.raw(typesOfKind[kind].map((one) => `'${one}'`).join(", "))})`;

/** SQL: what a movement counts as, one of `movementKinds` (core/movements.ts). */
export const KIND = sql`CASE WHEN ${isOfKind("refund")} THEN 'refund' WHEN ${isOfKind("dispute")} THEN 'dispute' ELSE 'payment' END`;

/** The movements of cards as entries of the books, by index. */
export const cardEntries: SelectEntries = (selection) => sql`SELECT
  ${movements.partnerId} AS partner_id, ${movements.paymentIntentId} AS order_id, ${movements.id} AS entry_id, ${movements.environment} AS environment, ${movements.paymentLinkId} AS link,
  ${KIND} AS kind,
  ${movements.amount} AS amount, COALESCE(${movements.fee}, 0) AS fee, ${movements.currency} AS currency, ${transactionDate} AS at,
  ${movements.bookedAt} AS booked_at, COALESCE(${movements.availableAt}, ${transactionDate}) AS available_at,
  ${IS_SALE} AS is_sale,
  COALESCE(${isOfKind("payment")}, 0) AS is_charge,
  ${IS_PENDING} AS is_pending,
  CASE ${type} WHEN 'processor_payment_failure' THEN COALESCE((SELECT MAX(paid.transaction_date) FROM ${movements} AS paid
    WHERE paid.payment_intent_id = ${movements.paymentIntentId} AND paid.type = 'processor_payment_in' AND paid.transaction_date <= ${transactionDate}),
    ${transactionDate}) ELSE ${transactionDate} END AS terms_at
  FROM ${movements} WHERE ${isOwnedBy(movements.partnerId, selection)} AND ${movements.environment} IN ${inList(selection.environments)}
  AND ${transactionDate} >= ${selection.period.from} AND ${transactionDate} < ${selection.period.to}`;

/** SQL: whether a movement gave something back. A refund that failed did not. */
export const IS_GIVEN_BACK = sql`${type} IS 'processor_refund' AND ${status} <> 'failed'`;

/** SQL condition: something of the payment was given back in this time. */
export function hasCardRefund(payment: SQLiteColumn, period: Period): SQL {
  const isIn = and(IS_GIVEN_BACK, isWithin(transactionDate, period));
  return sql`EXISTS (SELECT 1 FROM ${movements} WHERE ${movements.paymentIntentId} = ${payment} AND ${isIn})`;
}
