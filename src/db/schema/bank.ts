import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, moment } from "./columns.ts";
import { partners } from "./partners.ts";

/** Payments as the bank opened them. `orderId` is ours, and the bank itself refuses to take one twice. */
export const bankPayments = sqliteTable(
  "bank_payments",
  {
    /** What partners call it: random, so that it says nothing of how many there are. */
    id: integer("id").primaryKey(),
    orderId: text("order_id").notNull().unique(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    environment: environment(),
    terminal: text("terminal").notNull(),
    bankPaymentId: text("bank_payment_id").notNull(),
    externalOrderId: text("external_order_id"),
    /** In the bank's spelling. */
    status: text("status").notNull(),
    amountKopecks: integer("amount_kopecks").notNull(),
    /** Null for one that was taken back because its address was lost: nobody could pay it. */
    paymentUrl: text("payment_url"),
    sbpUrl: text("sbp_url"),
    recordId: text("record_id").notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
    paidAt: moment("paid_at"),
    /** When the bank is to be asked how it is; null: no more. */
    lookAt: moment("look_at"),
  },
  (table) => [index("bank_payments_to_look_at").on(table.lookAt).where(sql`look_at IS NOT NULL`)],
);

/** The lines of a payment's receipt, in kopecks. */
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
    vat: text("vat").notNull(),
  },
  (table) => [primaryKey({ columns: [table.bankPaymentId, table.position] })],
);

/** What the bank told, each thing once, whether or not a payment of ours is meant. */
export const bankNotifications = sqliteTable(
  "bank_notifications",
  {
    /** Its token, which is the same for each repetition. */
    id: text("id").primaryKey(),
    environment: environment(),
    terminal: text("terminal").notNull(),
    orderId: text("order_id"),
    status: text("status").notNull(),
    payload: text("payload").notNull(),
    /** Why it changed nothing, for an operator to look into; null: it was followed, or there was nothing to do. */
    problem: text("problem"),
    receivedAt: moment("received_at").notNull(),
  },
  (table) => [
    index("bank_notifications_by_order").on(table.orderId, table.receivedAt),
    index("bank_notifications_problems").on(table.receivedAt).where(sql`problem IS NOT NULL`),
  ],
);
