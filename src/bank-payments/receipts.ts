import { and, eq, inArray, sql } from "drizzle-orm";
import * as z from "zod";
import { requireIdCode } from "../core/cell-code.ts";
import { type FiscalReceipt, fiscalReceiptSchema } from "../core/fiscal-receipt.ts";
import { parseJson } from "../core/json.ts";
import { type Cell, inList, type Statement } from "../db/client.ts";
import { bankPayments } from "../db/schema/bank.ts";
import { bankReceiptRegistered } from "../webhooks/outbox/events/bank-receipt-registered.ts";
import { recordEvent } from "../webhooks/outbox/store.ts";
import type { BankPayment } from "./store.ts";

/** How many receipts of one payment are kept: one for the payment, and one for each refund. */
const MOST_RECEIPTS = 50;

/** The fiscal receipts of a payment, oldest first. */
export const receiptsOf = (stored: string | null): FiscalReceipt[] =>
  stored === null ? [] : parseJson(z.array(fiscalReceiptSchema), stored);

/** The statements that keep a receipt with its payment, and tell the partner. A receipt that is known changes nothing. */
export async function receiptStatements(db: Cell, payment: BankPayment, receipt: FiscalReceipt, now: number): Promise<Statement[]> {
  const facts = { ...payment, paymentId: payment.id, receipt };
  const event = await bankReceiptRegistered.make(requireIdCode(payment.orderId), facts);
  const known = sql`COALESCE(${bankPayments.receipts}, '[]')`;
  const isSame = sql`value ->> '$.fn' = ${receipt.fn} AND value ->> '$.document' = ${receipt.document}`;
  const isNew = and(
    eq(bankPayments.id, payment.id),
    sql`json_array_length(${known}) < ${MOST_RECEIPTS} AND NOT EXISTS (SELECT 1 FROM json_each(${known}) WHERE ${isSame})`,
  );
  const nameless = JSON.stringify({ ...receipt, url: null });
  return [
    recordEvent(db, event, now, sql`EXISTS (SELECT 1 FROM ${bankPayments} WHERE ${isNew})`),
    db
      .update(bankPayments)
      .set({
        receipts: sql`json_insert(${known}, '$[#]', json(CASE WHEN ${bankPayments.buyerErasedAt} IS NOT NULL THEN ${nameless} ELSE ${JSON.stringify(receipt)} END))`,
      })
      .where(isNew),
  ];
}

/**
 * Notes that the buyers of these orders were erased, and empties the addresses of their receipts, also of later ones: each leads to a
 * page that may name the buyer. The numbers stay. By index.
 */
export async function eraseBuyers(db: Cell, orderIds: readonly string[], now: number): Promise<void> {
  const emptied = sql`(SELECT json_group_array(json_set(value, '$.url', NULL)) FROM json_each(${bankPayments.receipts}) AS line)`;
  await db
    .update(bankPayments)
    .set({ buyerErasedAt: now, receipts: sql`CASE WHEN ${bankPayments.receipts} IS NOT NULL THEN ${emptied} END` })
    .where(inArray(bankPayments.orderId, inList(orderIds)))
    .run();
}
