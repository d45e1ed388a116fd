import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { environment, moment } from "./columns.ts";
import { partners } from "./partners.ts";

const moderation = ["in_review", "approved", "rejected"] as const;

/**
 * What a card product is, as moderation wrote it down. Type, currency and interval are plain text on purpose:
 * a damaged row must be readable, so that it can be refused by name instead of failing the whole query.
 */
export const cardProducts = sqliteTable(
  "card_products",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Null as long as moderation has not made the product at the processor. */
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
    /** JSON array of method names; null where the product has no default set of its own. */
    paymentMethodTypes: text("payment_method_types"),
    moderation: text("moderation", { enum: moderation }).notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [index("card_products_by_partner").on(table.partnerId, table.environment)],
);

/** What a ruble product is. `terminal` names the bank terminal, and so the tax regime, that it sells through. */
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
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [index("ruble_products_by_partner").on(table.partnerId)],
);
