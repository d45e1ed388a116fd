import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { orderStates } from "../../core/object-states.ts";
import { environment, timestamp } from "./columns.ts";

/** What an order is as long as no money has come. */
export const unpaidStates = ["pending", "failed", "expired"] as const;

/**
 * One row for each thing that a customer bought, or began to buy: a payment, a completed checkout with nothing to pay, or a
 * ruble payment. It is written in one transaction with what it follows from, and can be made again from the ledger. Amounts
 * are not negative, in minor units.
 */
export const orders = sqliteTable(
  "orders",
  {
    /** The payment `pi_…`, the checkout `cs_…` without a payment, or our id of the order at the bank. */
    id: text("id").primaryKey(),
    partnerId: text("partner_id").notNull(),
    environment: environment(),
    /** When it began: the first attempt to pay. It never changes. */
    createdAt: timestamp("created_at").notNull(),
    /** When the money was booked, or a free checkout completed; null until then. */
    paidAt: timestamp("paid_at"),
    /** When something was last given back; null if nothing was. */
    refundedAt: timestamp("refunded_at"),
    /** Of the order, with what followed the payment. */
    status: text("status", { enum: orderStates }).notNull(),
    /** What it is without a booked payment, by the latest look. */
    unpaid: text("unpaid", { enum: unpaidStates }).notNull(),
    /** The partner's order reference; null for a renewal. */
    clientReferenceId: text("client_reference_id"),
    /** The link that was paid, or that started the subscription. */
    paymentLinkId: text("payment_link_id"),
    /** The subscription that it pays for. */
    subscriptionId: text("subscription_id"),
    /** The kind of the payment method, in the processor's word: `card`. */
    method: text("method"),
    /** The payment method as people say it: `Visa ···· 4242`. */
    methodLabel: text("method_label"),
    /** The customer's address; emptied by an erasure. */
    email: text("email"),
    /** The customer's name; emptied by an erasure. */
    customerName: text("customer_name"),
    /**
     * JSON array of what was sold, as it was named then, each with product, name, quantity, unit amount, and the sum of all until
     * then: the shares of an amount follow from it. Null if it is not known.
     */
    items: text("items"),
    /** The number of things sold; 0 if it is not known. */
    units: integer("units").notNull(),
    /** The code that the customer entered. */
    promotionCode: text("promotion_code"),
    /** Its id: codes that follow one another may have the same text. */
    promotionCodeId: text("promotion_code_id"),
    /** What the customer was let off. */
    discount: integer("discount").notNull(),
    /** ISO 4217, upper case: what the customer was charged in. */
    currency: text("currency").notNull(),
    /** What the customer paid; 0 until it is booked. */
    charged: integer("charged").notNull(),
    /** What was given back. */
    refunded: integer("refunded").notNull(),
    /** What an open or lost dispute took. */
    disputed: integer("disputed").notNull(),
    /** ISO 4217, upper case: what the account was credited in; null until it is booked. */
    settlementCurrency: text("settlement_currency"),
    /** All fees, of refunds and disputes too; null if one is not known. */
    fee: integer("fee"),
    /** What is left in the settlement currency; null if a part is not known. */
    net: integer("net"),
    /** The time of the state that this row shows. */
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [
    index("orders_of_partner").on(table.partnerId, table.environment, table.createdAt, table.id),
    // A checkout with nothing to pay has no movement, so a report finds it here.
    index("orders_free").on(table.partnerId, table.environment, table.createdAt).where(sql`substr(id, 1, 3) = 'cs_'`),
    index("orders_by_reference").on(table.partnerId, table.clientReferenceId).where(sql`client_reference_id IS NOT NULL`),
    index("orders_by_subscription").on(table.subscriptionId, table.createdAt).where(sql`subscription_id IS NOT NULL`),
    index("orders_by_promotion_code").on(table.promotionCodeId).where(sql`promotion_code_id IS NOT NULL`),
    index("orders_by_customer").on(table.partnerId, sql`lower(customer_name)`).where(sql`customer_name IS NOT NULL`),
    index("orders_by_email").on(sql`lower(email)`).where(sql`email IS NOT NULL`),
  ],
);
