import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";

/** What moved rubles. */
export const bankMovementTypes = ["bank_payment_in", "bank_refund"] as const;

/** Payments at the bank. `orderId` is our id. The bank refuses a duplicate order id. */
export const bankPayments = sqliteTable(
  "bank_payments",
  {
    /** The public id for partners. It is random, so it does not reveal the number of payments. */
    id: integer("id").primaryKey(),
    /** Ours: its partner's id code, and a hash of the record. */
    orderId: text("order_id").notNull().unique(),
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** The name of the terminal in the settings. */
    terminal: text("terminal").notNull(),
    /** The bank's own id. */
    bankPaymentId: text("bank_payment_id").notNull(),
    /** The partner's order number. */
    externalOrderId: text("external_order_id"),
    /** The bank's status code. */
    status: text("status").notNull(),
    /** JSON array of the receipt's lines, in the order of the request, amounts in kopecks. */
    items: text("items").notNull(),
    /** The total. */
    amountKopecks: integer("amount_kopecks").notNull(),
    /** Null for a payment that was cancelled because its URL was lost. No customer could pay it. */
    paymentUrl: text("payment_url"),
    /** The fast-payment link; null where the bank gives none. */
    sbpUrl: text("sbp_url"),
    /** The idempotency record that opened it. */
    recordId: text("record_id").notNull(),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
    /** When it was first seen as paid. */
    paidAt: timestamp("paid_at"),
    /** When to poll the bank for the status next. Null: no more polling. */
    nextPollAt: timestamp("next_poll_at"),
    /** The key, person or agent that opened it, as in the audit log. */
    holder: text("holder"),
    /** JSON array of its fiscal receipts, oldest first; null before the first one. */
    receipts: text("receipts"),
    /** When its buyer was erased: a receipt that is registered later has no address, since that leads to a page which may name them. */
    buyerErasedAt: timestamp("buyer_erased_at"),
  },
  (table) => [
    index("bank_payments_of_partner").on(table.partnerId, table.environment, table.createdAt, table.orderId),
    index("bank_payments_due_poll").on(table.nextPollAt).where(sql`next_poll_at IS NOT NULL`),
    // The comparison with the bank walks the paid ones, partner by partner.
    index("bank_payments_paid").on(table.partnerId, table.paidAt).where(sql`paid_at IS NOT NULL`),
    index("bank_payments_by_bank_id").on(table.bankPaymentId),
    index("bank_payments_by_reference").on(table.externalOrderId).where(sql`external_order_id IS NOT NULL`),
  ],
);

/**
 * What ruble payments moved: the payment, and each refund as far as the bank says its amount. They are never changed.
 */
export const bankMovements = sqliteTable(
  "bank_movements",
  {
    /** Our id of the order at the bank. */
    orderId: text("order_id").notNull(),
    /** What it is of the order: `payment`, `refund` for all that was left, or `refund:` and the bank's message. */
    name: text("name").notNull(),
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** The name of the terminal in the settings. */
    terminal: text("terminal").notNull(),
    /** The payment, or a refund. */
    type: text("type", { enum: bankMovementTypes }).notNull(),
    /** Kopecks, signed. */
    amount: integer("amount").notNull(),
    /** When the bank's report of it came. */
    transactionDate: timestamp("transaction_date").notNull(),
    /** As in `movements`. */
    bookedAt: timestamp("booked_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.name] }),
    index("bank_movements_of_partner").on(table.partnerId, table.environment, table.transactionDate, table.orderId),
  ],
);

/** Bank notifications, deduplicated. They are stored even if they match no payment of ours. */
export const bankNotifications = sqliteTable(
  "bank_notifications",
  {
    /** The token of the notification. Repeated notifications have the same token. */
    id: text("id").primaryKey(),
    environment: environment(),
    /** The name of the terminal in the settings. */
    terminal: text("terminal").notNull(),
    /** The order id in the message; null for a message about no order. */
    orderId: text("order_id"),
    /** In the bank's spelling. */
    status: text("status").notNull(),
    /** The message as JSON, without customer and card. */
    payload: text("payload").notNull(),
    /** Why it had no effect, for operators. Null: it was applied, or there was nothing to do. */
    problem: text("problem"),
    /** When it first came. */
    receivedAt: timestamp("received_at").notNull(),
  },
  (table) => [
    index("bank_notifications_by_order").on(table.orderId, table.receivedAt),
    index("bank_notifications_problems").on(table.receivedAt).where(sql`problem IS NOT NULL`),
  ],
);
