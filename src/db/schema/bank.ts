import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, moment } from "./columns.ts";
import { partners } from "./partners.ts";

/** `orderId` is what the bank itself refuses to take twice: one per idempotency record. */
export const bankPayments = sqliteTable(
  "bank_payments",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    orderId: text("order_id").notNull().unique(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    environment: environment(),
    terminal: text("terminal").notNull(),
    bankPaymentId: text("bank_payment_id").unique(),
    externalOrderId: text("external_order_id"),
    status: text("status").notNull(),
    amountKopecks: integer("amount_kopecks").notNull(),
    customerEmail: text("customer_email"),
    customerPhone: text("customer_phone"),
    paymentUrl: text("payment_url"),
    sbpUrl: text("sbp_url"),
    recordId: text("record_id"),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
    paidAt: moment("paid_at"),
  },
  (table) => [
    index("bank_payments_by_partner").on(table.partnerId, table.createdAt),
    index("bank_payments_by_status").on(table.status, table.updatedAt),
  ],
);

export const bankPaymentItems = sqliteTable(
  "bank_payment_items",
  {
    bankPaymentId: integer("bank_payment_id")
      .notNull()
      .references(() => bankPayments.id),
    position: integer("position").notNull(),
    productId: integer("product_id").notNull(),
    productName: text("product_name").notNull(),
    unitAmount: integer("unit_amount").notNull(),
    quantity: integer("quantity").notNull(),
    amount: integer("amount").notNull(),
  },
  (table) => [primaryKey({ columns: [table.bankPaymentId, table.position] })],
);

/** Notifications as they came, kept even where no payment of ours is known by that order id. */
export const bankNotifications = sqliteTable(
  "bank_notifications",
  {
    id: text("id").primaryKey(),
    orderId: text("order_id").notNull(),
    status: text("status").notNull(),
    payload: text("payload").notNull(),
    receivedAt: moment("received_at").notNull(),
  },
  (table) => [index("bank_notifications_by_order").on(table.orderId, table.receivedAt)],
);
