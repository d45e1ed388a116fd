import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, timestamp } from "./columns.ts";
import { partners } from "./partners.ts";

const moderation = ["in_review", "approved", "rejected"] as const;

/**
 * Card products as stored by moderation. Type, currency and interval are plain text on purpose: a damaged row must be
 * readable, so that the error can name this product and the query does not fail for all products.
 */
export const cardProducts = sqliteTable(
  "card_products",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Null until moderation creates the product at the processor. */
    processorProductId: text("processor_product_id").unique(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    environment: environment(),
    name: text("name").notNull(),
    description: text("description"),
    type: text("type").notNull(),
    currency: text("currency").notNull(),
    unitAmount: integer("unit_amount").notNull(),
    interval: text("interval"),
    intervalCount: integer("interval_count"),
    /** JSON array of method names. Null: the product has no own default set. */
    paymentMethodTypes: text("payment_method_types"),
    moderation: text("moderation", { enum: moderation }).notNull(),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [index("card_products_by_partner").on(table.partnerId, table.environment)],
);

/** Ruble products. `terminal` is the name of the bank terminal. The terminal determines the tax regime. */
export const rubleProducts = sqliteTable(
  "ruble_products",
  {
    id: integer("id").primaryKey(),
    partnerId: text("partner_id")
      .notNull()
      .references(() => partners.id),
    name: text("name").notNull(),
    currency: text("currency").notNull(),
    unitAmount: integer("unit_amount").notNull(),
    terminal: text("terminal"),
    vat: text("vat"),
    moderation: text("moderation", { enum: moderation }).notNull(),
    createdAt: timestamp("created_at").notNull(),
    updatedAt: timestamp("updated_at").notNull(),
  },
  (table) => [index("ruble_products_by_partner").on(table.partnerId)],
);
